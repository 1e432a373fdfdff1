import { compiled } from './compiled.ts';
import { makeParty } from './holders.ts';
import { makeFoundation } from './services.ts';

const { issuerServices } = await compiled<typeof import('../composition/issuer.ts')>('composition/issuer');
const { ServerKeys } = await compiled<typeof import('../domain/keys/server-keys.ts')>('domain/keys/server-keys');

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

/** The issuer services as in production but for the network and the log: store in memory, sealed. */
export function makeIssuer() {
  const base = makeFoundation();
  const issuerMetadata = { supportedCredentialTypes: { UniversityDegree: TYPES }, issuerDisplay: [], issuers: [] };
  const settings = { publicUrl: 'https://issuer.example', issuerMetadata };
  const serverKeys = new ServerKeys(base.store, base.keys, base.clock);
  const background = { every: () => {} };
  return issuerServices({ ...base, settings, serverKeys, background } as unknown as Parameters<
    typeof issuerServices
  >[0]);
}

/** What an offer of one small credential is made of, with a key and a DID of its own. */
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
