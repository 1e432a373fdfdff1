/** The domain's one door to node: encodings, digests, keyed digests, encryption and bounded decompression. */
import { isUtf8 } from 'node:buffer';
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  ECDH,
  hash,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { DomainError } from './errors.ts';

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** How many bytes a text has in UTF-8. */
export const utf8Length = (text: string): number => Buffer.byteLength(text, 'utf8');

/** The text of UTF-8 bytes. @throws DomainError `BadRequest` when they are not valid UTF-8 */
export function fromUtf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new DomainError('BadRequest', 'The text is not valid UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** The text of UTF-8 bytes; undefined for other bytes. */
export const utf8Text = (bytes: Uint8Array): string | undefined => (isUtf8(bytes) ? fromUtf8(bytes) : undefined);

/** Base64url without padding (RFC 7515 §2). */
export const base64url = (bytes: Uint8Array | string): string =>
  (typeof bytes === 'string'
    ? Buffer.from(bytes, 'utf8')
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  ).toString('base64url');

/** Decodes canonical base64url: right alphabet, no padding, no stray bits. Anything else gives undefined. */
export function fromBase64url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** Standard base64 with padding (RFC 4648 §4). */
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Decodes canonical standard base64 with padding; anything else gives undefined. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** base32 (RFC 4648 §6) without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** Lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Decodes hexadecimal of either case; anything else gives undefined. */
export const fromHex = (text: string): Uint8Array | undefined =>
  /^(?:[0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, 'hex') : undefined;

/** SHA-2 digest. */
export const digest = (algorithm: 'sha256' | 'sha384' | 'sha512', data: Uint8Array | string): Uint8Array =>
  hash(algorithm, data, 'buffer');

/** SHA-256 as base64url: the form in which one-time codes and tokens are stored. */
export const fingerprint = (text: string | Uint8Array): string => hash('sha256', text, 'base64url');

/** HMAC-SHA-256 (RFC 2104): only a holder of the key can make it. */
export const hmac = (key: Uint8Array, text: string): Uint8Array => createHmac('sha256', key).update(text).digest();

/** HMAC-SHA-1, of which RFC 6238 makes its codes. */
export const hmacSha1 = (key: Uint8Array, message: Uint8Array): Uint8Array =>
  createHmac('sha1', key).update(message).digest();

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: the nonce of 12 random bytes, which no other text of the key has, the ciphertext and the tag. `context` is bound to them. */
export function encrypt(
  key: Uint8Array | KeyObject,
  { text, context, nonce }: { text: string; context: string; nonce: Uint8Array },
) {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined for what was encrypted with another key or in another context, or was altered. */
export function decrypt(key: Uint8Array | KeyObject, sealed: Uint8Array, context: string): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

/** Whether two texts are equal; the time depends on their lengths, and not on where they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  const [a, b] = [utf8(left), utf8(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Decompresses gzip or zlib data of at most `maxBytes`. @throws DomainError `MalformedValue` */
export function decompress(kind: 'gzip' | 'zlib', data: Uint8Array, maxBytes: number): Uint8Array {
  try {
    const options = { maxOutputLength: maxBytes };
    return kind === 'gzip' ? gunzipSync(data, options) : inflateSync(data, options);
  } catch (cause) {
    throw new DomainError('MalformedValue', `The data is not ${kind} or larger than ${maxBytes} bytes`, { cause });
  }
}

/** Compresses data as gzip (RFC 1952) or zlib (RFC 1950), as small as it gets. */
export const compress = (kind: 'gzip' | 'zlib', data: Uint8Array): Uint8Array =>
  kind === 'gzip' ? gzipSync(data, { level: 9 }) : deflateSync(data, { level: 9 });

/** The compressed SEC 1 point of an EC public key's coordinates. */
export const compressPoint = (x: Uint8Array, y: Uint8Array): Uint8Array =>
  Uint8Array.from([(y.at(-1) ?? 0) % 2 === 0 ? 2 : 3, ...x]);

/** The coordinates of a compressed SEC 1 point on one of the curves; undefined when there is no such point. */
export function decompressPoint(curve: string, point: Uint8Array): { x: Uint8Array; y: Uint8Array } | undefined {
  try {
    const raw = ECDH.convertKey(point, curve, undefined, undefined, 'uncompressed') as Buffer;
    const size = (raw.length - 1) / 2;
    return { x: raw.subarray(1, 1 + size), y: raw.subarray(1 + size) };
  } catch {
    return undefined;
  }
}

/** The PKCS #1 DER (RFC 8017 appendix A.1.1) of an RSA public key. */
export const rsaToDer = (jwk: { n: string; e: string }): Uint8Array =>
  createPublicKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' }).export({ type: 'pkcs1', format: 'der' });

/** The modulus and exponent of a PKCS #1 DER public key; undefined when it is none. */
export function rsaFromDer(der: Uint8Array): { n: string; e: string } | undefined {
  try {
    const { n, e } = createPublicKey({ key: Buffer.from(der), type: 'pkcs1', format: 'der' }).export({ format: 'jwk' });
    return n && e ? { n, e } : undefined;
  } catch {
    return undefined;
  }
}
