import { DEGREE_MAPPING, degreeData } from '../../demo/actors/issuer.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { GRANT, makeHolderKey, proofOf, redeem } from './wallet.ts';

type Json = Record<string, unknown>;

/** The answer of onboarding. */
export interface Issuer {
  issuerKey: { type: string; jwk: Json };
  issuerDid: string;
}

export async function onboard(server: TestServer, json: Json = {}): Promise<Issuer> {
  return (await server.call('onboardIssuer', { json })).body;
}

/** An issuance request for a university degree, as existing portals send it. */
export const degree = ({ issuerKey, issuerDid }: Issuer, changes: Json = {}): Json => ({
  issuerKey,
  issuerDid,
  credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
  credentialData: degreeData({ degree: { name: 'BSc' } }),
  mapping: DEGREE_MAPPING,
  ...changes,
});

/** The id and the pre-authorized code of an offer. */
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

/** The result of redeeming an offer. */
export interface Redeemed {
  /** The session's id. */
  id: string;
  token: string;
  nonce: string;
}

/** A server with one issuer, and a holder who redeems its offers. */
export interface IssuanceFixture {
  server: TestServer;
  issuer: Issuer;
  holder: ReturnType<typeof makeHolderKey>;
  /** Makes an offer of a degree and redeems it; `changes` replaces members of the request. */
  access(changes?: Record<string, unknown>, headers?: Record<string, string>): Promise<Redeemed>;
  /** The holder's proof of possession. */
  proof(nonce: string): ReturnType<typeof proofOf>;
}

export async function startIssuance(): Promise<IssuanceFixture> {
  const server = await startServer();
  const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  const holder = makeHolderKey();
  return {
    server,
    issuer,
    holder,
    access: async (changes = {}, headers) => {
      const { id, code } = await makeOffer(server, degree(issuer, changes), { headers });
      const { body } = await redeem(server, code);
      return { id, token: body.access_token, nonce: body.c_nonce };
    },
    proof: (nonce) => proofOf(server, holder, { nonce }),
  };
}
