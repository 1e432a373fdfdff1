import type * as Library from '@owf/mdoc';
import { base64url, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { badRequest } from '../../../domain/foundation/errors.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../../domain/jose/key-types.ts';
import { MDOC_ALGORITHMS, mdocNumbers } from '../../../domain/keys/cose-algorithms.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { type CborBounds, checkCbor } from './cbor-bounds.ts';

/** Labels of COSE headers (RFC 9052 §3.1, RFC 9360 §2). */
export const COSE_HEADER = { ALG: 1, CRIT: 2, CONTENT_TYPE: 3, KEY_ID: 4, X5CHAIN: 33 } as const;

/** The number of a JOSE algorithm; undefined for one that no mdoc is signed with. */
export const coseAlgorithm = (alg: string): number | undefined => mdocNumbers(alg)[0];

const joseAlgorithm = (label: unknown): string | undefined =>
  MDOC_ALGORITHMS.find((alg) => mdocNumbers(alg).some((number) => number === label));

/** The tags of a CWT (RFC 8392 §6) and of a COSE_Sign1 (RFC 9052 §2), which a message may have or not. */
const TAGS: readonly (readonly number[])[] = [[0xd8, 61], [0xd2]];

/** Returns the COSE_Sign1 of a message without its tags. */
export const untaggedSign1 = (message: Uint8Array): Uint8Array =>
  TAGS.reduce(
    (bytes, tag) => (tag.every((byte, index) => bytes[index] === byte) ? bytes.subarray(tag.length) : bytes),
    message,
  );

/** A parsed COSE_Sign1 (RFC 9052 §4.2); its signature is unverified. */
export interface CoseSign1 {
  /** The JOSE name of the algorithm. */
  alg: string;
  protectedHeader: Map<unknown, unknown>;
  unprotectedHeader: Map<unknown, unknown>;
  payload: Uint8Array;
  /** The Sig_structure (RFC 9052 §4.4) over the bytes as received. */
  signingInput: Uint8Array;
  signature: Uint8Array;
}

/** A parsed COSE_Sign1 whose payload is sent elsewhere or not at all (RFC 9052 §4.1); its signature is unverified. */
export interface DetachedSign1 extends Pick<CoseSign1, 'alg' | 'protectedHeader' | 'unprotectedHeader' | 'signature'> {
  /** The Sig_structure over a payload. */
  signingInput(payload: Uint8Array): Uint8Array;
}

/**
 * Parses a COSE_Sign1 with its payload inside. The protected header and the payload are within the bounds afterwards.
 * @throws DomainError `BadRequest`
 */
export function parseSign1(value: unknown, library: typeof Library, bounds?: CborBounds): CoseSign1 {
  const [header, unprotectedHeader, payload, signature] = partsOf(value);
  if (![header, payload, signature].every(isFilled) || !(unprotectedHeader instanceof Map))
    throw badRequest('it has no COSE_Sign1 with a protected header, a payload and a signature');
  checkCbor(payload, bounds);
  const read = readHeader(header, library, bounds);
  return { ...read, unprotectedHeader, payload, signingInput: signingInput(header, payload, library), signature };
}

/** Parses a COSE_Sign1 with a detached payload. @throws DomainError `BadRequest` */
export function parseDetachedSign1(value: unknown, library: typeof Library): DetachedSign1 {
  const [header, unprotectedHeader, payload, signature] = partsOf(value);
  if (![header, signature].every(isFilled) || payload !== null || !(unprotectedHeader instanceof Map))
    throw badRequest('it has no COSE_Sign1 with a protected header, a detached payload and a signature');
  const read = readHeader(header, library);
  return { ...read, unprotectedHeader, signature, signingInput: (detached) => signingInput(header, detached, library) };
}

/** The Sig_structure (RFC 9052 §4.4) of a payload under an encoded protected header. */
export const signingInput = (
  header: Uint8Array,
  payload: Uint8Array,
  { cborEncode }: Pick<typeof Library, 'cborEncode'>,
): Uint8Array => cborEncode(['Signature1', header, new Uint8Array(), payload]);

const partsOf = (value: unknown) => (Array.isArray(value) && value.length === 4 ? value : []);

function readHeader(
  header: Uint8Array,
  { cborDecode }: typeof Library,
  bounds?: CborBounds,
): Pick<CoseSign1, 'alg' | 'protectedHeader'> {
  checkCbor(header, bounds);
  const protectedHeader: unknown = cborDecode(header);
  if (!(protectedHeader instanceof Map)) throw badRequest('its protected header is not a map');
  if (protectedHeader.has(COSE_HEADER.CRIT)) throw badRequest('the header crit is not supported');
  const alg = joseAlgorithm(protectedHeader.get(COSE_HEADER.ALG));
  if (alg === undefined) throw badRequest(`its alg must be one of ${MDOC_ALGORITHMS.join(', ')}`);
  return { alg, protectedHeader };
}

const isFilled = (part: unknown): boolean => part instanceof Uint8Array && part.length > 0;

/** The public key of a holder as a COSE_Key (RFC 9053 §7). @throws DomainError `BadRequest` for a key that no mdoc is bound to */
export function deviceKeyOf(jwk: PublicJwk, { Curve, DeviceKey, KeyType }: typeof Library): Library.DeviceKey {
  const { kty, crv = '', x, y } = readPublicJwk(jwk);
  const keyType = kty === 'EC' ? KeyType.Ec : KeyType.Okp;
  if (kty === 'RSA' || !isCurve(crv, Curve))
    throw badRequest(`An mdoc cannot be bound to a key with ${crv || kty}, only to P-256, P-384, P-521 or Ed25519`);
  return DeviceKey.create({ keyType, curve: Curve[crv], x: bytesOf(x), ...(y !== undefined && { y: bytesOf(y) }) });
}

const isCurve = (name: string, curves: typeof Library.Curve): name is keyof typeof Library.Curve =>
  Object.hasOwn(curves, name) && Number.isNaN(Number(name));

const bytesOf = (member = ''): Uint8Array => fromBase64url(member) ?? new Uint8Array();

/** The operation of keys that signatures are verified with (RFC 9052 §7.1). */
const VERIFY: readonly unknown[] = [2, 'verify'];

/**
 * The JWK of a COSE_Key that signatures are verified with. @throws DomainError `BadRequest` when it is no key of a supported
 * type, holds a private key, or is for another purpose or algorithm (RFC 9052 §7.1)
 */
export function jwkOfKey(key: Library.CoseKey, library: Pick<typeof Library, 'Curve' | 'KeyType'>): PublicJwk {
  const jwk = publicJwkOf(key, library);
  const { d, keyOps = VERIFY, algorithm } = key;
  if (d) throw badRequest('its COSE_Key must not hold a private key');
  if (!keyOps.some((operation) => VERIFY.includes(operation))) throw badRequest('its COSE_Key is not for verifying');
  if (algorithm !== undefined && !mdocNumbers(KEY_TYPES[keyTypeOf(jwk)].alg).includes(algorithm))
    throw badRequest('its COSE_Key is for another algorithm');
  return jwk;
}

function publicJwkOf(
  { keyType, curve, x, y }: Library.CoseKey,
  { Curve, KeyType }: Pick<typeof Library, 'Curve' | 'KeyType'>,
) {
  return readPublicJwk({
    kty: keyType === KeyType.Ec ? 'EC' : keyType === KeyType.Okp ? 'OKP' : undefined,
    crv: curve === undefined ? undefined : Curve[curve],
    x: x && base64url(x),
    y: y && base64url(y),
  });
}
