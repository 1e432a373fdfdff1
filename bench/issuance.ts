import { floor } from './crypto-floor.ts';
import { compared, interleave, type Line, repeat } from './harness.ts';
import { manyParties, type Party, signBare } from './holders.ts';
import { libraryIssuance } from './issuance-library.ts';
import { DATA, ISSUER, makeIssuer, offerRequest, PRE_AUTHORIZED, TYPES } from './issuer.ts';

/** Offer made, shown, redeemed; proof signed by a holder never seen before, and the credential issued. */
function ours(nextHolder: () => Party): () => Promise<string> {
  const { offers, tokens, issuance } = makeIssuer();
  const request = offerRequest();
  return async () => {
    const link = await offers.create([request], { isBatch: false });
    const offerUri = new URL(link.replace(/^[^?]*\?/, 'https://wallet.example/?')).searchParams.get(
      'credential_offer_uri',
    );
    const offer = await offers.get(new URL(offerUri ?? '').searchParams.get('id') ?? '');
    const code = offer.grants[PRE_AUTHORIZED]['pre-authorized_code'];
    const token = await tokens.redeem({ grant_type: PRE_AUTHORIZED, 'pre-authorized_code': code });
    const jwt = prove(nextHolder(), ISSUER, token.c_nonce);
    const answer = await issuance.issue(token.access_token, {
      format: 'jwt_vc_json',
      credential_definition: { type: TYPES },
      proof: { proof_type: 'jwt', jwt },
    });
    return answer.credential;
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
