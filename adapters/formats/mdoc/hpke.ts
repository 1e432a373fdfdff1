/** A message that was encrypted for one receiver. */
interface SealedMessage {
  /** The encapsulated key: an uncompressed point. */
  enc: Uint8Array;
  ciphertext: Uint8Array;
  /** What both sides know, and the key depends on. */
  info: Uint8Array;
}

/**
 * Hybrid public key encryption (RFC 9180) in base mode, one message for each key, with DHKEM(P-256, HKDF-SHA256),
 * HKDF-SHA256, AES-128-GCM and no additional data.
 */
export interface Hpke {
  /** Decrypts with the private JWK of the receiver. @throws DomainError `BadRequest` when the message is not one to this key with this info */
  open(message: SealedMessage, key: Readonly<Record<string, unknown>>): Promise<Uint8Array>;
}
