import type { JsonWebKey } from 'node:crypto';
import type * as Library from '@hpke/core';
import { DomainError } from '../../domain/foundation/errors.ts';

/** An uncompressed point of P-256 (RFC 9180 §7.1). */
const ENC_BYTES = 65;

/** What `open` decrypts: the encapsulated key, an uncompressed point; the text; what both sides know. */
type SealedMessage = Record<'enc' | 'ciphertext' | 'info', Uint8Array>;

/** HPKE (RFC 9180) with the cryptography of node, by @hpke/core, which is imported at first use. */
export const hpke = {
  /** Decrypts with a private JWK. @throws DomainError `BadRequest` when the message is not one to this key with this info */
  async open({ enc, ciphertext, info }: SealedMessage, { kty, crv, x, y, d }: JsonWebKey): Promise<Uint8Array> {
    if (enc.length !== ENC_BYTES) throw refused();
    const library = await import('@hpke/core');
    const { kem, suite } = suiteOf(library);
    // A key of ours: what fails here is not the fault of the sender.
    const recipientKey = await kem.importKey('jwk', { kty, crv, x, y, d }, false);
    try {
      return new Uint8Array(await suite.open({ recipientKey, enc, info }, ciphertext));
    } catch (cause) {
      throw cause instanceof library.HpkeError ? refused(cause) : cause;
    }
  },
};

const refused = (cause?: unknown): DomainError =>
  new DomainError('BadRequest', 'The message is not one that this server can decrypt', { cause });

function suiteOf({ Aes128Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 }: typeof Library) {
  const kem = new DhkemP256HkdfSha256();
  return { kem, suite: new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes128Gcm() }) };
}
