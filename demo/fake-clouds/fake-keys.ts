import {
  constants,
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  privateEncrypt,
  randomBytes,
  sign,
} from 'node:crypto';
import { promisify } from 'node:util';
import { coordinateBytes, KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { KeyType } from '../../ports/key-service.ts';

const generate = promisify(generateKeyPair);

/** Exporting a generated key as JWK can deadlock Node 20; exporting an imported one cannot. */
const reimported = (key: KeyObject): KeyObject =>
  createPrivateKey({ key: key.export({ format: 'der', type: 'pkcs8' }), format: 'der', type: 'pkcs8' });

/** The order of each curve's base point (SEC 2, FIPS 186-5). */
const ORDERS: Partial<Record<KeyType, bigint>> = {
  secp256k1: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  secp256r1: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  secp384r1: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  secp521r1:
    0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
};

/** The DER of a DigestInfo before the digest itself (RFC 8017 §9.2 note 1), by the length of the digest in bytes. */
const DIGEST_INFO: Readonly<Record<number, string>> = {
  32: '3031300d060960864801650304020105000420',
  48: '3041300d060960864801650304020205000430',
  64: '3051300d060960864801650304020305000440',
};

/** The large RSA keys of this process by their type. */
const LARGE_KEYS = new Map<KeyType, Promise<KeyObject>>();

async function generateKey(keyType: KeyType): Promise<KeyObject> {
  const { kty, bits, opensslCurve: namedCurve = '' } = KEY_TYPES[keyType];
  if (kty === 'OKP') return reimported((await generate('ed25519')).privateKey);
  const { privateKey } =
    kty === 'RSA' ? await generate('rsa', { modulusLength: bits }) : await generate('ec', { namedCurve });
  return reimported(privateKey);
}

/** A key of a fake key management service: real, and able to sign a digest, as such a service does. */
export class FakeKey {
  readonly keyType: KeyType;
  readonly #key: KeyObject;

  private constructor(keyType: KeyType, key: KeyObject) {
    this.keyType = keyType;
    this.#key = key;
  }

  /** Creates a key; the RSA keys of one size over 2048 bits are one key in each process, since they take seconds. */
  static async create(keyType: KeyType): Promise<FakeKey> {
    const known = LARGE_KEYS.get(keyType) ?? generateKey(keyType);
    if (KEY_TYPES[keyType].bits > 2048) LARGE_KEYS.set(keyType, known);
    return new FakeKey(keyType, await known);
  }

  /** The public key as DER of a SubjectPublicKeyInfo. */
  get spki(): Buffer {
    return createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
  }

  get pem(): string {
    return createPublicKey(this.#key).export({ format: 'pem', type: 'spki' }).toString();
  }

  get jwk(): JsonWebKey {
    return createPublicKey(this.#key).export({ format: 'jwk' });
  }

  /** Signs a digest: ECDSA as r‖s, RSA as RSASSA-PKCS1-v1_5; Ed25519 signs the data itself. */
  sign(digest: Uint8Array): Buffer {
    const { kty } = KEY_TYPES[this.keyType];
    if (kty === 'OKP') return sign(null, digest, this.#key);
    return kty === 'RSA' ? this.#signRsa(digest) : this.#signEcdsa(digest);
  }

  #signRsa(digest: Uint8Array): Buffer {
    const info = Buffer.from(DIGEST_INFO[digest.length] ?? '', 'hex');
    return privateEncrypt({ key: this.#key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([info, digest]));
  }

  /** FIPS 186-5 §6.4.1; the point k·G is the public key of k. */
  #signEcdsa(digest: Uint8Array): Buffer {
    const facts = KEY_TYPES[this.keyType];
    const bytes = coordinateBytes(facts);
    const order = ORDERS[this.keyType] ?? 1n;
    const d = toInteger(Buffer.from(this.#key.export({ format: 'jwk' }).d ?? '', 'base64url'));
    const z = toInteger(digest.subarray(0, bytes));
    for (;;) {
      const k = toInteger(randomBytes(bytes + 8)) % order;
      const ecdh = createECDH(facts.opensslCurve ?? '');
      if (k === 0n) continue;
      ecdh.setPrivateKey(toBytes(k, bytes));
      const r = toInteger(ecdh.getPublicKey().subarray(1, 1 + bytes)) % order;
      const s = (inverse(k, order) * (z + r * d)) % order;
      if (r !== 0n && s !== 0n) return Buffer.concat([toBytes(r, bytes), toBytes(s, bytes)]);
    }
  }
}

const toInteger = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);

const toBytes = (value: bigint, bytes: number): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex');

/** The inverse modulo a prime, by the extended Euclidean algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a % b, y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

/** An ECDSA signature as DER (RFC 3279 §2.2.3), from r‖s. */
export function toDer(signature: Uint8Array): Buffer {
  const half = signature.length / 2;
  const body = Buffer.concat([integer(signature.subarray(0, half)), integer(signature.subarray(half))]);
  const length = body.length < 128 ? [body.length] : [0x81, body.length];
  return Buffer.concat([Buffer.from([0x30, ...length]), body]);
}

function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const value = Buffer.from(bytes.subarray(start));
  const padded = (value[0] ?? 0) >= 128 ? Buffer.concat([Buffer.from([0]), value]) : value;
  return Buffer.concat([Buffer.from([0x02, padded.length]), padded]);
}
