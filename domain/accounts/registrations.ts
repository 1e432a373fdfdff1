import { alreadyExists } from './identities.ts';

/** The registrations under way in this process: of several at once of one identity only the first costs a password hash. */
export class Registrations {
  readonly #underWay = new Map<string, Promise<unknown>>();

  /**
   * Runs a registration, or waits for the one under way of the same identity.
   * @throws DomainError `Conflict` after one that succeeded, else the failure of that one
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
