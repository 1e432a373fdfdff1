import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import type { AuthorizationRequest } from './authorization-requests.ts';
import type { RequestReference } from './pushed-requests.ts';
import { newSecret, secretId } from './secrets.ts';

/** How long a login may take, in seconds. */
export const LOGIN_SECONDS = 600;

/** A login that a user was sent away for. */
export interface PendingLogin<Asked> {
  /** The authorization request that it is for. */
  request: AuthorizationRequest;
  /** Where that request was pushed to. */
  reference?: RequestReference;
  /** What the user is asked for. */
  asked: Asked;
  /** A random value that the answer must depend on. */
  nonce: string;
}

/** Logins that are under way, each by the `state` that its answer names: it ends with the first answer. */
export class PendingLogins<Asked> {
  readonly #logins: Collection<PendingLogin<Asked>>;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ store, clock, random }: { store: Store; clock: Clock; random: Random }) {
    this.#logins = store.collection({ name: 'pending-logins', afterRestore: 'void' });
    this.#clock = clock;
    this.#random = random;
  }

  /** Stores a login; returns its state and nonce. */
  async start(issuerId: string, login: Omit<PendingLogin<Asked>, 'nonce'>): Promise<{ state: string; nonce: string }> {
    const [state, nonce] = [newSecret(this.#random), newSecret(this.#random)];
    const expiresAt = this.#clock.now() + LOGIN_SECONDS * 1000;
    await this.#logins.insert({ id: secretId(issuerId, state), value: { ...login, nonce }, expiresAt });
    return { state, nonce };
  }

  /** Ends a login and returns it: when two answers arrive at once, one gets it. A login of another issuer is not found. */
  async take(issuerId: string, state: string): Promise<PendingLogin<Asked> | undefined> {
    return (await this.#logins.take({ id: secretId(issuerId, state) }))?.value;
  }
}
