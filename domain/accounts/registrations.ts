import { alreadyExists } from './accounts.ts';

/** The registrations under way in this process: of many at once of one identity only the first costs a password hash. */
export class Registrations {
  readonly #underWay = new Map<string, Promise<unknown>>();

  /**
   * Does the work of a registration, or waits for the one under way of the same identity.
   * @throws DomainError `Conflict` after one that succeeded, else what that one failed with
   */
  async run<T>(identity: string, register: () => Promise<T>): Promise<T> {
    const other = this.#underWay.get(identity);
    if (other) {
      await other;
      throw alreadyExists();
    }
    const own = register();
    this.#underWay.set(identity, own);
    try {
      return await own;
    } finally {
      this.#underWay.delete(identity);
    }
  }
}
