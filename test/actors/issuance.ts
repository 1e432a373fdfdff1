import { GRANT, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer, type OfferCall, offerLink, onboard } from '../../demo/actors/issuer.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { proofOf, redeem } from './wallet.ts';

/** The id and the pre-authorized code of an offer. */
export interface MadeOffer {
  id: string;
  code: string;
}

export const offerId = (url: string): string =>
  new URL(new URL(url).searchParams.get('credential_offer_uri') ?? '').searchParams.get('id') ?? '';

export async function makeOffer(server: TestServer, json: unknown, how?: OfferCall): Promise<MadeOffer> {
  const id = offerId(await offerLink(server, json, how));
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
