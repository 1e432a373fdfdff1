import { isDomainError } from '../foundation/errors.ts';
import { alreadyExists } from './identities.ts';

/** The registrations under way in this process: of several at once of one identity only the first costs a password hash. */
export class Registrations {
  readonly #underWay = new Map<string, { done: Promise<unknown>; left: AbortSignal | undefined }>();

  /**
   * Runs a registration, or waits for the one under way of the same identity; when the client of that one has left, it is
   * run after all. `left`: aborted when the own client has left.
   * @throws DomainError `Conflict` after one that succeeded, else the failure of that one
   */
  async run<T>(identity: string, register: () => Promise<T>, left?: AbortSignal): Promise<T> {
    for (let other = this.#underWay.get(identity); other; other = this.#underWay.get(identity)) {
      const failure = await other.done.then(alreadyExists, (error: unknown) => error);
      if (!other.left?.aborted || isDomainError(failure, 'Conflict')) throw failure;
    }
    const done = register();
    this.#underWay.set(identity, { done, left });
    try {
      return await done;
    } finally {
      this.#underWay.delete(identity);
    }
  }
}
