import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import { base64url, equalInConstantTime, fingerprint } from '../foundation/bytes.ts';
import { ignoring } from '../foundation/errors.ts';
import { upsert } from '../foundation/records.ts';

/** A token with which the password of an account can be set once. */
export interface PasswordReset {
  token: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const RESET_BYTES = 32;
const RESET_MS = 60 * 60 * 1000;

/** `<account>.<secret>`. */
const TOKEN = /^([^.]{1,64})\.[A-Za-z0-9_-]{43}$/;

/** The password-reset tokens of accounts, stored as digests. An account has one: a new one takes the place of the one before. */
export class PasswordResets {
  readonly #resets: Collection<{ digest: string }>;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ store, clock, random }: { store: Store; clock: Clock; random: Random }) {
    this.#resets = store.collection({ name: 'password-resets', sealed: false, afterRestore: 'void' });
    this.#clock = clock;
    this.#random = random;
  }

  async create(accountId: string): Promise<PasswordReset> {
    const token = `${accountId}.${base64url(this.#random.bytes(RESET_BYTES))}`;
    const expiresAt = this.#clock.now() + RESET_MS;
    const value = { digest: fingerprint(token) };
    await upsert({ collection: this.#resets, key: { id: accountId }, change: () => value, expiresAt: () => expiresAt });
    return { token, expiresAt };
  }

  /** The account of a token that is good. */
  async accountOf(token: string): Promise<string | undefined> {
    return (await this.#find(token))?.id;
  }

  /** Ends a token; returns whether it was good: of two at once exactly one is. */
  async take(token: string): Promise<boolean> {
    const found = await this.#find(token);
    if (!found) return false;
    const ended = this.#resets.replace({ ...found, expiresAt: 0 }, found.revision);
    return (await ended.catch(ignoring('Conflict'))) !== undefined;
  }

  /** Ends the token of an account, if it has one. */
  async end(accountId: string): Promise<void> {
    await this.#resets.remove({ id: accountId });
  }

  async #find(token: string) {
    const [, accountId] = TOKEN.exec(token) ?? [];
    const found = accountId === undefined ? undefined : await this.#resets.get({ id: accountId });
    return found && equalInConstantTime(found.value.digest, fingerprint(token)) ? found : undefined;
  }
}
