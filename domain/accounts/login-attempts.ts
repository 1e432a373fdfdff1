import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { isDomainError } from '../foundation/errors.ts';
import { insertFirst, MAX_ATTEMPTS, tooManyRequests, update } from '../foundation/records.ts';

/** When an account is locked (auth.conf, `lockout`). */
export interface LockoutRules {
  /** Failed logins within the window that lock the account; 0 for never. */
  threshold: number;
  windowSeconds: number;
  lockSeconds: number;
}

export interface LoginAttemptParts {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/** Failed logins and those under way, oldest first; `at` and `lockedUntil` are milliseconds since the epoch. */
interface Attempts {
  attempts: { id: string; at: number }[];
  lockedUntil?: number;
}

const NONE: Attempts = { attempts: [] };

/**
 * Counts failed logins for each identity, on all instances together. An attempt is counted before the password is
 * compared and withdrawn when it is right, so that attempts at once are not more than one after the other. Identities
 * without an account are counted too, so that an answer takes as long with an account as without.
 */
export class LoginAttempts {
  readonly #parts: LoginAttemptParts;
  readonly #rules: LockoutRules;
  readonly #attempts: Collection<Attempts>;

  constructor(parts: LoginAttemptParts, rules: LockoutRules) {
    this.#parts = parts;
    this.#rules = rules;
    this.#attempts = parts.store.collection({ name: 'login-attempts', listed: false, sealed: true, hiddenIds: true });
  }

  /**
   * Runs an attempt; it is not `admitted` while the account is locked, and then has to fail as if the password were wrong.
   * An attempt fails with the error `LoginRequired`; with any other outcome it is not counted.
   */
  async run<T>(identity: string, work: (isAdmitted: boolean) => Promise<T>): Promise<T> {
    if (this.#rules.threshold === 0) return work(true);
    const id = this.#parts.ids.uuid();
    const { attempts } = await this.#change(identity, (state) => this.#begin(state, id));
    const isAdmitted = attempts.some((attempt) => attempt.id === id);
    try {
      const result = await work(isAdmitted);
      await this.#withdraw(identity, id);
      return result;
    } catch (error) {
      if (!isDomainError(error, 'LoginRequired')) await this.#withdraw(identity, id);
      else if (isAdmitted && attempts.length >= this.#rules.threshold)
        await this.#change(identity, (state) => this.#lock(state));
      throw error;
    }
  }

  /** Ends the lock of an identity and forgets its failed logins. */
  async clear(identity: string): Promise<void> {
    await this.#attempts.remove({ id: identity });
  }

  #begin(state: Attempts, id: string): Attempts {
    const { windowSeconds, threshold } = this.#rules;
    const now = this.#parts.clock.now();
    if ((state.lockedUntil ?? 0) > now) return state;
    const recent = state.attempts.filter(({ at }) => at > now - windowSeconds * 1000);
    return recent.length < threshold ? { attempts: [...recent, { id, at: now }] } : state;
  }

  #lock(state: Attempts): Attempts {
    const isReached = state.lockedUntil === undefined && state.attempts.length >= this.#rules.threshold;
    return isReached ? { attempts: [], lockedUntil: this.#parts.clock.now() + this.#rules.lockSeconds * 1000 } : state;
  }

  async #withdraw(identity: string, id: string): Promise<void> {
    const change = (state: Attempts): Attempts => {
      const others = state.attempts.filter((attempt) => attempt.id !== id);
      return others.length === state.attempts.length ? state : { ...state, attempts: others };
    };
    await update({ collection: this.#attempts, key: { id: identity }, change });
  }

  /** Changes the state of an identity, which may have none. */
  async #change(identity: string, change: (state: Attempts) => Attempts): Promise<Attempts> {
    const { windowSeconds, lockSeconds } = this.#rules;
    const until = this.#parts.clock.now() + Math.max(windowSeconds, lockSeconds) * 1000;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const changed = await update({
        collection: this.#attempts,
        key: { id: identity },
        change,
        expiresAt: () => until,
      });
      if (changed) return changed.value;
      const value = change(NONE);
      if (await insertFirst(this.#attempts, { id: identity, value, expiresAt: until })) return value;
    }
    throw tooManyRequests();
  }
}
