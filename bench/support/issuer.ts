import { issuerServices } from '../../composition/issuer.ts';
import { makeParty } from './parties.ts';
import { memoryPlatform } from './platform.ts';

export const ISSUER = 'https://issuer.example/draft13';
export const TYPES = ['VerifiableCredential', 'UniversityDegree'];
export const DATA = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: TYPES,
  credentialSubject: { degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
};
const MAPPING = {
  id: '<uuid>',
  issuer: '<issuerDid>',
  credentialSubject: { id: '<subjectDid>' },
  issuanceDate: '<timestamp>',
  expirationDate: '<timestamp-in:365d>',
};

/** The issuer services as in production but for the log; their store is in memory, sealed. */
export const makeIssuer = async () =>
  issuerServices(
    await memoryPlatform({
      publicUrl: new URL(ISSUER).origin,
      issuerMetadata: {
        supportedCredentialTypes: { UniversityDegree: TYPES },
        issuerDisplay: [],
        issuers: [],
        statusLists: {},
        keyAttesters: [],
        batchSize: 20,
      },
    }),
  );

/** Returns the request of an offer of one small credential, of a new issuer. */
export function offerRequest() {
  const { did, privateJwk } = makeParty();
  return {
    issuerKey: { type: 'jwk', jwk: privateJwk },
    issuerDid: did,
    credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
    credentialData: DATA,
    mapping: MAPPING,
  };
}
