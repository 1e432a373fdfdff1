/** The most writes of one statement. */
const MOST = 100;

/** A write that is not answered yet. */
interface Waiting<W, R> {
  write: W;
  done(result: R | undefined): void;
  failed(error: unknown): void;
}

/** Does writes to one parent, in one transaction; returns what each of them did, in their order. */
type Send<W, R> = (parent: string, writes: W[]) => Promise<(R | undefined)[]>;

/**
 * Sends one statement at a time for each parent, with all writes that were called meanwhile: writes to a parent follow each
 * other in the database, each after the commit of the one before, so those of one process are committed together. What one
 * fails with, the writes of its statement and those that wait fail with.
 */
export class JointWrites<W, R> {
  /** What waits at each parent that a statement is under way for. */
  readonly #waiting = new Map<string, Waiting<W, R>[]>();

  constructor(private readonly send: Send<W, R>) {}

  write(parent: string, write: W): Promise<R | undefined> {
    return new Promise((done, failed) => {
      const waiting = this.#waiting.get(parent);
      if (waiting) waiting.push({ write, done, failed });
      else void this.#sendAll(parent, { write, done, failed });
    });
  }

  async #sendAll(parent: string, first: Waiting<W, R>): Promise<void> {
    const waiting = [first];
    this.#waiting.set(parent, waiting);
    while (waiting.length > 0) {
      const sent = waiting.splice(0, MOST);
      try {
        const results = await this.send(
          parent,
          sent.map(({ write }) => write),
        );
        for (const [place, { done }] of sent.entries()) done(results[place]);
      } catch (error) {
        for (const { failed } of [...sent, ...waiting.splice(0)]) failed(error);
      }
    }
    this.#waiting.delete(parent);
  }
}
