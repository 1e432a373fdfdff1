/** Encrypts text at rest (AES-256-GCM) and replaces it by keyed digests (HMAC-SHA-256), both under the master key. */
export interface Secrets {
  /** `context` is bound to the result: unsealing under another context fails. */
  seal(plain: string, context: string): string;
  /** @throws Error when the text was sealed under another key or context, or was altered. */
  unseal(sealed: string, context: string): string;
  /** A digest of the text, keyed by the master key and different for each context. */
  digest(text: string, context: string): string;
}

/** A memory-hard password hash with its parameters stored in the text. */
export interface Passwords {
  /** @throws DomainError `Overloaded` when too many hashes are requested at once */
  hash(attempt: PasswordAttempt): Promise<string>;
  /** Takes as long for an absent hash as for a wrong password. @throws DomainError `Overloaded` */
  matches(attempt: PasswordAttempt, hash: string | undefined): Promise<boolean>;
}

/** A password sent by a caller. */
export interface PasswordAttempt {
  password: string;
  /** The source of the request; sources are served in turn. */
  source: string;
}
