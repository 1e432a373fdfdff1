import { LISTS } from '../../domain/tenancy/services/lists.ts';
import { operationOf } from '../support/documents/contract.ts';
import type { Answer } from '../support/servers/server.ts';
import { makeCertificate, testKeys } from '../support/trust/certificates.ts';
import { ATTESTER, attest, createAttester } from './client-attester.ts';
import { crossDevice } from './openid4vp.ts';
import {
  CREDENTIAL_STORE,
  DID_STORE,
  type EnterpriseFixture,
  jwkDid,
  KMS,
  POLICY_STORE,
  startEnterprise,
  VERIFIER,
} from './tenant.ts';
import { IACA_DATA, STORE, TRUST, VICAL } from './tenant-certificates.ts';
import { CARDS, ISSUER, MEMBER, offerOf } from './tenant-issuer.ts';
import { newWalletUser } from './wallet-user.ts';

export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** Sorted by a time, ascending and descending, as a query names it. */
export const SORTS = [
  'createdDateTime',
  'createdDateTime-',
  'createdDateTime%2D',
  'createdDateTime%2B',
  'updatedDateTime',
];

/** The elements of each list. */
export const COUNT = 12;

export const STATUS = 'acme.t1.status1';
/** Where each list has its elements. */
export const PLACES: Record<ListName, string> = {
  listResources: 'acme.t2',
  listKeys: KMS,
  listDids: DID_STORE,
  listDidIds: DID_STORE,
  listCredentials: CREDENTIAL_STORE,
  listCredentialIds: CREDENTIAL_STORE,
  tenantListIssuanceSessions: ISSUER,
  listStoredPolicies: POLICY_STORE,
  listStoredPolicyIds: POLICY_STORE,
  listCertificates: STORE,
  listCertificateIds: STORE,
  listVicalVersionIds: VICAL,
  listTrustedIssuers: TRUST,
  listVerificationSessions: VERIFIER,
  listCredentialTypes: ISSUER,
  listIssuedCredentials: ISSUER,
  listSavedChecks: VERIFIER,
  listClientAttestations: ATTESTER,
  listStatusCredentials: STATUS,
};

/** A tenant with the same number of elements in every list. */
export interface ListedTenant {
  world: EnterpriseFixture;
  /** Sends the query unchanged, to the place of the list as its superadmin unless it says else. */
  get(list: ListName, query?: string, by?: { target?: string; token?: string }): Promise<Answer>;
}

export async function startLists(): Promise<ListedTenant> {
  const world = await startEnterprise({ pagination: { defaultLimit: 5, maxLimit: 20 } });
  await world.post('createTenant', 'acme.t2', {});
  await world.post('createService', ISSUER, { type: 'issuer2', ...CARDS });
  await world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] });
  await world.post('createService', STORE, { type: 'x509-store' });
  await world.post('createService', TRUST, { type: 'trust-registry' });
  await startLocalVical(world);
  await createAttester(world, { dependencies: ['acme.t3.kms'], signingKeyId: 'acme.t3.kms.key1' });
  const wallet = await newWalletUser(world.server);
  for (let n = 0; n < COUNT; n += 1) {
    // The order of the names differs from the order of creation.
    const name = `e${(n * 7) % COUNT}`.padEnd(2 + (n % 2), '_');
    await world.post('createService', `acme.t2.${name}`, { type: 'kms' });
    const key = (await world.post('generateKey', `${KMS}.${name}`, {})).body;
    const did = `did:web:${name.replace('_', '-x')}.example.org`;
    await world.post('addDid', `${DID_STORE}.${name}`, { did, document: { id: did } });
    await world.post('addCredential', `${CREDENTIAL_STORE}.${name}`, { credential: { type: 'vc-w3c_1_1' } });
    const offer = await world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ sessionId: name }));
    await wallet.call('acceptCredentialOffer', { text: offer.body.credentialOffer });
    await world.post('addStoredPolicy', `${POLICY_STORE}.${name}`, { name, policy: { policy: 'signature' } });
    const { pem: certificatePem } = makeCertificate({ subject: `CN=${name}`, keys: testKeys('P-256') });
    await world.post('addCertificate', `${STORE}.${name}`, { type: 'base', certificatePem });
    await world.post('addTrustedIssuer', `${TRUST}.${name}`, { type: 'did', issuer: did });
    await world.post('publishVical', `${VICAL}.${name}`, { vicalProvider: 'Acme' });
    await world.post('tenantCreateVerificationSession', VERIFIER, crossDevice({ sessionId: name }));
    await world.post('createCredentialType', ISSUER, { ...MEMBER, id: name });
    await world.post('createSavedCheck', `${VERIFIER}.${name}`, { name, setup: crossDevice() });
    const status = { kid: key._id, issuerDid: jwkDid(key.key.jwk), config: { type: 'TokenStatusList' } };
    await world.post('createStatusCredential', `${STATUS}.${name}`, status);
    await attest(world);
    world.server.clock.advance(n % 3);
  }
  return {
    world,
    get: async (list, query = '', { target = PLACES[list], token = world.root } = {}) => {
      const { path } = await operationOf(list);
      const headers = { authorization: `Bearer ${token}` };
      return world.server.fetch(`${path.replace('{target}', target)}${query}`, { headers });
    },
  };
}

/** A VICAL service whose key and certificate are in services of their own. */
async function startLocalVical(world: EnterpriseFixture): Promise<void> {
  const [kms, store, x509] = ['kms', 'store', 'x509'].map((name) => `acme.t3.${name}`) as [string, string, string];
  await world.post('createTenant', 'acme.t3', {});
  await world.post('createService', kms, { type: 'kms' });
  await world.post('createService', store, { type: 'x509-store' });
  await world.post('createService', x509, { type: 'x509-service', dependencies: [kms, store] });
  const kid = `${kms}.key1`;
  await world.post('generateKey', kid, { keyType: 'secp256r1' });
  const { body } = await world.post('createTenantIaca', x509, { kid, certificateData: IACA_DATA });
  const config = { type: 'vical-service', dependencies: [kms, store], kid, x5Chain: [body.certificate.data.pem] };
  await world.post('createService', VICAL, config);
}
