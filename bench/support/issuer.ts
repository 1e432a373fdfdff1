import { type IssuerArea, issuerServices } from '../../composition/services/issuer.ts';
import { OPENID4VCI } from '../../domain/credentials/openid4vci.ts';
import type { OfferRequest } from '../../domain/issuer/offers/offers.ts';
import { createOffer, createTokenResponse } from '../../domain/issuer/openid4vci/draft13.ts';
import { parseTokenRequest } from '../../domain/issuer/openid4vci/token-requests.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { certify, pemOf } from './certificates.ts';
import { makeParty, type Party } from './parties.ts';
import { benchPlatform } from './platform.ts';

export const ISSUER = 'https://issuer.example/draft13';
export const TYPES = ['VerifiableCredential', 'UniversityDegree'];
export const VCT = `${ISSUER}/UniversityDegree`;
export const MDL = { namespace: 'org.iso.18013.5.1', docType: 'org.iso.18013.5.1.mDL' };

/** The data of each format's credential. */
export const DATA = {
  jwt_vc_json: {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: TYPES,
    credentialSubject: { degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
  },
  'vc+sd-jwt': {
    given_name: 'Ada',
    family_name: 'Lovelace',
    degree: { type: 'BachelorDegree', name: 'Bachelor of Science' },
  },
  mso_mdoc: {
    family_name: 'Lovelace',
    given_name: 'Ada',
    document_number: '123456789',
    issuing_country: 'UT',
    issuing_authority: 'Utopia',
    un_distinguishing_sign: 'UT',
    resident_city: 'London',
    nationality: 'GB',
    age_in_years: 36,
    age_over_18: true,
  },
};

/** A format that credentials are issued in. */
export type Issued = keyof typeof DATA;

/** The claims of the SD-JWT VC that can be withheld. */
export const WITHHOLDABLE = ['given_name', 'family_name', 'degree'] as const;

const MAPPING = {
  id: '<uuid>',
  issuer: '<issuerDid>',
  credentialSubject: { id: '<subjectDid>' },
  issuanceDate: '<timestamp>',
  expirationDate: '<timestamp-in:365d>',
};

const WITHHELD = { fields: Object.fromEntries(WITHHOLDABLE.map((name) => [name, { sd: true }])) };

/** The platform and the issuer services as in production but for the log, on a store as of `benchPlatform`. */
export async function makeIssuer(database?: (clock: Clock) => Store) {
  const settings = {
    publicUrl: new URL(ISSUER).origin,
    issuerMetadata: {
      supportedCredentialTypes: { UniversityDegree: TYPES, Licence: MDL.docType },
      issuerDisplay: [],
      issuers: [],
      statusLists: {},
      securityProfile: 'OPEN' as const,
      clientAttesters: [],
      keyAttesters: [],
      batchSize: 20,
      issuerInfo: [],
    },
  };
  const platform = await benchPlatform(settings, database);
  return { platform, ...issuerServices(platform) };
}

/** Returns the request of an offer of one small JWT VC, of a new issuer. */
export function offerRequest() {
  const { did, privateJwk } = makeParty();
  return {
    issuerKey: { type: 'jwk', jwk: privateJwk },
    issuerDid: did,
    credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
    credentialData: DATA.jwt_vc_json,
    mapping: MAPPING,
  };
}

/** Creates an offer, reads it as a wallet does and redeems its code; returns the token response. */
export async function redeemOffer(
  { issuers: { draft13: issuer }, offers, tokenEndpoint }: Pick<IssuerArea, 'issuers' | 'offers' | 'tokenEndpoint'>,
  request: OfferRequest,
) {
  const offer = await offers.get(issuer, (await offers.create(issuer, request)).id, createOffer);
  const code = offer.grants[OPENID4VCI.PRE_AUTHORIZED]?.['pre-authorized_code'] ?? '';
  const parsed = parseTokenRequest({ grant_type: OPENID4VCI.PRE_AUTHORIZED, 'pre-authorized_code': code });
  if (parsed.kind !== 'pre-authorized') throw new Error('The code is not pre-authorized');
  return createTokenResponse(await tokenEndpoint.redeem(issuer, parsed.request));
}

/** The certificates of a document signer, leaf first, and of its authority. */
export async function documentSigner({ publicJwk }: Party) {
  const authority = await certify({ name: 'CN=Utopia IACA,C=UT' });
  return [
    await certify({ name: 'CN=Utopia Signer,C=UT', issuer: authority, ca: false, publicJwk }),
    authority,
  ] as const;
}

/** How each format is offered by a new issuer, and what wallets ask for it by (draft 13 Appendix A). */
export const ISSUED: Record<Issued, { offer(): Promise<OfferRequest['content']>; asked: Record<string, unknown> }> = {
  jwt_vc_json: {
    offer: async () => offerRequest(),
    asked: { format: 'jwt_vc_json', credential_definition: { type: TYPES } },
  },
  'vc+sd-jwt': {
    offer: async () => ({
      ...offerRequest(),
      credentialConfigurationId: 'UniversityDegree_vc+sd-jwt',
      credentialData: DATA['vc+sd-jwt'],
      mapping: {},
      selectiveDisclosure: WITHHELD,
    }),
    asked: { format: 'vc+sd-jwt', vct: VCT },
  },
  mso_mdoc: {
    offer: async () => {
      const signer = makeParty();
      return {
        issuerKey: { type: 'jwk', jwk: signer.privateJwk },
        credentialConfigurationId: 'Licence_mso_mdoc',
        mdocData: { [MDL.namespace]: DATA.mso_mdoc },
        x5Chain: (await documentSigner(signer)).map(pemOf),
      };
    },
    asked: { format: 'mso_mdoc', doctype: MDL.docType },
  },
};
