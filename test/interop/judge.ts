import { createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, type JWK, jwtVerify } from 'jose';

/** Claims of a token with a valid signature. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into any claim
export type Claims = Record<string, any>;

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Multicodec prefixes of did:key (as varints, in hexadecimal) with OpenSSL's and JOSE's names of their curves. */
const CURVES: Record<string, { openssl: string; crv: string }> = {
  e701: { openssl: 'secp256k1', crv: 'secp256k1' },
  '8024': { openssl: 'prime256v1', crv: 'P-256' },
  '8124': { openssl: 'secp384r1', crv: 'P-384' },
  '8224': { openssl: 'secp521r1', crv: 'P-521' },
};

/** The key that a did:key or did:jwk encodes, decoded with node:crypto. */
export function keyOfDid(didUrl: string): KeyObject {
  const [did = ''] = didUrl.split('#');
  if (did.startsWith('did:jwk:')) return keyOfJwk(JSON.parse(Buffer.from(did.slice(8), 'base64url').toString()));
  if (!did.startsWith('did:key:z')) throw new Error(`${did} is not a DID of a supported method`);
  const bytes = fromBase58(did.slice(9));
  const [codec, raw] = [bytes.subarray(0, 2).toString('hex'), bytes.subarray(2)];
  if (codec === 'ed01') return keyOfJwk({ kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') });
  if (codec === '8524') return createPublicKey({ key: raw, format: 'der', type: 'pkcs1' });
  const curve = CURVES[codec];
  if (!curve) throw new Error(`${did} has a key of an unsupported type ${codec}`);
  const point = Buffer.from(ECDH.convertKey(raw, curve.openssl, undefined, undefined, 'uncompressed') as Buffer);
  const half = 1 + (point.length - 1) / 2;
  const [x, y] = [point.subarray(1, half), point.subarray(half)].map((part) => part.toString('base64url'));
  return keyOfJwk({ kty: 'EC', crv: curve.crv, x, y });
}

export const keyOfJwk = (jwk: JWK): KeyObject => createPublicKey({ key: { ...jwk }, format: 'jwk' });

/** Base58 (Bitcoin alphabet). */
function fromBase58(text: string): Buffer {
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(ALPHABET.indexOf(letter));
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
}

export function toBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = `${ALPHABET[Number(number % 58n)]}${text}`;
  return text;
}

/** The claims of a token, verified by jose; ES256K, which jose does not support, by node:crypto. */
export async function verified(jwt: string, key: KeyObject): Promise<Claims> {
  const { alg } = decodeProtectedHeader(jwt);
  if (alg !== 'ES256K') return (await jwtVerify(jwt, key)).payload;
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const data = Buffer.from(`${head}.${body}`);
  const good = verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!good) throw new Error('The signature is not valid');
  return decodeJwt(jwt);
}

/** The claims of a token, verified with the key of a JWK Set that has the thumbprint of the signer's key. */
export async function verifiedByJwks(jwt: string, { keys }: { keys: JWK[] }, signer: KeyObject): Promise<Claims> {
  const kid = await calculateJwkThumbprint(signer.export({ format: 'jwk' }) as JWK);
  const jwk = keys.find((known) => known.kid === kid);
  if (!jwk) throw new Error(`The set has no key ${kid}`);
  if (jwk.alg !== decodeProtectedHeader(jwt).alg) throw new Error('The key is for another algorithm');
  return verified(jwt, keyOfJwk(jwk));
}
