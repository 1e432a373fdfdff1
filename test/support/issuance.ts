import { createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { didJwk } from '../../domain/dids/did-methods.ts';
import { readPublicJwk } from '../../domain/jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../domain/keys/key-types.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { keyPair } from './keys.ts';
import type { Answer, TestServer } from './server.ts';

export const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

type Json = Record<string, unknown>;

/** What onboarding answers with. */
export interface Issuer {
  issuerKey: { type: string; jwk: Json };
  issuerDid: string;
}

export async function onboard(server: TestServer, json: Json = {}): Promise<Issuer> {
  return (await server.call('onboardIssuer', { json })).body;
}

/** A university degree as existing portals ask for it. */
export const degree = ({ issuerKey, issuerDid }: Issuer, changes: Json = {}): Json => ({
  issuerKey,
  issuerDid,
  credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
  credentialData: {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', 'UniversityDegree'],
    credentialSubject: { degree: { name: 'BSc' } },
  },
  mapping: {
    id: '<uuid>',
    issuer: { id: '<issuerDid>' },
    credentialSubject: { id: '<subjectDid>' },
    issuanceDate: '<timestamp>',
    expirationDate: '<timestamp-in:365d>',
  },
  ...changes,
});

/** The offer behind an offer URL; fetching it is what a wallet does first. */
export interface MadeOffer {
  id: string;
  code: string;
}

export const offerId = (url: string): string =>
  new URL(new URL(url).searchParams.get('credential_offer_uri') ?? '').searchParams.get('id') ?? '';

export async function makeOffer(
  server: TestServer,
  json: unknown,
  { headers, operationId = 'issueJwtCredential' }: { headers?: Record<string, string>; operationId?: string } = {},
): Promise<MadeOffer> {
  const answer = await server.call(operationId, { json, headers });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const id = offerId(answer.body);
  const { body } = await server.call('getCredentialOffer', { query: { id } });
  return { id, code: body.grants[GRANT]['pre-authorized_code'] };
}

export const redeem = (server: TestServer, code: string): Promise<Answer> =>
  server.call('requestAccessToken', { form: { grant_type: GRANT, 'pre-authorized_code': code } });

/** A wallet's key. */
export interface TestHolder {
  privateKey: KeyObject;
  jwk: PublicJwk;
  did: string;
}

export function makeHolder(): TestHolder {
  const { privateKey, publicKey } = keyPair({ namedCurve: 'P-256' });
  const jwk = readPublicJwk(publicKey.export({ format: 'jwk' }));
  return { privateKey, jwk, did: didJwk(jwk) };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A proof JWT; `header` and `claims` replace single members, undefined removes one. */
export function proofOf(
  server: TestServer,
  holder: TestHolder,
  { nonce, header = {}, claims = {} }: { nonce?: string; header?: Json; claims?: Json },
): { proof_type: string; jwt: string } {
  const head = { typ: 'openid4vci-proof+jwt', alg: 'ES256', kid: `${holder.did}#0`, ...header };
  const payload = { aud: `${server.url}/draft13`, iat: Math.floor(server.clock.now() / 1000), nonce, ...claims };
  const input = `${encode(head)}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(input), { key: holder.privateKey, dsaEncoding: 'ieee-p1363' });
  return { proof_type: 'jwt', jwt: `${input}.${signature.toString('base64url')}` };
}

/** A credential request for the degree. */
export const credentialRequest = (proof: unknown, types = ['VerifiableCredential', 'UniversityDegree']): Json => ({
  format: 'jwt_vc_json',
  credential_definition: { type: types },
  proof,
});

export const claim = (server: TestServer, token: string, json: unknown): Promise<Answer> =>
  server.call('requestCredential', { token, json });

/** Redeems an offer and claims its credential. */
export async function accept(
  server: TestServer,
  { code }: MadeOffer,
  holder = makeHolder(),
  types?: string[],
): Promise<Answer> {
  const { body } = await redeem(server, code);
  const proof = proofOf(server, holder, { nonce: body.c_nonce });
  return claim(server, body.access_token, credentialRequest(proof, types));
}

export interface OpenJwt {
  header: Json;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any claim
  claims: any;
  verifies(jwk: Json): boolean;
}

/** Takes a JWT apart and checks it with node's own cryptography. */
export function openJwt(jwt: string): OpenJwt {
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

/** What a callback was told. */
export interface CallbackEvent {
  path: string;
  id: string;
  type: string;
  data: Json;
}

/** Somebody else's server: records what it is sent, answers as told, can be away. */
export interface TestCallback {
  url: string;
  events: CallbackEvent[];
  answer: { status: number; body: string };
  /** Requests of any kind so far. */
  requests: number;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startCallback(): Promise<TestCallback> {
  const answer = { status: 200, body: '' };
  const events: CallbackEvent[] = [];
  let server: Server = createServer();
  const callback: TestCallback = {
    url: '',
    events,
    answer,
    requests: 0,
    goAway: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    comeBack: () => listen(Number(new URL(callback.url).port)),
  };
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        callback.requests += 1;
        const text = Buffer.concat(chunks).toString();
        if (request.method === 'POST') events.push({ path: request.url ?? '', ...JSON.parse(text) });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      }).listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  callback.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return callback;
}
