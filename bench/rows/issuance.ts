import { OPENID4VCI } from '../../domain/credentials/openid4vci.ts';
import {
  createCredentialResponse,
  createTokenResponse,
  parseCredentialRequest,
} from '../../domain/issuer/openid4vci/draft13.ts';
import { parseTokenRequest } from '../../domain/issuer/openid4vci/token-requests.ts';
import { bareCrypto } from '../baselines/bare-crypto.ts';
import { libraryIssuance } from '../baselines/issuance-library.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { DATA, ISSUER, makeIssuer, offerRequest, TYPES } from '../support/issuer.ts';
import { manyParties, type Party, signBare } from '../support/parties.ts';

/** Offer created, shown, redeemed; proof signed by a holder never seen before, and the credential issued. */
async function ours(nextHolder: () => Party): Promise<() => Promise<string>> {
  const { issuer, offers, tokenEndpoint, credentialEndpoint } = await makeIssuer();
  const request = { content: offerRequest() };
  return async () => {
    const offer = await offers.get(issuer, (await offers.create(issuer, request)).id);
    const code = offer.grants[OPENID4VCI.PRE_AUTHORIZED]?.['pre-authorized_code'] ?? '';
    const tokenRequest = { grant_type: OPENID4VCI.PRE_AUTHORIZED, 'pre-authorized_code': code };
    const parsed = parseTokenRequest(tokenRequest);
    if (parsed.kind !== 'pre-authorized') throw new Error('The code is not pre-authorized');
    const token = createTokenResponse(await tokenEndpoint.redeem(issuer, parsed.request));
    const jwt = prove(nextHolder(), ISSUER, token.c_nonce ?? '');
    const credentialRequest = {
      format: 'jwt_vc_json',
      credential_definition: { type: TYPES },
      proof: { proof_type: 'jwt', jwt },
    };
    const asked = { accessToken: token.access_token, ...parseCredentialRequest(credentialRequest) };
    return createCredentialResponse(await credentialEndpoint.issue(issuer, asked)).credential ?? '';
  };
}

/** The proof of possession a wallet sends. */
function prove({ kid, privateKey }: Party, aud: string, nonce: string): string {
  const payload = { aud, nonce, iat: Math.floor(Date.now() / 1000) };
  return signBare({ typ: 'openid4vci-proof+jwt', kid }, payload, privateKey);
}

/** Whole pre-authorized issuance of a JWT VC with ES256, in process. */
export async function issuance(): Promise<Line[]> {
  const nextHolder = manyParties();
  const { mine, bare, library } = await interleave({
    mine: repeat(await ours(nextHolder)),
    bare: repeat(bareCrypto({ signs: 3, verifies: 2, imports: 1 })),
    library: repeat(libraryIssuance({ nextHolder, prove, issuer: ISSUER, types: TYPES, data: DATA })),
  });
  const work = 'whole issuance, ES256 JWT VC, in process';
  return [
    compared({ work, named: 'bare 3 sign + 2 verify + 1 import', goal: { atLeast: 0.55 } }, mine, bare),
    compared({ work: '', named: '@openid4vc libraries', goal: { atLeast: 1.8 } }, mine, library),
  ];
}
