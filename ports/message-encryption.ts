/** How a message is encrypted, as its receiver says. */
export interface RecipientRequest {
  /** The receiver's public key with its `alg`; untrusted. */
  jwk: Record<string, unknown>;
  /** The algorithm of the content (RFC 7518 §5.1). */
  enc: string;
  /** Whether the content is compressed first (`zip` DEF). */
  compresses: boolean;
  /** The `cty` of the message, for a token in it (RFC 7519 §5.2). */
  contentType?: 'JWT';
  /** Inputs of the key agreement that the header states (RFC 7518 §4.6.1). */
  apu?: Uint8Array;
  apv?: Uint8Array;
}

/** Encrypts for one receiver, as a compact JWE. */
export type Recipient = (plaintext: Uint8Array) => Promise<string>;

/** A message that was decrypted. */
interface DecryptedMessage {
  plaintext: Uint8Array;
  /** The protected header (RFC 7516 §4), which the encryption authenticates. */
  header: Readonly<Record<string, unknown>>;
}

/** Messages encrypted with ECDH-ES (RFC 7518 §4.6): JWE in compact form (RFC 7516 §7.1). */
export interface MessageEncryption {
  /**
   * Decrypts a message with the private JWK that `keyOf` has for its `kid`, undefined when it has none, and inflates it to at most `maxBytes`.
   * @throws DomainError `BadRequest` when there is no such key, or the message is anything but one to this key
   */
  decrypt(
    message: string,
    options: { keyOf(kid: string | undefined): Promise<Record<string, unknown> | undefined>; maxBytes: number },
  ): Promise<DecryptedMessage>;
  /** Prepares the encryption for a receiver. @throws DomainError `BadRequest` when its key or an algorithm cannot be used */
  recipient(request: RecipientRequest): Promise<Recipient>;
}
