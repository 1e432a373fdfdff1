import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { invalidField } from '../../../domain/foundation/errors.ts';

/** The sizes of a caller's key in bits: OCI accepts none below; one above would hold up the event loop when it signs. */
const MIN_BITS = 2048;
const MAX_BITS = 4096;

const BLOCK = /-----BEGIN ([A-Z ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

const FORMATS: Readonly<Record<string, 'pkcs1' | 'pkcs8'>> = { 'PRIVATE KEY': 'pkcs8', 'RSA PRIVATE KEY': 'pkcs1' };

/**
 * Reads the private key that signs a caller's requests. Line breaks may be missing, indented or written as \n.
 * @throws DomainError `BadRequest` without a path
 */
export function readSigningKey(pem: string): KeyObject {
  const text = pem.replaceAll(/\\[nr]/g, '\n');
  if (text.includes('ENCRYPTED')) throw invalidField([], 'must not be encrypted');
  const [block, another] = text.matchAll(BLOCK);
  const [, label = '', body = ''] = block ?? [];
  const type = FORMATS[label];
  if (!type || another) throw invalidField([], 'must be one RSA private key in PEM form');
  const key = parse(Buffer.from(body, 'base64'), type);
  const bits = key?.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  if (!key || bits === 0) throw invalidField([], 'must be one RSA private key in PEM form');
  if (bits < MIN_BITS || bits > MAX_BITS)
    throw invalidField([], `must be an RSA key of ${MIN_BITS} to ${MAX_BITS} bits, not ${bits}`);
  return key;
}

/** A parser's error may quote the key, so it is dropped. */
function parse(key: Buffer, type: 'pkcs1' | 'pkcs8'): KeyObject | undefined {
  try {
    return createPrivateKey({ key, format: 'der', type });
  } catch {
    return undefined;
  }
}

/** The fingerprint of a key at OCI: the MD5 digest of its public key as DER, as pairs with colons between them. */
export function fingerprintOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const digest = createHash('md5').update(der).digest('hex');
  return (digest.match(/../g) ?? []).join(':');
}
