import { compiled } from './compiled.ts';
import { makeParty } from './holders.ts';
import { makeFoundation } from './services.ts';

const { readConfigurations } =
  await compiled<typeof import('../domain/issuer/configurations.ts')>('domain/issuer/configurations');
const { CredentialBuilder } = await compiled<typeof import('../domain/issuer/credential-builder.ts')>(
  'domain/issuer/credential-builder',
);
const { IssuanceEvents } = await compiled<typeof import('../domain/issuer/events.ts')>('domain/issuer/events');
const { CredentialEndpoint } = await compiled<typeof import('../domain/issuer/credential-endpoint.ts')>(
  'domain/issuer/credential-endpoint',
);
const { IssuerDids } = await compiled<typeof import('../domain/issuer/issuer-dids.ts')>('domain/issuer/issuer-dids');
const { IssuerKeys } = await compiled<typeof import('../domain/issuer/issuer-keys.ts')>('domain/issuer/issuer-keys');
const { CredentialOffers } = await compiled<typeof import('../domain/issuer/offers.ts')>('domain/issuer/offers');
const { HolderProofs } =
  await compiled<typeof import('../domain/issuer/holder-proofs.ts')>('domain/issuer/holder-proofs');
const { IssuanceSessionRepository } = await compiled<typeof import('../domain/issuer/session-repository.ts')>(
  'domain/issuer/session-repository',
);
const { TokenEndpoint, PRE_AUTHORIZED } =
  await compiled<typeof import('../domain/issuer/token-endpoint.ts')>('domain/issuer/token-endpoint');
const { ServerKeys } = await compiled<typeof import('../domain/keys/server-keys.ts')>('domain/keys/server-keys');

export { PRE_AUTHORIZED };

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

/** An issuer as in production but for the network and the log: store in memory, sealed. */
export function makeIssuer() {
  const base = makeFoundation();
  const { store, keys, outbound, log, signatures, dids, formats } = base;
  const events = new IssuanceEvents(outbound, log, formats);
  const sessions = new IssuanceSessionRepository(base);
  const serverKeys = new ServerKeys(store, keys, base.clock);
  const issuerDids = new IssuerDids(new IssuerKeys({ store, serverKeys, configured: [], log }), dids);
  const configurations = readConfigurations({ UniversityDegree: TYPES }, formats);
  const shared = { ...base, issuer: ISSUER, sessions, events };
  const proofs = new HolderProofs({ dids, signatures, clock: base.clock });
  return {
    offers: new CredentialOffers({ ...shared, configurations, issuerDids }),
    tokens: new TokenEndpoint(shared),
    issuance: new CredentialEndpoint({ ...shared, proofs, maker: new CredentialBuilder(base) }),
  };
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
