import { expect } from 'chai';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { jwkDid, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { contract } from '../../support/documents/contract.ts';
import { type DocumentedBody, documentedBodies } from '../../support/documents/examples.ts';
import { type Call, startServer, useServer } from '../../support/servers/server.ts';

/** The examples with a token, code, proof or link of one run, which cannot be sent unchanged. */
const OF_ONE_RUN = [
  'registerWithCertificate example',
  'loginWithCertificate example',
  'registerAccount certificate',
  'loginAccount certificate',
  'resolveCredentialOffer example',
  'acceptCredentialOffer example',
  'resolvePresentationRequest example',
  'describePresentationRequest example',
  'declinePresentationRequest example',
  'matchRequestedCredentials example',
  'presentCredentials example',
  'answerPageRequest example',
  'importWalletCredential example',
  'importWallet2Credential example',
  'importWallet2Did example',
  'prepareExternalPresentation example',
  'submitExternalPresentation example',
  'beginOfferAuthorization example',
  'finishOfferAuthorization example',
  'prepareExternalOffer example',
  'submitExternalOffer example',
  'receiveCredentials all',
  'receiveCredentials copies',
  'resolveOffer example',
  'resolveOfferBatch example',
  'requestToken example',
  'requestNonce example',
  'signProof example',
  'fetchCredential example',
  'collectDeferred example',
  'createAuthorizationUrl example',
  'createAuthorizationUrlBatch example',
  'exchangeCode example',
  'receiveAuthorized example',
  'receiveAuthorizedBatch example',
  'presentToVerifier example',
  'presentGivenCredentials example',
  'resolveRequest example',
  'matchGivenCredentials example',
  'previewRequest example',
  'buildVpToken example',
  'sendResponse example',
  'rejectRequest example',
  'onboardIssuer kmsa',
  'onboardIssuer kmsb',
  'onboardIssuer tse',
  'onboardIssuer pkcs11',
  'onboardIssuer cheqd',
  'importWalletDid pem',
  'requestAccessToken example',
  'requestCredential jwt',
  'pushOpenid4vciAuthorization example',
  'pushAuthorization example',
  // test/spec/enterprise/issued-credentials.stores.test.ts sends it.
  'changeIssuedCredential example',
  'createClientAttestation example',
  'receiveTenantCredentials example',
  'receiveTenantPreAuthorized example',
  'presentTenantCredentials example',
  'obtainClientAttestation example',
  'requestDraft11Token example',
  'requestDraft11Credential example',
  'requestDraft11CredentialBatch example',
  'pushDraft11Authorization example',
  'answerDraft11Login idToken',
  'answerLogin idToken',
  'answerLogin presentation',
  'requestCredentialBatch example',
  'requestDeferredCredential example',
  'notifyIssuer example',
  'requestOpenid4vciToken example',
  'requestOpenid4vciCredential jwt',
  'requestOpenid4vciCredential attestation',
  'requestOpenid4vciCredential example',
  'requestOpenid4vciDeferredCredential example',
  'notifyOpenid4vciIssuer accepted',
  'submitPresentation presentation',
  'redeemResponseCode example',
  'postAuthorizationRequest example',
  'submitAuthorizationResponse presentation',
  'submitAuthorizationResponse refused',
  'submitAuthorizationResponse page',
  'fetchVical example',
  'validateVical example',
  'checkRevocation application/vc+jwt',
  'revokeCredential example',
  'createStatusCredential example',
  'resetPassword example',
  'acceptInvitation example',
  'confirmSecondFactor example',
  'removeSecondFactor example',
  // Of a client of sign-in.conf.
  'postSignInRequest example',
  'pushSignInRequest example',
  'postLogout example',
  'exchangeSignInCode example',
  'postForSignedInPerson example',
  'confirmLogout example',
];

const TOKEN = '0f9c6a52-take-a-long-random-text';
const settings = {
  superadminRegistration: {
    tokens: {
      [TOKEN]: {
        expiration: '2100-01-01T00:00:00Z',
        account: { type: 'email', identifier: { email: 'admin@example.org' }, data: { password: 'only an example' } },
      },
    },
  },
} as const;

/** Services without a configuration of the tenant of the examples, by their names. */
const STORES = {
  kms2: 'kms',
  dids1: 'did-store',
  credentials1: 'credential-store',
  policies1: 'policy-store',
  verifier1: 'verifier2',
};

describe('the request examples of the document', () => {
  let requests: DocumentedBody[];
  const server = useServer({ settings });
  const posted = new Set<string>();

  before(async () => {
    const { operations } = await contract;
    // The examples of a mounted operation are those of the operation that it has its handler from.
    requests = operations
      .filter(({ mounted }) => mounted === undefined)
      .flatMap((operation) => [...documentedBodies(operation)])
      .filter(({ part }) => part === 'request');
  });

  const isOfOneRun = (operationId: string, name: string, type: string): boolean =>
    OF_ONE_RUN.includes(`${operationId} ${name}`) || OF_ONE_RUN.includes(`${operationId} ${type}`);

  /** Sends every example of an operation that can be sent unchanged; returns the last answer. */
  async function post(operationId: string, call: Call = {}, on = server) {
    let last: unknown;
    for (const { type, examples } of requests.filter((request) => request.operationId === operationId))
      for (const { name, value } of examples.filter((example) => !isOfOneRun(operationId, example.name, type))) {
        // Text is sent as it stands under each of its media types.
        const json = type === 'application/x-ndjson' ? { lines: value as unknown[] } : { json: value };
        const body = typeof value === 'string' ? { text: value, contentType: type } : json;
        const answer = await on.call(operationId, { ...call, ...body });
        expect(answer.status, `${operationId} ${type} ${name}: ${JSON.stringify(answer.body)}`).to.be.within(200, 299);
        posted.add(`${operationId} ${type} ${name}`);
        last = answer.body;
      }
    // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
    return last as any;
  }

  it('of the enterprise services create a tenant, unchanged', async () => {
    // Each form of the token is accepted once.
    for (const form of requests.filter(({ operationId }) => operationId === 'createSuperadmin')) {
      const fresh = form.type === 'text/plain' ? server : await startServer({ settings });
      const [{ value, name } = { value: '', name: '' }] = form.examples;
      const body = form.type === 'text/plain' ? { text: String(value) } : { json: value };
      expect((await fresh.call('createSuperadmin', body)).status).to.equal(200);
      posted.add(`createSuperadmin ${form.type} ${name}`);
      if (fresh !== server) await fresh.close();
    }
    const { token } = await post('loginEnterpriseAccount');
    const at = (target: string): Call => ({ token, path: { target } });
    await post('createOrganization', { token });
    await post('createTenant', at('acme.tenant1'));
    await post('createService', at('acme.tenant1.kms1'));
    for (const [name, type] of Object.entries(STORES))
      await server.call('createService', { ...at(`acme.tenant1.${name}`), json: { type } });
    await post('generateKey', at('acme.tenant1.kms1.key1'));
    await post('updateService', at('acme.tenant1.kms1'));
    const { _id: did } = await post('addDid', at('acme.tenant1.dids1'));
    await post('replaceTenantDid', at(did));
    const { _id: credential } = await post('addCredential', at('acme.tenant1.credentials1'));
    await post('replaceTenantCredential', at(credential));
    await post('addDependency', at('acme.tenant1.dids1'));
    const { _id: policy } = await post('addStoredPolicy', at('acme.tenant1.policies1'));
    await post('replaceStoredPolicy', at(policy));
    await post('addNamedPolicy', at('acme.tenant1.policies1'));
    const { _id: check } = await post('createSavedCheck', at('acme.tenant1.verifier1'));
    await post('replaceSavedCheck', at(check));
    await post('createSessionOfCheck', at(check));
    for (const [list, target] of [
      ['listResources', 'acme'],
      ['listKeys', 'acme.tenant1.kms1'],
      ['listDids', 'acme.tenant1.dids1'],
      ['listCredentials', 'acme.tenant1.credentials1'],
    ] as const)
      expect((await server.call(list, at(target))).body, list).to.have.length(1);
    await post('createTenantDid', at('acme.tenant1.dids1'));
    await post('importTenantKey', at('acme.tenant1.kms1'));
    const dependencies = ['acme.tenant1.kms1', 'acme.tenant1.dids1'];
    await server.call('createService', { ...at('acme.tenant1.did1'), json: { type: 'did-service', dependencies } });
    const key2 = { json: { keyType: 'secp256r1' } };
    await server.call('generateKey', { ...at('acme.tenant1.kms1.key2'), ...key2 });
    await post('createServiceDid', { token, path: { target: 'acme.tenant1.did1', method: 'web' } });
    await post('rotateServiceDid', at('acme.tenant1.did1'));
    await post('deactivateServiceDid', at('acme.tenant1.did1'));
    await post('signWithTenantKey', at('acme.tenant1.kms1.key1'));
    await post('removeDependency', at('acme.tenant1.dids1'));
    await post('createServices', at('acme.tenant1'));
    const api = 'did-store-service-api';
    await post('addServiceDependency', { token, path: { target: 'acme.tenant1.dids3', api } });
    await post('addServiceDependencyV2', { token, path: { target: 'acme.tenant1.dids1', api } });
    await post('createHostAlias', at('acme'));
    const { _id: accountId } = await post('registerEnterpriseAccount', { token });
    await post('createRole', at('acme.keepers'));
    const path = { accountId, org: 'acme', roleId: 'keepers' };
    expect((await server.call('assignRole', { token, path })).body.roles).to.deep.equal(['acme.keepers']);
    await post('replaceRole', at('acme.keepers'));
    await post('createApiKey', at('acme.tenant1'));
    await post('createInvitation', at('acme'));
    await post('replaceOwnProfile', { token });
    await post('createAccountSession');
    await post('enrolSecondFactor');
    await post('changeOwnPassword', { token });
  });

  it('of the certificates, trust and statuses of a tenant are accepted unchanged', async () => {
    const world = await startEnterprise();
    const { server: on, root: token } = world;
    const tenant = 'acme.tenant1';
    const [kms, store, certifier] = ['kms1', 'certificates1', 'x509'].map((name) => `${tenant}.${name}`) as [
      string,
      string,
      string,
    ];
    const at = (target: string): Call => ({ token, path: { target } });
    await ok(world.post('createTenant', tenant, {}), 201);
    for (const [target, type, ...dependencies] of [
      [kms, 'kms'],
      [store, 'x509-store'],
      [certifier, 'x509-service', kms, store],
      [`${tenant}.trust1`, 'trust-registry'],
      [`${tenant}.status1`, 'credential-status', kms],
      [`${tenant}.issuer1`, 'issuer2', `${tenant}.status1`],
    ] as const)
      await ok(world.post('createService', target, { type, dependencies }), 201);
    const jwks: Record<string, Record<string, unknown>> = {};
    for (const name of ['iaca-key', 'signer-key', 'key1'])
      jwks[name] = (await ok(world.post('generateKey', `${kms}.${name}`, { keyType: 'secp256r1' }), 201)).key.jwk;
    await post('addCertificate', at(`${store}.one`), on);
    await post('replaceCertificate', at(`${store}.one`), on);
    const { certificate } = await post('createTenantIaca', at(certifier), on);
    await post('createTenantSigner', at(certifier), on);
    await post('revokeTenantCertificate', at(certifier), on);
    await post('addTrustedIssuer', at(`${tenant}.trust1`), on);
    await post('queryAuditEntries', { token }, on);
    for (const operationId of ['loadTrustSource', 'resolveTrustedCertificate', 'resolveTrustedChain'])
      await post(operationId, at(`${tenant}.trust1`), on);
    const signer = { kid: `${kms}.iaca-key`, x5Chain: [certificate.data.pem] };
    const vical = { type: 'vical-service', dependencies: [kms, store], ...signer };
    await ok(world.post('createService', `${tenant}.vical1`, vical), 201);
    await post('publishVical', at(`${tenant}.vical1`), on);
    const [example] = requests.find(({ operationId }) => operationId === 'createStatusCredential')?.examples ?? [];
    const issuerDid = jwkDid(jwks.key1 ?? {});
    const status = { ...(example?.value as object), issuerDid };
    const { listId } = await ok(world.post('createStatusCredential', `${tenant}.status1`, status), 201);
    const session = '3f1b2c4e-3c0d-4a47-9a0e-0d6f3f0a7e55';
    const path = { target: `${tenant}.status1`, listId };
    await ok(on.call('tenantAllocateStatusEntry', { token, path, json: { session } }), 201);
    await post('updateSessionStatus', at(`${tenant}.status1`), on);
    await post('createCredentialType', at(`${tenant}.issuer1`), on);
    const issuer = { target: `${tenant}.issuer1`, typeId: 'member', profileId: 'reduced' };
    for (const operationId of ['replaceCredentialType', 'createTenantProfile', 'replaceTenantProfile'])
      await post(operationId, { token, path: issuer }, on);
    await world.close();
  });

  it('of wallet, issuer, verifier and status check are accepted unchanged', async () => {
    await post('registerAccount');
    const { token } = await post('loginAccount');
    const wallet = (await server.call('listAccountWallets', { token })).body.wallets[0].id;
    await post('generateWalletKey', { token, path: { wallet } });
    await post('registerWallet2Account');
    const { token: session2 } = await post('loginWallet2Account');
    await post('createWallet', { token: session2 });
    const { walletId } = (await server.call('createWallet', { token: session2 })).body;
    for (const operationId of ['generateWallet2Key', 'importWallet2Key', 'createWallet2Did'])
      await post(operationId, { token: session2, path: { wallet: walletId } });
    await post('matchWalletCredentials', { token, path: { wallet } });
    await post('listMissingCredentials', { token, path: { wallet } });
    await post('describePageRequest', { token, path: { wallet } });
    await post('matchStoredCredentials', { token, path: { wallet } });
    for (const operationId of [
      'onboardIssuer',
      'onboardIaca',
      'onboardDocumentSigner',
      'issueJwtCredential',
      'issueJwtCredentialBatch',
      'issueSdJwtCredential',
      'issueSdJwtCredentialBatch',
      'issueMdoc',
      'issueMdocBatch',
      'signJwtCredential',
      'createCredentialOffer',
      'createCredentialOffersInBulk',
      'startVerification',
      'createVerificationSession',
    ])
      await post(operationId);
    await post('replaceAttributeTable', { path: { tableId: 'people' } });
    await post('checkRevocation');
    const { listId } = await post('createStatusList');
    const { entry } = await post('allocateStatusEntry', { path: { listId } });
    await post('changeStatusEntry', { path: { listId, index: String(entry.index) } });
    const session = 'enrolment-2026-0042';
    await server.call('allocateStatusEntry', { path: { listId }, json: { session } });
    await post('changeStatusEntries');
    await post('addWalletIssuer', { token, path: { wallet } });
    await post('setWalletSettings', { token, path: { wallet } });
    await post('parseMdoc');
  });

  it('of the keys and credentials of a wallet are accepted unchanged', async () => {
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    for (const { type, examples } of requests.filter(({ operationId }) => operationId === 'importWalletKey'))
      for (const { name, value } of examples) {
        // Each key can be imported into a wallet once.
        const { call } = await newWalletUser(server);
        const answer = await call('importWalletKey', { text: String(value), contentType: type });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
        posted.add(`importWalletKey ${type} ${name}`);
      }
    const { wallet, call, token } = await newWalletUser(server);
    const keyId = (await call('listWalletKeys')).body[0].keyId.id;
    const path = { wallet, keyId };
    await post('signWithWalletKey', { token, path });
    await post('importWalletDid', { token, path: { wallet } });
    const query = { format: 'JWK', loadPrivateKey: 'false' };
    const JWK = (await call('exportWalletKey', { path: { keyId }, query })).body;
    await post('verifyWithWalletKey', { token, path: { wallet }, query: { JWK } });
    const text = (await server.call('issueJwtCredential', { json: degree(issuer) })).body;
    const [{ id: credentialId }] = (await call('acceptCredentialOffer', { text, query: { requireUserInput: 'true' } }))
      .body;
    const credential = { token, path: { wallet, credentialId } };
    await call('addWalletCategory', { path: { name: 'Studies' } });
    await post('addWalletCredentialCategories', credential);
    await post('removeWalletCredentialCategories', credential);
    await post('rejectWalletCredential', credential);
  });

  it('of links are sent in both media types, with the links of a run', async () => {
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    const { call } = await newWalletUser(server);
    const ids: string[] = [];
    for (const contentType of ['text/plain', 'application/json']) {
      const text = (await server.call('issueJwtCredential', { json: degree(issuer) })).body;
      expect((await call('resolveCredentialOffer', { text, contentType })).status).to.equal(200);
      ids.push((await call('acceptCredentialOffer', { text, contentType })).body[0].id);
    }
    const headers = { successRedirectUri: 'https://shop.example.org/done?id=$id' };
    const json = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }] };
    const { body: text } = await server.call('startVerification', { json, headers });
    for (const contentType of ['text/plain', 'application/json'])
      expect((await call('resolvePresentationRequest', { text, contentType })).status).to.equal(200);
    const presentation = { presentationRequest: text, selectedCredentials: ids.slice(0, 1) };
    const { body } = await call('presentCredentials', { json: presentation });
    expect(body.redirectUri).to.match(/^https:\/\/shop\.example\.org\/done\?id=/);
  });

  it('are all sent, except those with values of one run', () => {
    const missing = requests.flatMap(({ operationId, type, examples }) =>
      examples
        .filter(({ name }) => !isOfOneRun(operationId, name, type))
        .map(({ name }) => `${operationId} ${type} ${name}`)
        .filter((key) => !posted.has(key)),
    );
    expect(missing).to.deep.equal([]);
  });
});
