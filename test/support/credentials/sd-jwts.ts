import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import fc from 'fast-check';
import { importJWK, type JWK, jwtVerify } from 'jose';
import { didKey, publicKeyOfDid } from '../../../domain/dids/did-methods.ts';
import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import type { CredentialContent, DisclosureFrame, KeySources } from '../../../ports/credential-formats.ts';
import type { PublicJwk, Signer } from '../../../ports/key-service.ts';
import { localKeys } from '../keys/local-keys.ts';

const { backends } = localKeys();

/** A fresh local key. */
export const newSigner = async (keyType: Signer['keyType'] = 'Ed25519'): Promise<Signer> =>
  backends.signer(await backends.create('jwk', { keyType }));

/** Key sources without a network: did:key only. */
export const offline: KeySources = {
  dids: { key: async (didUrl) => publicKeyOfDid(didUrl.split('#')[0] ?? '') },
  issuers: { keys: async () => [] },
};

/** A content to issue, of an issuer with a did:key. */
export const contentOf = (signer: Signer, changes: Partial<CredentialContent> = {}): CredentialContent => {
  const issuer = didKey(signer.publicJwk);
  return {
    type: 'https://types.example.org/id',
    document: { given_name: 'Ada' },
    issuer,
    holder: {},
    claims: {},
    issuedAt: 1_700_000_000_000,
    kid: `${issuer}#${issuer.slice('did:key:'.length)}`,
    ...changes,
  };
};

const sha256 = (text: string | ArrayBuffer): Uint8Array =>
  createHash('sha256')
    .update(typeof text === 'string' ? text : new Uint8Array(text))
    .digest();

/** Returns the claims of an SD-JWT VC as an independent library reads and verifies it, with jose or node:crypto. */
export async function judged(text: string, jwk: PublicJwk): Promise<JsonObject> {
  const library = new SDJwtVcInstance({
    hasher: (data) => sha256(data),
    hashAlg: 'sha-256',
    verifier: async (data, signature) => isSigned(`${data}.${signature}`, jwk),
  });
  const { payload } = await library.verify(text, { currentDate: 1_700_000_001 });
  return payload as unknown as JsonObject;
}

/** Whether a key signed a token, by jose or node:crypto. */
export async function isSigned(token: string, jwk: PublicJwk): Promise<boolean> {
  if (jwk.crv === 'secp256k1') {
    const [head, body, tail = ''] = token.split('.');
    const key = createPublicKey({ key: jwk as never, format: 'jwk' });
    const signature = Buffer.from(tail, 'base64url');
    return verify('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }, signature);
  }
  const { alg } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  await jwtVerify(token, await importJWK(jwk as JWK, alg), { currentDate: new Date(1_700_000_001_000) });
  return true;
}

/** A disclosure and its digest. */
export function disclosure(...parts: unknown[]): { text: string; digest: string } {
  const text = Buffer.from(JSON.stringify([randomBytes(16).toString('base64url'), ...parts])).toString('base64url');
  return { text, digest: createHash('sha256').update(text).digest('base64url') };
}

/** Signs a payload as an SD-JWT with these disclosures. */
export async function signSdJwt(
  signer: Signer,
  payload: JsonObject,
  { disclosures = [], header = {} }: { disclosures?: string[]; header?: JsonObject } = {},
): Promise<string> {
  const issuer = didKey(signer.publicJwk);
  const typed = { typ: 'dc+sd-jwt', kid: `${issuer}#${issuer.slice('did:key:'.length)}`, ...header };
  const claims = { iss: issuer, vct: 'urn:example:id', ...payload };
  return [await signJws(typed, claims, signer), ...disclosures, ''].join('~');
}

/** The disclosures of an SD-JWT, decoded. */
export const disclosuresOf = (text: string): unknown[][] =>
  text
    .split('~')
    .slice(1, -1)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

/** The payload of the issuer-signed JWT. */
export const packedPayload = (text: string): JsonObject =>
  JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString());

const names = fc
  .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
  .filter((name) => !(name in {}) && !name.startsWith('_sd') && name !== '...');

const { values } = fc.letrec<{ values: unknown }>((tie) => ({
  values: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('values'), { maxLength: 4 }),
    fc.dictionary(names, tie('values'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Documents whose members may be withheld. */
export const documents = fc.dictionary(names, values, {
  minKeys: 1,
  maxKeys: 6,
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

/** A document with a frame that fits it. */
export const framedDocuments = documents.chain((document) =>
  frameFor(document, 0).map((frame) => ({ document, frame })),
);

function frameFor(value: object, depth: number): fc.Arbitrary<DisclosureFrame> {
  const field = (child: unknown): fc.Arbitrary<DisclosureFrame['fields'][string]> => {
    const sd = fc.boolean();
    if (typeof child !== 'object' || child === null || depth > 4) return sd.map((value) => ({ sd: value }));
    return fc.record({ sd, children: frameFor(child, depth + 1) }, { requiredKeys: ['sd'] });
  };
  const fields = fc.record(Object.fromEntries(Object.entries(value).map(([name, child]) => [name, field(child)])), {
    requiredKeys: [],
  });
  const decoyMode = fc.constantFrom('NONE' as const, 'FIXED' as const, 'RANDOM' as const);
  return fc.record({ fields, decoyMode, decoys: fc.integer({ min: 0, max: 3 }) }).map(withOwnPrototype);
}

/** Frames as JSON, as requests have them. */
const withOwnPrototype = (frame: object): DisclosureFrame => JSON.parse(JSON.stringify(frame));

/** The number of digests and placeholders in a packed value. */
export function countDigests(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countDigests(item), 0);
  if (!isObject(value)) return 0;
  if (typeof value['...'] === 'string') return 1;
  const own = Array.isArray(value._sd) ? value._sd.length : 0;
  return (
    own + Object.entries(value).reduce((sum, [name, item]) => (name === '_sd' ? sum : sum + countDigests(item)), 0)
  );
}
