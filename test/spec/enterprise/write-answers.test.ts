import { expect } from 'chai';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import type { Action } from '../../../domain/tenancy/access/permissions.ts';
import { ATTESTER, attest, CLIENT, createAttester } from '../../actors/client-attester.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import {
  CREDENTIAL_STORE,
  DID_STORE,
  type EnterpriseFixture,
  jwkDid,
  KMS,
  may,
  POLICY_STORE,
  startEnterprise,
  VERIFIER,
} from '../../actors/tenant.ts';
import { createIssuer, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { contract } from '../../support/documents/contract.ts';
import type { Call } from '../../support/servers/server.ts';

type Json = Record<string, unknown>;

/**
 * What the answer of a write shows: nothing; what the request made; or what callers may read by the right that the write
 * demands (full control, being a superadmin, one's own account, the permission to read). Of all others, a caller who may
 * write and not read is tried.
 */
type Shown = 'nothing' | 'what it made' | 'what the same right reads' | 'tried';

const STATUS = 'acme.t1.status1';
const CANARY = 'canary';

const MEMBER = {
  id: 'member',
  display: [{ locale: 'en', name: 'Member' }],
  claims: [{ path: ['family_name'], type: 'text' }],
  formats: ['dc+sd-jwt'],
};

const WRITES: Record<string, Shown> = {
  createOrganization: 'what it made',
  registerEnterpriseAccount: 'what it made',
  assignRole: 'tried',
  unassignRole: 'tried',
  createRole: 'what it made',
  replaceRole: 'what the same right reads',
  deleteRole: 'nothing',
  createTenant: 'what it made',
  createService: 'what it made',
  createServices: 'what it made',
  updateService: 'tried',
  addDependency: 'tried',
  removeDependency: 'tried',
  addServiceDependency: 'tried',
  addServiceDependencyV2: 'tried',
  deleteResource: 'nothing',
  generateKey: 'what it made',
  importTenantKey: 'what it made',
  signWithTenantKey: 'what it made',
  deleteTenantKey: 'nothing',
  addDid: 'what it made',
  createTenantDid: 'what it made',
  replaceTenantDid: 'tried',
  deleteTenantDid: 'nothing',
  createServiceDid: 'what it made',
  rotateServiceDid: 'tried',
  deactivateServiceDid: 'tried',
  addCredential: 'what it made',
  replaceTenantCredential: 'tried',
  deleteTenantCredential: 'nothing',
  // How many they were.
  deleteTenantCredentials: 'what it made',
  addStoredPolicy: 'what it made',
  addNamedPolicy: 'what it made',
  replaceStoredPolicy: 'tried',
  deleteStoredPolicy: 'nothing',
  createTenantProfile: 'what it made',
  replaceTenantProfile: 'tried',
  deleteTenantProfile: 'nothing',
  createCredentialType: 'what it made',
  replaceCredentialType: 'tried',
  deleteCredentialType: 'nothing',
  changeIssuedCredential: 'tried',
  deleteIssuedRecipient: 'nothing',
  tenantDeleteIssuanceRecipient: 'nothing',
  tenantReplaceAttributeTable: 'what it made',
  tenantDeleteAttributeTable: 'nothing',
  createSavedCheck: 'what it made',
  replaceSavedCheck: 'tried',
  deleteSavedCheck: 'nothing',
  createSessionOfCheck: 'what it made',
  createClientAttestation: 'what it made',
  receiveTenantCredentials: 'what it made',
  receiveTenantPreAuthorized: 'what it made',
  presentTenantCredentials: 'what it made',
  obtainClientAttestation: 'what it made',
  tenantResolveOffer: 'what the same right reads',
  tenantResolveOfferBatch: 'what the same right reads',
  tenantResumePendingCredential: 'what the same right reads',
  tenantRequestToken: 'what the same right reads',
  tenantRequestNonce: 'what the same right reads',
  tenantSignProof: 'what the same right reads',
  tenantFetchCredential: 'what the same right reads',
  tenantCollectDeferred: 'what the same right reads',
  tenantCreateAuthorizationUrl: 'what the same right reads',
  tenantCreateAuthorizationUrlBatch: 'what the same right reads',
  tenantExchangeCode: 'what the same right reads',
  tenantReceiveAuthorized: 'what the same right reads',
  tenantReceiveAuthorizedBatch: 'what the same right reads',
  tenantPresentGivenCredentials: 'what the same right reads',
  tenantResolveRequest: 'what the same right reads',
  tenantMatchGivenCredentials: 'what the same right reads',
  tenantMatchStoredCredentials: 'what the same right reads',
  tenantPreviewRequest: 'what the same right reads',
  tenantBuildVpToken: 'what the same right reads',
  tenantSendResponse: 'what the same right reads',
  tenantRejectRequest: 'what the same right reads',
  revokeClientAttestation: 'tried',
  createStatusCredential: 'what it made',
  updateSessionStatus: 'tried',
  tenantAllocateStatusEntry: 'what it made',
  tenantChangeStatusEntry: 'tried',
  tenantChangeStatusEntries: 'tried',
  addCertificate: 'what it made',
  // It has the same way through `replaceChild` as the other three stores.
  replaceCertificate: 'what it made',
  deleteCertificate: 'nothing',
  createTenantIaca: 'what it made',
  createTenantSigner: 'what it made',
  // All of it is public: the list says it.
  revokeTenantCertificate: 'what the same right reads',
  publishVical: 'what it made',
  addTrustedIssuer: 'what it made',
  loadTrustSource: 'what it made',
  refreshTrustSource: 'what it made',
  deleteTrustSource: 'nothing',
  resolveTrustedCertificate: 'what the same right reads',
  resolveTrustedChain: 'what the same right reads',
  queryAuditEntries: 'what the same right reads',
  createHostAlias: 'what it made',
  deleteHostAlias: 'nothing',
  replaceOwnProfile: 'what the same right reads',
  changeOwnPassword: 'nothing',
  deleteAccount: 'nothing',
  disableAccount: 'what the same right reads',
  enableAccount: 'what the same right reads',
  createPasswordReset: 'what it made',
  createApiKey: 'what it made',
  revokeApiKey: 'nothing',
  deleteAccountSession: 'nothing',
  logoutEnterpriseAccount: 'nothing',
  createInvitation: 'what it made',
  revokeInvitation: 'nothing',
  deleteSecondFactor: 'nothing',
  tenantCreateCredentialOffer: 'what it made',
  tenantCreateCredentialOffersInBulk: 'what it made',
  tenantCreateVerificationSession: 'what it made',
  tenantRedeemResponseCode: 'what the same right reads',
};

/** A write by a caller who may not read what it changes: what it does, and the read that is refused. */
interface Trial {
  /** The permissions of the caller; all at `acme.mine` when it acts on accounts. */
  actions: Action[];
  write: Call;
  read: [operationId: string, call: Call];
  /** What else the answer must not have. */
  hidden?: string[];
}

describe('The answers of all writes at organizations and tenants', () => {
  let world: EnterpriseFixture;
  let writes: Operation[];
  before(async () => {
    world = await startEnterprise();
    const { operations } = await contract;
    writes = operations.filter(({ realm, method }) => realm === 'enterprise' && method !== 'GET');
    await world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] });
    const statusLists = { Card: { type: 'TokenStatusList' } };
    await createIssuer(world, { dependencies: [KMS, STATUS], statusLists });
  });
  after(() => world.close());

  it('rows: are classified in the table, all of them', () => {
    expect(Object.keys(WRITES)).to.have.members(writes.map(({ operationId }) => operationId));
  });

  it('rows: have a body exactly when the table says that they show something', () => {
    for (const { operationId, responses } of writes) {
      const contents = Object.entries(responses).filter(([status, { content }]) => status.startsWith('2') && content);
      expect(contents.length > 0, operationId).to.equal(WRITES[operationId] !== 'nothing');
    }
  });

  const ok = async (operationId: string, call: Call): Promise<Json> => {
    const { status, body } = await world.server.call(operationId, { token: world.root, ...call });
    expect(status, `${operationId} ${JSON.stringify(body)}`).to.be.oneOf([200, 201]);
    return body;
  };

  /** An account with a profile that has canaries, and a role at a tenant that is another's. */
  async function foreigner(): Promise<string> {
    const { id, token } = await world.member([may('acme.t1')]);
    await ok('replaceOwnProfile', { json: { profile: { name: CANARY, phone: CANARY } }, token });
    return id;
  }

  /** An entry of a status list with a history that has canaries. */
  async function entry(): Promise<{ listId: string; index: string }> {
    const { body } = await world.post('generateKey', KMS, { keyType: 'secp256r1' });
    const { kid: _, ...jwk } = body.key.jwk;
    const wanted = { kid: body._id, issuerDid: jwkDid(jwk), config: { type: 'TokenStatusList', format: 'JWT' } };
    const { listId } = (await world.post('createStatusCredential', STATUS, wanted)).body;
    const names = { session: `${CANARY}-1`, credentialId: `urn:${CANARY}:1` };
    const made = await ok('tenantAllocateStatusEntry', { path: { target: STATUS, listId }, json: names });
    const path = { listId, index: String((made.entry as Json).index) };
    const json = { action: 'suspend', reason: CANARY, changedBy: CANARY };
    await ok('tenantChangeStatusEntry', { path: { target: STATUS, ...path }, json });
    return path;
  }

  const dependencies = (target: string): [string, Call] => ['listDependencies', { path: { target } }];
  const shown = (target: string): [string, Call] => ['getResource', { path: { target } }];

  /** A new service that depends on one that the caller does not name. */
  async function dependent(): Promise<string> {
    const target = `acme.t1.dependent${Math.random()}`.replace('0.', '');
    await ok('createService', { path: { target }, json: { type: 'issuer2', dependencies: [STATUS] } });
    return target;
  }
  const depending = async (api?: string): Promise<Trial> => {
    const target = await dependent();
    const write = { path: { target, ...(api && { api }) }, json: { dependency: KMS } };
    return { actions: ['service-update', 'service-use'], write, read: dependencies(target), hidden: [STATUS] };
  };

  /** A child of a store with canaries in it, which is replaced. */
  const replacing = async (create: string, target: string, [before, after]: [Json, Json]): Promise<Trial> => {
    await ok(create, { path: { target }, json: before });
    return { actions: ['resource-update'], write: { path: { target }, json: after }, read: shown(target) };
  };

  const changing = async (write: (path: { listId: string; index: string }) => Call): Promise<Trial> => {
    const path = await entry();
    const read: Trial['read'] = ['tenantGetStatusEntry', { path: { target: STATUS, ...path } }];
    return { actions: ['status-entry-change'], write: write(path), read };
  };

  /** What was issued with canaries in its record. */
  async function issued(): Promise<string> {
    const { credentialOffer } = await ok('tenantCreateCredentialOffer', {
      path: { target: ISSUER },
      json: offerOf({ reference: CANARY, recipient: CANARY }),
    });
    const wallet = await newWalletUser(world.server);
    await wallet.call('acceptCredentialOffer', { text: String(credentialOffer) });
    const [one] = (await ok('listIssuedCredentials', { path: { target: ISSUER } })) as unknown as Json[];
    return String(one?.id);
  }

  const did = (name: string) => `did:web:${name}.example`;
  const DOCUMENTS: [Json, Json] = [
    { did: did('one'), document: { id: did('one'), alsoKnownAs: [`https://${CANARY}.example`] } },
    { did: did('one'), document: { id: did('one') } },
  ];

  /** The change of a DID with canaries in its document. */
  async function changingDid(name: string, change: Json = {}): Promise<Trial> {
    const target = `acme.t1.did-${name}`;
    await ok('createService', { path: { target }, json: { type: 'did-service', dependencies: [KMS, DID_STORE] } });
    await world.post('generateKey', `${KMS}.did`, { keyType: 'secp256r1' });
    const document = { id: did(name), alsoKnownAs: [`https://${CANARY}.example`] };
    await ok('addDid', { path: { target: `${DID_STORE}.${name}` }, json: { did: did(name), document } });
    const write = { path: { target }, json: { did: did(name), ...change } };
    return { actions: ['did-change'], write, read: shown(`${DID_STORE}.${name}`) };
  }

  const stored = (name: string): Json => ({ credential: { type: 'x', credentialData: { name }, signed: name } });
  const policy = (name: string): Json => ({ name, description: name, policy: { policy: 'signature' } });

  const profile = (name: string): Json => ({ name, credentialConfigurationId: 'Card', credentialData: { name } });
  const check = (name: string): Json => ({ name, description: name, setup: crossDevice() });

  const TRIALS: Record<string, () => Promise<Trial>> = {
    assignRole: () => assigning([]),
    unassignRole: () => assigning(['assignRole']),
    updateService: async () => {
      const target = await dependent();
      const json = { type: 'issuer2', dependencies: [KMS] };
      return {
        actions: ['service-update', 'service-use'],
        write: { path: { target }, json },
        read: dependencies(target),
        hidden: [STATUS],
      };
    },
    addDependency: () => depending(),
    addServiceDependency: () => depending('issuer-service-api'),
    addServiceDependencyV2: () => depending('issuer-service-api'),
    removeDependency: async () => {
      const target = await dependent();
      await ok('addDependency', { path: { target }, json: { dependency: KMS } });
      const write = { path: { target }, json: { dependency: KMS } };
      return { actions: ['service-update'], write, read: dependencies(target), hidden: [STATUS] };
    },
    rotateServiceDid: () => changingDid('rotated', { keyId: `${KMS}.did` }),
    deactivateServiceDid: () => changingDid('over'),
    replaceTenantDid: () => replacing('addDid', `${DID_STORE}.one`, DOCUMENTS),
    replaceTenantCredential: () =>
      replacing('addCredential', `${CREDENTIAL_STORE}.one`, [stored(CANARY), stored('other')]),
    replaceStoredPolicy: () => replacing('addStoredPolicy', `${POLICY_STORE}.one`, [policy(CANARY), policy('other')]),
    replaceSavedCheck: () => replacing('createSavedCheck', `${VERIFIER}.one`, [check(CANARY), check('other')]),
    replaceTenantProfile: async () => {
      const path = { target: ISSUER, profileId: 'one' };
      await ok('createTenantProfile', { path, json: profile(CANARY) });
      const read: Trial['read'] = ['tenantGetIssuanceProfile', { path }];
      return { actions: ['issuer-profile-update'], write: { path, json: profile('other') }, read };
    },
    replaceCredentialType: async () => {
      const { id: _, ...content } = { ...MEMBER, version: 1 };
      const before = { ...MEMBER, display: [{ locale: 'en', name: CANARY }] };
      const { versions } = await ok('createCredentialType', { path: { target: ISSUER }, json: before });
      const path = { target: ISSUER, typeId: MEMBER.id };
      const [{ account } = { account: '' }] = versions as { account: string }[];
      return {
        actions: ['credential-type-update'],
        write: { path, json: content },
        read: ['getCredentialType', { path }],
        hidden: [account],
      };
    },
    changeIssuedCredential: async () => {
      const issuedId = await issued();
      const path = { target: ISSUER, issuedId };
      return {
        actions: ['issued-credential-change'],
        write: { path, json: { action: 'suspend' } },
        read: ['getIssuedCredential', { path }],
        hidden: ['Card'],
      };
    },
    revokeClientAttestation: async () => {
      await createAttester(world);
      const { attestationId } = (await attest(world)).body;
      const path = { target: ATTESTER, attestationId };
      return {
        actions: ['client-attestation-revoke'],
        write: { path },
        read: ['getClientAttestation', { path }],
        hidden: [CLIENT],
      };
    },
    updateSessionStatus: () =>
      changing(() => ({ path: { target: STATUS }, json: { session: `${ISSUER}.${CANARY}-1`, status: '0x02' } })),
    tenantChangeStatusEntry: () =>
      changing((path) => ({ path: { target: STATUS, ...path }, json: { action: 'suspend' } })),
    tenantChangeStatusEntries: () =>
      changing(() => ({ path: { target: STATUS }, json: { session: `${CANARY}-1`, action: 'suspend' } })),
  };

  /** A role of one's own, given to the account of another tenant. */
  async function assigning(before: string[]): Promise<Trial> {
    const id = await foreigner();
    await world.post('createTenant', 'acme.mine', {});
    await world.post('createRole', 'acme.mine.guest', { name: 'Guest', permissions: [] });
    const path = { accountId: id, org: 'acme', roleId: 'mine.guest' };
    for (const operationId of before) await ok(operationId, { path });
    return { actions: [], write: { path }, read: ['getAccount', { path: { accountId: id } }], hidden: ['acme.role'] };
  }

  it('are tried where the table says so', () => {
    const tried = Object.keys(WRITES).filter((name) => WRITES[name] === 'tried');
    expect(Object.keys(TRIALS)).to.have.members(tried);
  });

  for (const [operationId, trial] of Object.entries(TRIALS))
    it(`${operationId}: shows nothing that the same caller is refused to read`, async () => {
      const { actions, write, read, hidden = [] } = await trial();
      const grants = actions.length > 0 ? actions.map((action) => may('acme.t1', action)) : [may('acme.mine')];
      const { token } = await world.member(grants);
      const [readId, readCall] = read;
      expect((await world.server.call(readId, { ...readCall, token })).status).to.be.oneOf([403, 404]);
      const answer = await world.server.call(operationId, { ...write, token });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      for (const text of [CANARY, ...hidden]) expect(JSON.stringify(answer.body), text).not.to.include(text);
    });

  it('the accounts of a role have their profiles only for callers who control all their roles', async () => {
    const { write } = await assigning(['assignRole']);
    const path = { target: 'acme.mine.guest' };
    const { token } = await world.member([may('acme.mine')]);
    const seen = (await ok('listRoleAccounts', { path, token })) as unknown as Json[];
    const id = write.path?.accountId;
    expect(seen.find(({ _id }) => _id === id)).to.deep.equal({ _id: id, roles: ['acme.mine.guest'] });
    const all = (await ok('listRoleAccounts', { path })) as unknown as Json[];
    expect(all.find(({ _id }) => _id === id)?.profile).to.include({ phone: CANARY });
  });
});
