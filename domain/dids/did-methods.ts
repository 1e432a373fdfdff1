import type { PublicJwk } from '../../ports/key-service.ts';
import {
  base64url,
  compressPoint,
  decompressPoint,
  fromBase64url,
  fromUtf8,
  rsaFromDer,
  rsaToDer,
  utf8,
} from '../foundation/bytes.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { readPublicJwk, thumbprint, withKid } from '../jose/jwk.ts';
import { KEY_TYPE_NAMES, KEY_TYPES, type KeyTypeFacts, keyTypeOf } from '../jose/key-types.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';
import { checkDidLength } from '../network/document-bounds.ts';
import { base58, fromBase58 } from './base58.ts';

/** Multicodec of a JCS-canonical JWK in did:key (the EBSI form). */
const JWK_JCS_PUB = 0xeb51;

/** did:jwk of a public key; the encoded JWK carries the thumbprint as `kid`. */
export const didJwk = (jwk: PublicJwk): string => `did:jwk:${base64url(JSON.stringify(withKid(jwk)))}`;

/** did:key of a public key; `jcs` encodes the canonical JWK instead of the raw key. */
export function didKey(jwk: PublicJwk, { jcs = false }: { jcs?: boolean } = {}): string {
  const [codec, bytes] = jcs
    ? [JWK_JCS_PUB, utf8(canonicalJwk(jwk))]
    : [KEY_TYPES[keyTypeOf(jwk)].multicodec, rawKey(jwk)];
  return `did:key:z${base58(Uint8Array.from([...varint(codec), ...bytes]))}`;
}

/** did:web of a domain (a port is allowed) and an optional path (did:web §3.1). */
export function didWeb(domain: string, path = ''): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return ['did:web', encodeURIComponent(domain), ...segments.map(encodeURIComponent)].join(':');
}

function canonicalJwk(jwk: PublicJwk): string {
  const { kid: _, ...members } = jwk;
  return JSON.stringify(Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function rawKey(jwk: PublicJwk): Uint8Array {
  if (jwk.kty === 'RSA') return rsaToDer({ n: jwk.n ?? '', e: jwk.e ?? '' });
  const x = fromBase64url(jwk.x ?? '') ?? new Uint8Array();
  return jwk.kty === 'OKP' ? x : compressPoint(x, fromBase64url(jwk.y ?? '') ?? new Uint8Array());
}

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);

/** A DID to be created; `config` is that of the DID method. */
interface DidRequest {
  method: string;
  jwk: PublicJwk;
  config?: Record<string, unknown>;
}

/** The table of DID methods that need no registrar; add a row to add one. */
const DID_METHODS: Record<string, (request: DidRequest) => string> = {
  jwk: ({ jwk }) => didJwk(jwk),
  key: ({ jwk, config }) => didKey(jwk, { jcs: config?.useJwkJcsPub === true || config?.useJwkJcsPub === 'true' }),
  web: ({ config }) => {
    const { domain, path } = config ?? {};
    if (!isText(domain) || !/^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/.test(domain))
      throw invalidField(['config', 'domain'], 'did:web needs a domain, with a port where there is one');
    if (path !== undefined && (typeof path !== 'string' || !/^[A-Za-z0-9._~/%-]{0,512}$/.test(path)))
      throw invalidField(['config', 'path'], 'must be a URL path');
    if (path?.split('/').some((segment) => segment === '.' || segment === '..'))
      throw invalidField(['config', 'path'], 'may not have the segments . and ..');
    return didWeb(domain, path ?? '');
  },
};

/** The names of these methods. */
export const DID_METHOD_NAMES: readonly string[] = Object.keys(DID_METHODS);

/** Whether a DID of this method can be created. */
export const knowsDidMethod = (method: string): boolean => Object.hasOwn(DID_METHODS, method);

/** Creates a DID for a key. @throws DomainError `BadRequest` naming `method` or the member of `config` */
export function createDid(request: DidRequest): string {
  const make = knowsDidMethod(request.method) ? DID_METHODS[request.method] : undefined;
  if (make === undefined) throw invalidField(['method'], `must be one of ${DID_METHOD_NAMES.join(', ')}`);
  return make(request);
}

/** The DID URL of the key of `did`, the `kid` of a JWS. */
export function verificationMethod(did: string, jwk: PublicJwk): string {
  if (did.startsWith('did:jwk:')) return `${did}#0`;
  return did.startsWith('did:key:') ? `${did}#${did.slice('did:key:'.length)}` : `${did}#${thumbprint(jwk)}`;
}

/** The JSON-LD contexts of DID documents. */
export const DID_CONTEXT = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'];

/** The DID document of a DID with one key (DID Core §5). */
export function didDocument(did: string, jwk: PublicJwk): Record<string, unknown> {
  const id = verificationMethod(did, jwk);
  return {
    '@context': DID_CONTEXT,
    id: did,
    verificationMethod: [{ id, type: 'JsonWebKey2020', controller: did, publicKeyJwk: withKid(jwk) }],
    assertionMethod: [id],
    authentication: [id],
    capabilityInvocation: [id],
    capabilityDelegation: [id],
  };
}

/** Whether a DID, or a DID URL, contains its key. */
export const containsKey = (did: string): boolean => /^did:(jwk|key):/.test(did);

/** Decodes the public key in a did:jwk or did:key. @throws DomainError `BadRequest` */
export function publicKeyOfDid(did: string): PublicJwk {
  checkDidLength(did);
  if (did.startsWith('did:jwk:')) {
    const bytes = fromBase64url(did.slice('did:jwk:'.length));
    if (bytes) return readVerificationKey(parseJson(fromUtf8(bytes)));
  }
  const bytes = did.startsWith('did:key:z') ? fromBase58(did.slice('did:key:z'.length)) : undefined;
  const key = bytes && keyFromMulticodec(bytes);
  if (!key) throw new DomainError('BadRequest', `The DID ${did.slice(0, 80)} holds no readable key`);
  return key;
}

function keyFromMulticodec(bytes: Uint8Array): PublicJwk | undefined {
  let codec = 0;
  let length = 0;
  for (let byte = 128; byte >= 128 && length < 3; length += 1) {
    byte = bytes[length] ?? 0;
    codec |= (byte & 127) << (7 * length);
  }
  const key = bytes.subarray(length);
  if (codec === JWK_JCS_PUB) return readVerificationKey(parseJson(fromUtf8(key)));
  const type = KEY_TYPE_NAMES.find((name) => KEY_TYPES[name].multicodec === codec);
  return type && readPublicJwk(jwkFromRaw(KEY_TYPES[type], key));
}

function jwkFromRaw({ kty, crv, opensslCurve = '' }: KeyTypeFacts, key: Uint8Array): Record<string, unknown> {
  if (kty === 'RSA') return { kty, ...rsaFromDer(key) };
  if (kty === 'OKP') return { kty, crv, x: base64url(key) };
  const point = decompressPoint(opensslCurve, key);
  return { kty, crv, x: point && base64url(point.x), y: point && base64url(point.y) };
}
