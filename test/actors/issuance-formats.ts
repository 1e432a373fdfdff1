import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import type { Issuer } from '../../demo/actors/issuer.ts';
import type { PublicJwk, Signer } from '../../ports/key-service.ts';
import { documentSignerChain, MDL } from '../support/credentials/mdoc-issuer.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import { type CertificateSpec, pemOf } from '../support/trust/certificates.ts';
import type { MadeOffer } from './issuance.ts';
import { proofOf, redeem, requestCredential } from './wallet.ts';

type Json = Record<string, unknown>;

/** The certificates of a document signer with this key and of its authority, as PEM. */
export const signerChain = (publicJwk: object, spec?: CertificateSpec): string[] =>
  documentSignerChain({ publicJwk: publicJwk as PublicJwk } as Signer, spec).map((der) =>
    pemOf(Buffer.from(der, 'base64')),
  );

/** An issuance request for an identity credential as SD-JWT VC, whose name and street can be withheld. */
export const identity = ({ issuerKey, issuerDid }: Issuer, changes: Json = {}): Json => ({
  issuerKey,
  issuerDid,
  credentialConfigurationId: 'IdentityCredential_vc+sd-jwt',
  credentialData: { given_name: 'Ada', country: 'GB', address: { street: 'St. James’s Square', city: 'London' } },
  selectiveDisclosure: {
    fields: { given_name: { sd: true }, address: { sd: false, children: { fields: { street: { sd: true } } } } },
  },
  ...changes,
});

/** An issuance request for a driving licence as mdoc. */
export const licence = ({ issuerKey }: Issuer, changes: Json = {}): Json => ({
  issuerKey,
  credentialConfigurationId: MDL.docType,
  mdocData: { [MDL.namespace]: { family_name: 'Lovelace', age_over_18: true } },
  ...('x5Chain' in changes ? {} : { x5Chain: signerChain(issuerKey.jwk) }),
  ...changes,
});

/** What a wallet asks for each by (draft 13 Appendix A). */
export const ASKED = {
  identity: (server: TestServer, format = 'vc+sd-jwt') => ({ format, vct: `${server.url}/draft13/IdentityCredential` }),
  licence: () => ({ format: 'mso_mdoc', doctype: MDL.docType }),
  degree: () => ({
    format: 'jwt_vc_json',
    credential_definition: { type: ['VerifiableCredential', 'UniversityDegree'] },
  }),
} as const;

/** Redeems an offer and requests one credential of it by the given members. */
export async function claim(
  server: TestServer,
  { code }: MadeOffer,
  asked: Json,
  holder = makeHolderKey(),
): Promise<Answer> {
  const { access_token: token, c_nonce: nonce } = (await redeem(server, code)).body;
  return requestCredential(server, token, { ...asked, proof: proofOf(server, holder, { nonce }) });
}
