import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { isDomainError } from '../foundation/errors.ts';
import { update, upsert } from '../foundation/records.ts';
import { KnownSources, sourceId } from './known-sources.ts';

/** When an account is locked (auth.conf, `lockout`). */
interface LockoutRules {
  /** Failed logins within the window that lock the account; 0 for never. */
  threshold: number;
  windowSeconds: number;
  lockSeconds: number;
}

/** Failed logins and those under way, oldest first; `at` and `lockedUntil` are milliseconds since the epoch. */
interface Attempts {
  attempts: { id: string; at: number }[];
  lockedUntil?: number;
}

/** Whose login, and the source of the request. */
export interface AttemptedLogin {
  identity: string;
  source: string;
}

const NONE: Attempts = { attempts: [] };

/**
 * Counts failed logins for each identity, on all instances together; those from a source that logged in before apart, so
 * that others cannot lock out the owner. An attempt is counted before the password is
 * compared and withdrawn when it is right, so that attempts at once are not more than one after the other. Identities
 * without an account are counted too, so that an answer takes as long with an account as without.
 */
export class LoginAttempts {
  readonly #attempts: Collection<Attempts>;
  readonly #known: KnownSources;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      ids: Ids;
    },
    private readonly rules: LockoutRules,
  ) {
    this.#attempts = parts.store.collection({ name: 'login-attempts', afterRestore: 'kept', hidden: 'id' });
    this.#known = new KnownSources(parts);
  }

  /**
   * Runs an attempt; it is not `admitted` while the account is locked, and then has to fail as if the password were wrong.
   * An attempt fails with the error `LoginRequired`; with any other outcome it is not counted.
   */
  async run<T>(login: AttemptedLogin, work: (isAdmitted: boolean) => Promise<T>): Promise<T> {
    if (this.rules.threshold === 0) return work(true);
    const counter = await this.#counterOf(login);
    const id = this.parts.ids.uuid();
    const { attempts } = await this.#change(counter, (state) => this.#begin(state, id));
    const isAdmitted = attempts.some((attempt) => attempt.id === id);
    try {
      const result = await work(isAdmitted);
      await this.#withdraw(counter, id);
      await this.#known.add(login.identity, login.source);
      return result;
    } catch (error) {
      if (!isDomainError(error, 'LoginRequired')) await this.#withdraw(counter, id);
      else if (isAdmitted && attempts.length >= this.rules.threshold)
        await this.#change(counter, (state) => this.#lock(state));
      throw error;
    }
  }

  /** As `clear`, for a new password: from now on only the source that set it is known. */
  async renew({ identity, source }: AttemptedLogin): Promise<void> {
    await this.clear(identity);
    if (this.rules.threshold > 0) await this.#known.add(identity, source);
  }

  /** Ends the locks of an identity and forgets its failed logins and known sources. */
  async clear(identity: string): Promise<void> {
    for (const known of await this.#known.of(identity))
      await this.#attempts.remove({ id: ownCounter(identity, known) });
    await this.#known.forget(identity);
    await this.#attempts.remove({ id: identity });
  }

  /** Where the failed logins are counted: known sources have counters of their own. */
  async #counterOf({ identity, source }: AttemptedLogin): Promise<string> {
    const own = sourceId(source);
    return (await this.#known.of(identity)).includes(own) ? ownCounter(identity, own) : identity;
  }

  #begin(state: Attempts, id: string): Attempts {
    const { windowSeconds, threshold } = this.rules;
    const now = this.parts.clock.now();
    if ((state.lockedUntil ?? 0) > now) return state;
    const recent = state.attempts.filter(({ at }) => at > now - windowSeconds * 1000);
    return recent.length < threshold ? { attempts: [...recent, { id, at: now }] } : state;
  }

  #lock(state: Attempts): Attempts {
    const isReached = state.lockedUntil === undefined && state.attempts.length >= this.rules.threshold;
    return isReached ? { attempts: [], lockedUntil: this.parts.clock.now() + this.rules.lockSeconds * 1000 } : state;
  }

  async #withdraw(counter: string, id: string): Promise<void> {
    const change = (state: Attempts): Attempts => {
      const others = state.attempts.filter((attempt) => attempt.id !== id);
      return others.length === state.attempts.length ? state : { ...state, attempts: others };
    };
    await update({ collection: this.#attempts, key: { id: counter }, change });
  }

  /** Changes the state of a counter, which may have none. */
  #change(counter: string, change: (state: Attempts) => Attempts): Promise<Attempts> {
    const { windowSeconds, lockSeconds } = this.rules;
    const until = this.parts.clock.now() + Math.max(windowSeconds, lockSeconds) * 1000;
    return upsert({
      collection: this.#attempts,
      key: { id: counter },
      change: (state = NONE) => change(state),
      expiresAt: () => until,
    });
  }
}

/** No identity has a blank. */
const ownCounter = (identity: string, known: string): string => `${identity} ${known}`;
