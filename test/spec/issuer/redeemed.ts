import { degree, type Issuer, makeOffer, redeem } from '../../support/issuance.ts';
import type { TestServer } from '../../support/server.ts';

/** What a wallet has once it has redeemed an offer. */
export interface Redeemed {
  /** The session's id. */
  id: string;
  token: string;
  nonce: string;
}

/** Makes an offer of a degree and redeems it; `changes` are laid over the request. */
export async function redeemed(
  { server, issuer }: { server: TestServer; issuer: Issuer },
  changes: Record<string, unknown> = {},
  headers?: Record<string, string>,
): Promise<Redeemed> {
  const { id, code } = await makeOffer(server, degree(issuer, changes), { headers });
  const { body } = await redeem(server, code);
  return { id, token: body.access_token, nonce: body.c_nonce };
}
