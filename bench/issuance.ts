import { compiled } from './compiled.ts';
import { floor } from './crypto-floor.ts';
import { compared, interleave, type Line, repeat } from './harness.ts';
import { manyParties, type Party, signBare } from './holders.ts';
import { libraryIssuance } from './issuance-library.ts';
import { DATA, ISSUER, makeIssuer, offerRequest, TYPES } from './issuer.ts';

const { OPENID4VCI } = await compiled<typeof import('../domain/credentials/openid4vci.ts')>(
  'domain/credentials/openid4vci',
);
const { createCredentialResponse, createTokenResponse, parseCredentialRequest, parseTokenRequest } = await compiled<
  typeof import('../domain/issuer/openid4vci/draft13.ts')
>('domain/issuer/openid4vci/draft13');

/** Offer created, shown, redeemed; proof signed by a holder never seen before, and the credential issued. */
function ours(nextHolder: () => Party): () => Promise<string> {
  const { issuer, offers, tokenEndpoint, credentialEndpoint } = makeIssuer();
  const request = { content: offerRequest() };
  return async () => {
    const offer = await offers.get(issuer, await offers.create(issuer, request));
    const code = offer.grants[OPENID4VCI.PRE_AUTHORIZED]['pre-authorized_code'];
    const tokenRequest = { grant_type: OPENID4VCI.PRE_AUTHORIZED, 'pre-authorized_code': code };
    const token = createTokenResponse(await tokenEndpoint.redeem(issuer, parseTokenRequest(tokenRequest)));
    const jwt = prove(nextHolder(), ISSUER, token.c_nonce);
    const credentialRequest = {
      format: 'jwt_vc_json',
      credential_definition: { type: TYPES },
      proof: { proof_type: 'jwt', jwt },
    };
    const asked = { accessToken: token.access_token, ...parseCredentialRequest(credentialRequest) };
    return createCredentialResponse(await credentialEndpoint.issue(issuer, asked)).credential;
  };
}

/** The proof of possession a wallet sends. */
function prove({ kid, privateKey }: Party, aud: string, nonce: string): string {
  const payload = { aud, nonce, iat: Math.floor(Date.now() / 1000) };
  return signBare({ typ: 'openid4vci-proof+jwt', kid }, payload, privateKey);
}

/** Whole pre-authorized issuance of a JWT VC with ES256, in process. */
export async function wholeIssuance(): Promise<Line[]> {
  const nextHolder = manyParties();
  const { mine, bare, library } = await interleave({
    mine: repeat(ours(nextHolder)),
    bare: repeat(floor({ signs: 3, verifies: 2, imports: 1 })),
    library: repeat(libraryIssuance({ nextHolder, prove, issuer: ISSUER, types: TYPES, data: DATA })),
  });
  const work = 'whole issuance, ES256 JWT VC, in process';
  return [
    compared({ work, named: 'bare 3 sign + 2 verify + 1 import', goal: { atLeast: 0.55 } }, mine, bare),
    compared({ work: '', named: '@openid4vc libraries', goal: { atLeast: 1.8 } }, mine, library),
  ];
}
