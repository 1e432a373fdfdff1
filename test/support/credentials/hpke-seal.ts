import { createCipheriv, createECDH, createHmac } from 'node:crypto';

const KEM = Buffer.from('4b454d0010', 'hex');
const HPKE = Buffer.from('48504b45001000010001', 'hex');
const NONE = Buffer.alloc(0);

const hmac = (key: Uint8Array, ...parts: Uint8Array[]): Buffer =>
  createHmac('sha256', key.length === 0 ? Buffer.alloc(32) : key)
    .update(Buffer.concat(parts))
    .digest();

const extract = (suite: Buffer, salt: Uint8Array, label: string, ikm: Uint8Array): Buffer =>
  hmac(salt, Buffer.from('HPKE-v1'), suite, Buffer.from(label), ikm);

function expand(suite: Buffer, secret: Uint8Array, { label, info, length }: Expansion): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(length);
  return hmac(secret, size, Buffer.from('HPKE-v1'), suite, Buffer.from(label), info, Buffer.of(1)).subarray(0, length);
}

interface Expansion {
  label: string;
  info: Uint8Array;
  length: number;
}

/** A receiver's public key as an uncompressed point, what both sides know, and the private scalar of the sender. */
export interface Sealing {
  receiver: Uint8Array;
  info: Uint8Array;
  /** Random when absent. */
  ephemeral?: Uint8Array;
  /** Additional data; empty when absent. */
  aad?: Uint8Array;
}

/** HPKE as RFC 9180 §5 and §6.1 write it, on node:crypto: base mode, suite 0x0010, 0x0001, 0x0001. */
export function seal(plaintext: Uint8Array, { receiver, info, ephemeral, aad = NONE }: Sealing) {
  const ecdh = createECDH('prime256v1');
  if (ephemeral) ecdh.setPrivateKey(ephemeral);
  else ecdh.generateKeys();
  const enc = ecdh.getPublicKey();
  const dh = ecdh.computeSecret(receiver);
  const context = Buffer.concat([enc, receiver]);
  const prk = extract(KEM, NONE, 'eae_prk', dh);
  const shared = expand(KEM, prk, { label: 'shared_secret', info: context, length: 32 });
  const schedule = Buffer.concat([
    Buffer.of(0),
    extract(HPKE, NONE, 'psk_id_hash', NONE),
    extract(HPKE, NONE, 'info_hash', info),
  ]);
  const secret = extract(HPKE, shared, 'secret', NONE);
  const key = expand(HPKE, secret, { label: 'key', info: schedule, length: 16 });
  const nonce = expand(HPKE, secret, { label: 'base_nonce', info: schedule, length: 12 });
  const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(aad);
  return { enc, ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]) };
}
