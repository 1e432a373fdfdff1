import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { GRANT, type HolderKey, makeHolderKey, proofJwt } from '../../demo/actors/holder-key.ts';
import { readPublicJwk } from '../../domain/jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../domain/jose/key-types.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import type { MadeOffer } from './issuance.ts';
import type { Party } from './party.ts';

type Json = Record<string, unknown>;

/** A proof JWT; `header` and `claims` replace single members, undefined removes one. */
export function proofOf(
  server: TestServer,
  holder: HolderKey,
  { nonce, header = {}, claims = {} }: { nonce?: string; header?: Json; claims?: Json },
): { proof_type: string; jwt: string } {
  const payload = { aud: `${server.url}/draft13`, iat: Math.floor(server.clock.now() / 1000), nonce, ...claims };
  return { proof_type: 'jwt', jwt: proofJwt(holder, { header, payload }) };
}

export const redeem = (server: TestServer, code: string): Promise<Answer> =>
  server.call('requestAccessToken', { form: { grant_type: GRANT, 'pre-authorized_code': code } });

/** A credential request for the degree. */
export const credentialRequest = (proof: unknown, types = ['VerifiableCredential', 'UniversityDegree']): Json => ({
  format: 'jwt_vc_json',
  credential_definition: { type: types },
  proof,
});

export const requestCredential = (server: TestServer, token: string, json: unknown): Promise<Answer> =>
  server.call('requestCredential', { token, json });

/** Redeems an offer and requests its credential. */
export async function accept(
  server: TestServer,
  { code }: MadeOffer,
  holder = makeHolderKey(),
  types?: string[],
): Promise<Answer> {
  const { body } = await redeem(server, code);
  const proof = proofOf(server, holder, { nonce: body.c_nonce });
  return requestCredential(server, body.access_token, credentialRequest(proof, types));
}

export interface DecodedJwt {
  header: Json;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any claim
  claims: any;
  verifies(jwk: Json): boolean;
}

/** Decodes a JWT; its signature is verified with node:crypto. */
export function decodeJwt(jwt: string): DecodedJwt {
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return {
    header: decode(head),
    claims: decode(body),
    verifies: (jwk) => {
      const publicJwk = readPublicJwk(jwk);
      const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' });
      const { digest } = KEY_TYPES[keyTypeOf(publicJwk)];
      const data = Buffer.from(`${head}.${body}`);
      return verify(digest, data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    },
  };
}

/** A request URL as a wallet reads it. */
export interface WalletRequest {
  url: string;
  params: URLSearchParams;
  state: string;
  nonce: string;
  clientId: string;
}

export function readRequest(url: string): WalletRequest {
  const params = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const get = (name: string): string => params.get(name) ?? '';
  return { url, params, state: get('state'), nonce: get('nonce'), clientId: get('client_id') };
}

/** A request as its request object has it (RFC 9101): its parameters count, and those of the link do not. */
export function requestOfObject(url: string, jwt: string): WalletRequest {
  const { claims } = decodeJwt(jwt);
  const texts = Object.entries(claims).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const params = new URLSearchParams(texts);
  return { ...readRequest(`?${params}`), url };
}

/** The key that a request has responses encrypted to. */
export const responseKeyOf = ({ params }: WalletRequest) =>
  JSON.parse(params.get('client_metadata') ?? '{}').jwks?.keys[0];

/** A JWT presentation of credentials, bound to a request unless `claims` says otherwise. */
export function makePresentation(
  holder: Party,
  { nonce, clientId }: Pick<WalletRequest, 'nonce' | 'clientId'>,
  { credentials, claims = {} }: { credentials: unknown[]; claims?: Record<string, unknown> },
): Promise<string> {
  const vp = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiablePresentation'],
    holder: holder.did,
    verifiableCredential: credentials,
  };
  return holder.sign({ iss: holder.did, sub: holder.did, nonce, aud: clientId, vp, ...claims });
}

/** A submission with the position of the credential of each descriptor id. */
export const submissionFor = (definitionId: string, places: Record<string, number | string>): string =>
  JSON.stringify({
    id: 'submission',
    definition_id: definitionId,
    descriptor_map: Object.entries(places).map(([id, place]) => ({
      id,
      format: 'jwt_vp_json',
      path: '$',
      path_nested: {
        id,
        format: 'jwt_vc_json',
        path: typeof place === 'string' ? place : `$.vp.verifiableCredential[${place}]`,
      },
    })),
  });
