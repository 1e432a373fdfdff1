import { createCredentialResponse, parseCredentialRequest } from '../../domain/issuer/openid4vci/draft13.ts';
import { bareCrypto } from '../baselines/bare-crypto.ts';
import { LIBRARY_CREDENTIALS } from '../baselines/credential-libraries.ts';
import { libraryIssuance } from '../baselines/issuance-library.ts';
import { compared, type Goal, interleave, type Line, repeat } from '../support/harness.ts';
import { documentSigner, ISSUED, ISSUER, type Issued, makeIssuer, redeemOffer } from '../support/issuer.ts';
import { makeParty, manyParties, type Party, signBare } from '../support/parties.ts';

/** The code of all sides is compiled after some 2,000 operations. */
const WARM_UP = 20;

/** Offer created, shown, redeemed; proof signed by a holder never seen before, and the credential issued. */
async function ours(format: Issued, nextHolder: () => Party): Promise<() => Promise<string>> {
  const area = await makeIssuer();
  const { offer: make, asked } = ISSUED[format];
  const request = { content: await make() };
  return async () => {
    const token = await redeemOffer(area, request);
    const proof = { proof_type: 'jwt', jwt: prove(nextHolder(), ISSUER, token.c_nonce ?? '') };
    const accessToken = { scheme: 'Bearer', token: token.access_token } as const;
    const access = await area.credentialEndpoint.access(area.issuers.draft13, accessToken);
    const issued = await area.credentialEndpoint.issue(access, parseCredentialRequest({ ...asked, proof }));
    return createCredentialResponse(issued).credential ?? '';
  };
}

/** The proof of possession a wallet sends. */
function prove({ kid, privateKey }: Party, aud: string, nonce: string): string {
  const payload = { aud, nonce, iat: Math.floor(Date.now() / 1000) };
  return signBare({ typ: 'openid4vci-proof+jwt', kid }, payload, privateKey);
}

/** The same with the libraries of a format. */
async function byLibraries(format: Issued, nextHolder: () => Party): Promise<() => Promise<string>> {
  const own = makeParty();
  const certificates = (await documentSigner(own)).map(({ der }) => der);
  const makeCredential = LIBRARY_CREDENTIALS[format](own, certificates);
  return libraryIssuance({ nextHolder, prove, issuer: ISSUER, asked: ISSUED[format].asked, makeCredential });
}

/** A format with the name of its libraries and the goals beside the bare cryptography and the libraries. */
interface Compared {
  format: Issued;
  libraries: string;
  floor?: Goal;
  goal?: Goal;
}

/** Whole pre-authorized issuance with ES256, in process. */
async function whole({ format, libraries, floor, goal }: Compared): Promise<Line[]> {
  const nextHolder = manyParties();
  const rates = await interleave(
    {
      mine: repeat(await ours(format, nextHolder)),
      bare: repeat(bareCrypto({ signs: 3, verifies: 2, imports: 1 })),
      library: repeat(await byLibraries(format, nextHolder)),
    },
    { warmUp: WARM_UP },
  );
  const work = `whole issuance, ES256 ${format}, in process`;
  return [
    compared({ work, named: 'bare 3 sign + 2 verify + 1 import', goal: floor }, rates.mine, rates.bare),
    compared({ work: '', named: libraries, goal }, rates.mine, rates.library),
  ];
}

export const issuance = (): Promise<Line[]> =>
  whole({
    format: 'jwt_vc_json',
    libraries: '@openid4vc libraries',
    floor: { atLeast: 0.35 },
    goal: { atLeast: 1 },
  });

export const issuanceSdJwt = (): Promise<Line[]> =>
  whole({
    format: 'vc+sd-jwt',
    libraries: '@openid4vc and @sd-jwt libraries',
    floor: { atLeast: 0.35 },
    goal: { atLeast: 1 },
  });

export const issuanceMdoc = (): Promise<Line[]> =>
  whole({ format: 'mso_mdoc', libraries: '@openid4vc libraries and @owf/mdoc' });
