/**
 * One attempt for all that need its result at the same time. A caller that waited for the attempt of another, which
 * failed, takes part in one that begins then: the first may have been made just before a deadline that was not its own.
 */
export class SharedAttempt<T> {
  #running: Promise<T> | undefined;

  async run(work: () => Promise<T>): Promise<T> {
    const other = this.#running;
    const joined =
      other &&
      (await other.then(
        (value) => ({ value }),
        () => undefined,
      ));
    if (joined) return joined.value;
    // Of those that waited for the same attempt the first begins the next one.
    if (this.#running === undefined || this.#running === other) this.#running = this.#begin(work);
    return this.#running;
  }

  #begin(work: () => Promise<T>): Promise<T> {
    const attempt = work().finally(() => {
      if (this.#running === attempt) this.#running = undefined;
    });
    return attempt;
  }
}
