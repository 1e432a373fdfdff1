import { degree, type Issuer, makeHolder, makeOffer, onboard, proofOf, redeem } from '../../support/issuance.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** What a wallet has once it has redeemed an offer. */
export interface Redeemed {
  /** The session's id. */
  id: string;
  token: string;
  nonce: string;
}

/** A server with one issuer, and a holder who redeems its offers. */
export interface Issuing {
  server: TestServer;
  issuer: Issuer;
  holder: ReturnType<typeof makeHolder>;
  /** Makes an offer of a degree and redeems it; `changes` are laid over the request. */
  access(changes?: Record<string, unknown>, headers?: Record<string, string>): Promise<Redeemed>;
  /** The holder's proof of possession. */
  proof(nonce: string): ReturnType<typeof proofOf>;
}

export async function startIssuing(): Promise<Issuing> {
  const server = await startServer();
  const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  const holder = makeHolder();
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
