/** Seals text at rest (AES-256-GCM) and hides it (HMAC-SHA-256), both under the master key. */
export interface Secrets {
  /** `context` is bound to the result: opening under another context fails. */
  seal(plain: string, context: string): string;
  /** @throws Error when the text was sealed under another key or context, or was altered. */
  open(sealed: string, context: string): string;
  /** A digest of the text that only this master key gives, another one in each context. */
  digest(text: string, context: string): string;
}

/** A memory-hard password hash with its parameters stored in the text. */
export interface Passwords {
  /** @throws DomainError `Overloaded` when too many hashes are asked for at once */
  hash(attempt: PasswordAttempt): Promise<string>;
  /** Takes as long for an absent hash as for a wrong password. @throws DomainError `Overloaded` */
  matches(attempt: PasswordAttempt, hash: string | undefined): Promise<boolean>;
}

/** A password as a caller sent it. */
export interface PasswordAttempt {
  password: string;
  /** Where it comes from; the sources share the hashing in turns. */
  source: string;
}
