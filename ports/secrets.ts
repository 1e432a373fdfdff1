import type { Body } from './store.ts';
import type { Turn } from './turn.ts';

/**
 * Encrypts text at rest (AES-256-GCM) and replaces it by keyed digests (HMAC-SHA-256). The keys are a ring of master keys:
 * the current one encrypts, all of them decrypt.
 */
export interface Secrets {
  /** The ids of the keys of the ring, the current one first; they say nothing about the keys. */
  readonly keyIds: readonly string[];
  /** Seals under the current key. `context` is bound to the result: unsealing under another context fails. */
  seal(plain: string, context: string): Uint8Array;
  /**
   * Takes base64url too, with a point after the key id as versions before 0.10.0 wrote it.
   * @throws Error when it was sealed under a key outside the ring or another context, or was altered.
   */
  unseal(sealed: Body, context: string): string;
  /** Whether `seal` would write the same form under the same key. */
  isCurrent(sealed: Body): boolean;
  /** The key of the digests of a store that was first sealed under this key of the ring, as base64url. */
  digestKeyOf(keyId: string): string;
  /** A digest of the text, keyed by `key` and different for each context. */
  digest(text: string, context: string, key: string): string;
}

/** A memory-hard password hash with its parameters stored in the text. */
export interface Passwords {
  /** @throws DomainError `Overloaded` when too many hashes are requested at once */
  hash(attempt: PasswordAttempt): Promise<string>;
  /** Takes as long for an absent hash as for a wrong password. @throws DomainError `Overloaded` */
  matches(attempt: PasswordAttempt, hash: string | undefined): Promise<boolean>;
}

/** A password sent by a caller. */
export interface PasswordAttempt extends Turn {
  password: string;
}
