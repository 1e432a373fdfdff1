import { base64url, type CryptoKey, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { encodeJson, forge } from '../../demo/actors/jws.ts';

/** A third party with a key and a DID; jose signs for it. */
export interface Party {
  did: string;
  kid: string;
  sign(payload: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
}

/** A party with a did:jwk. */
export async function jwkParty(alg = 'ES256'): Promise<Party> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { crv: alg === 'EdDSA' ? 'Ed25519' : undefined });
  const did = `did:jwk:${encodeJson(await exportJWK(publicKey))}`;
  return partyOf({ did, kid: `${did}#0`, alg, key: privateKey });
}

/** A party with a did:key of an Ed25519 key. */
export async function keyParty(): Promise<Party> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const { x = '' } = await exportJWK(publicKey);
  const identifier = `z${base58(Buffer.concat([Buffer.from([0xed, 0x01]), Buffer.from(x, 'base64url')]))}`;
  const did = `did:key:${identifier}`;
  return partyOf({ did, kid: `${did}#${identifier}`, alg: 'EdDSA', key: privateKey });
}

function partyOf({ did, kid, alg, key }: { did: string; kid: string; alg: string; key: CryptoKey }): Party {
  return {
    did,
    kid,
    sign: (payload, header = {}) =>
      new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT', ...header }).sign(key),
  };
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = `${ALPHABET[Number(number % 58n)]}${text}`;
  return text;
}

/** The content of a credential besides its parties. */
export interface CredentialContent {
  type?: string;
  subject?: Record<string, unknown>;
  /** More members of the `vc` claim. */
  vc?: Record<string, unknown>;
  /** More registered claims. */
  claims?: Record<string, unknown>;
}

/** A W3C JWT credential (data model 1.1). */
export function issueCredential(issuer: Party, holder: Party, content: CredentialContent = {}): Promise<string> {
  const { type = 'UniversityDegreeCredential', subject = {}, vc = {}, claims = {} } = content;
  return issuer.sign({
    iss: issuer.did,
    sub: holder.did,
    vc: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', type],
      issuer: issuer.did,
      credentialSubject: { id: holder.did, degree: { type: 'BachelorDegree' }, ...subject },
      ...vc,
    },
    ...claims,
  });
}

/** The token with changed claims and its old signature. */
export const tamper = (token: string, change: (payload: Record<string, unknown>) => void): string =>
  forge(token, (claims) => {
    change(claims);
    return claims;
  });

/** The key that a did:jwk encodes, decoded without code of this project. */
export const keyOfDid = (did: string) =>
  importJWK(
    JSON.parse(new TextDecoder().decode(base64url.decode(did.split('#')[0]?.slice('did:jwk:'.length) ?? ''))),
    'ES256',
  );
