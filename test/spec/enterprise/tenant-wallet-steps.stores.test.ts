import { expect } from 'chai';
import { REDIRECT_URI } from '../../actors/attested-wallet.ts';
import { browse, giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { CREDENTIAL_STORE, type EnterpriseFixture, KMS, POLICY_STORE, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import {
  askForCard,
  CARD_QUERY,
  cardOffer,
  createWallet,
  startWallet,
  WALLET,
  WALLET_DID,
} from '../../actors/tenant-wallet.ts';
import { contract } from '../../support/documents/contract.ts';
import { documentedCall } from '../../support/documents/operation-calls.ts';
import { until } from '../../support/runs/waiting.ts';

type Json = Record<string, unknown>;

const DEGREE = 'Degree_jwt_vc_json';

/** Every step below the path of a tenant's wallet. */
const STEPS = [
  'tenantBuildVpToken',
  'tenantCollectDeferred',
  'tenantCreateAuthorizationUrl',
  'tenantCreateAuthorizationUrlBatch',
  'tenantExchangeCode',
  'tenantFetchCredential',
  'tenantListPendingCredentials',
  'tenantMatchGivenCredentials',
  'tenantMatchStoredCredentials',
  'tenantPresentGivenCredentials',
  'tenantPreviewRequest',
  'tenantReceiveAuthorized',
  'tenantReceiveAuthorizedBatch',
  'tenantRejectRequest',
  'tenantRequestNonce',
  'tenantRequestToken',
  'tenantResolveOffer',
  'tenantResolveOfferBatch',
  'tenantResolveRequest',
  'tenantResumePendingCredential',
  'tenantSendResponse',
  'tenantSignProof',
];

describe('the wallet of a tenant, step by step', () => {
  let world: EnterpriseFixture;
  let issuer: TestIssuer;
  before(async () => {
    world = await startEnterprise({ wallet: { redirectUris: [REDIRECT_URI] } });
    await startWallet(world);
  });
  after(() => world.close());
  beforeEach(async () => {
    issuer = await startIssuer();
    issuer.behaviour.nonces = 'endpoint';
  });
  afterEach(() => issuer.close());

  const take = (operationId: string, json: Json, target = WALLET) => ok(world.post(operationId, target, json));
  const size = async (): Promise<number> => {
    const path = { target: CREDENTIAL_STORE };
    return (await ok(world.server.call('listCredentials', { path, query: { limit: '100' }, token: world.root })))
      .length;
  };
  const fetching = async (accessToken: string) => {
    const { nonce } = await take('tenantRequestNonce', { credentialIssuer: issuer.issuer });
    const asked = { issuerUrl: issuer.issuer, credentialConfigurationId: DEGREE, nonce };
    const { proofJwt } = await take('tenantSignProof', asked);
    const credentialEndpoint = `${issuer.issuer}/credential`;
    return { credentialEndpoint, accessToken, credentialConfigurationId: DEGREE, proofJwt, storeInWallet: true };
  };

  it('tenantResolveOffer, tenantRequestToken, tenantRequestNonce, tenantSignProof, tenantFetchCredential 200: into the store', async () => {
    const offer = await take('tenantResolveOffer', { offerUrl: issuer.link() });
    expect(offer.credentialConfigurationIds).to.deep.equal([DEGREE]);
    const { tokenEndpoint, preAuthorizedCode, credentialIssuer } = offer;
    const asked = { tokenEndpoint, preAuthorizedCode, credentialIssuer };
    const { accessToken } = await take('tenantRequestToken', asked);
    const before = await size();
    expect((await take('tenantFetchCredential', await fetching(accessToken))).rawCredentials).to.have.length(1);
    expect(await size()).to.equal(before + 1);
  });

  it('tenantCreateAuthorizationUrl, tenantReceiveAuthorized, tenantExchangeCode 200: with a login at the issuer', async () => {
    giveCodes(issuer);
    const login = async () => {
      const asked = { offerUrl: loginOffer(issuer), redirectUri: REDIRECT_URI };
      const begun = await take('tenantCreateAuthorizationUrl', asked);
      return { codeVerifier: begun.codeVerifier, answer: await browse(begun.authorizationUrl, REDIRECT_URI) };
    };
    const { codeVerifier, answer } = await login();
    const { code, iss } = answer;
    const named = { credentialIssuer: issuer.issuer, credentialEndpoint: `${issuer.issuer}/credential` };
    const json = { code, iss, codeVerifier, ...named, credentialConfigurationId: DEGREE };
    expect((await take('tenantReceiveAuthorized', json)).credentialIds[0]).to.match(/^acme\.t1\.creds1\./);
    const second = await login();
    const exchanged = { code: second.answer.code, iss: second.answer.iss, codeVerifier: second.codeVerifier };
    const { accessToken } = await take('tenantExchangeCode', { ...exchanged, credentialIssuerBaseUrl: issuer.issuer });
    await take('tenantFetchCredential', await fetching(accessToken));
  });

  it('tenantCreateAuthorizationUrlBatch, tenantReceiveAuthorizedBatch 200: for a part of an offer, with a login', async () => {
    giveCodes(issuer);
    const asked = { offerUrl: loginOffer(issuer), redirectUri: REDIRECT_URI, credentialConfigurationIds: [DEGREE] };
    const { authorizationUrl, codeVerifier } = await take('tenantCreateAuthorizationUrlBatch', asked);
    const { code, iss } = await browse(authorizationUrl, REDIRECT_URI);
    const named = { credentialIssuer: issuer.issuer, credentialEndpoint: `${issuer.issuer}/credential` };
    const json = { code, iss, codeVerifier, ...named, credentials: [{ credentialConfigurationId: DEGREE }] };
    expect((await take('tenantReceiveAuthorizedBatch', json)).credentialIds).to.have.length(1);
  });

  it('tenantCollectDeferred 200: what the issuer delivers later', async () => {
    const later = deferAll(issuer, 'v1');
    const waiting = await take('receiveTenantCredentials', { offerUrl: issuer.link() });
    const [transactionId] = Object.values(waiting.deferredTransactionIds);
    expect((await take('tenantCollectDeferred', { transactionId })).credentialIds).to.deep.equal([]);
    later.isReady = true;
    world.server.clock.advance(5000);
    await until(async () => {
      // The wallet may be asking by itself.
      const { status, body } = await world.post('tenantCollectDeferred', WALLET, { transactionId });
      return status === 200 && body.credentialIds.length === 1;
    });
  });

  it('tenantResolveOfferBatch, receiveTenantCredentials 200: copies for keys of the kms, each an entry of the store', async () => {
    issuer.behaviour.batchSize = 2;
    expect((await take('tenantResolveOfferBatch', { offerUrl: issuer.link() })).batchSize).to.equal(2);
    const other = `${KMS}.copies`;
    await ok(world.post('generateKey', other, { keyType: 'secp256r1' }), 201);
    const receive = (...holderBindings: Json[]) => {
      const credentials = [{ credentialConfigurationId: DEGREE, holderBindings }];
      return world.post('receiveTenantCredentials', WALLET, { offerUrl: issuer.link(), credentials });
    };
    const before = await size();
    const received = await ok(receive({ keyReference: other }, { didReference: WALLET_DID }));
    expect([received.credentialIds.length, await size()]).to.deep.equal([2, before + 2]);
    const cases: [Json, string][] = [
      [{ keyReference: other, keyId: other }, 'keyReference'],
      [{ did: WALLET_DID, didReference: WALLET_DID }, 'didReference'],
      [{ keyReference: `${KMS}.absent` }, 'keyReference'],
      [{ keyId: `${KMS}.absent` }, 'keyId'],
      [{ didReference: 'did:web:absent.example' }, 'didReference'],
    ];
    for (const [binding, member] of cases) {
      const { status, body } = await receive(binding);
      const place = `/body/credentials/0/holderBindings/0/${member}`;
      expect([status, body.details?.[0].path], JSON.stringify(binding)).to.deep.equal([400, place]);
    }
  });

  it('tenantListPendingCredentials, tenantResumePendingCredential 200: by its id', async () => {
    const later = deferAll(issuer, 'v1');
    const credentials = [{ credentialConfigurationId: DEGREE }];
    const { deferredCredentials } = await take('receiveTenantCredentials', { offerUrl: issuer.link(), credentials });
    const pendingId = deferredCredentials[0].deferredCredentialId;
    const list = { path: { target: WALLET }, token: world.root };
    const waiting = await ok(world.server.call('tenantListPendingCredentials', list));
    expect(waiting.map(({ id }: Json) => id)).to.deep.equal([pendingId]);
    later.isReady = true;
    world.server.clock.advance(5000);
    const path = { target: WALLET, pendingId };
    await until(async () => {
      // The wallet may be asking by itself.
      const { status, body } = await world.server.call('tenantResumePendingCredential', { path, token: world.root });
      return status === 200 && body.type === 'stored';
    });
    expect(await ok(world.server.call('tenantListPendingCredentials', list))).to.deep.equal([]);
  });

  describe('presenting', () => {
    let credentialId: string;
    before(async () => {
      const { credentialIds } = await take('receiveTenantCredentials', { offerUrl: await cardOffer(world) });
      [credentialId] = credentialIds;
    });
    const rawOf = async () => {
      const call = { path: { target: credentialId }, token: world.root };
      return (await ok(world.server.call('getTenantCredential', call))).credential.signed;
    };

    it('tenantPreviewRequest, tenantBuildVpToken, tenantSendResponse 200: what is chosen, and nothing but what was built', async () => {
      const { link: requestUrl, info } = await askForCard(world);
      const { valid, credentialOptions } = await take('tenantPreviewRequest', { requestUrl });
      expect([valid, credentialOptions.map((one: Json) => one.credentialId)]).to.deep.equal([true, [credentialId]]);
      const selectedCredentialOptions = [{ queryId: 'card', credentialId }];
      const { vpToken } = await take('tenantBuildVpToken', { requestUrl, selectedCredentialOptions });
      await take('tenantSendResponse', { requestUrl, vpToken });
      expect((await info()).status).to.equal('SUCCESSFUL');
      expect((await world.post('tenantSendResponse', WALLET, { requestUrl, vpToken })).status).to.equal(409);
    });

    it('tenantResolveRequest, tenantRejectRequest 200: a request is looked at and refused', async () => {
      const { link: requestUrl, info } = await askForCard(world);
      expect((await take('tenantResolveRequest', { requestUrl })).dcqlQuery.credentials).to.have.length(1);
      await take('tenantRejectRequest', { requestUrl });
      expect((await info()).status).to.not.equal('SUCCESSFUL');
    });

    it('tenantMatchStoredCredentials, tenantMatchGivenCredentials, tenantPresentGivenCredentials 200', async () => {
      const stored = await take('tenantMatchStoredCredentials', { dcqlQuery: CARD_QUERY });
      expect(stored.matchedCredentialIds).to.deep.equal({ card: [credentialId] });
      const credentials = [{ id: 'mine', credential: await rawOf() }];
      const given = await take('tenantMatchGivenCredentials', { dcqlQuery: CARD_QUERY, credentials });
      expect(given.matchedCredentialIds).to.deep.equal({ card: ['mine'] });
      const { link: requestUrl, info } = await askForCard(world);
      await take('tenantPresentGivenCredentials', { requestUrl, credentials });
      expect((await info()).status).to.equal('SUCCESSFUL');
    });

    it('tenantBuildVpToken 403: a policy of a holder refuses a step as it does a whole exchange', async () => {
      const policy = { priority: 1, direction: 'PRESENT', action: 'BLOCK' };
      await ok(world.post('addNamedPolicy', POLICY_STORE, { _id: 'none', policy }), 201);
      const { link: requestUrl } = await askForCard(world);
      const selectedCredentialOptions = [{ queryId: 'card', credentialId }];
      const refused = await world.post('tenantBuildVpToken', WALLET, { requestUrl, selectedCredentialOptions });
      expect([refused.status, refused.body.policy]).to.deep.equal([403, `${POLICY_STORE}.none`]);
      const call = { path: { target: `${POLICY_STORE}.none` }, token: world.root };
      await ok(world.server.call('deleteStoredPolicy', call), 204);
    });

    it('tenantSendResponse 409: what one wallet built another one does not send', async () => {
      await ok(createWallet(world, 'acme.t1.other'), 201);
      const { link: requestUrl } = await askForCard(world);
      const selectedCredentialOptions = [{ queryId: 'card', credentialId }];
      const { vpToken } = await take('tenantBuildVpToken', { requestUrl, selectedCredentialOptions });
      const sent = await world.post('tenantSendResponse', 'acme.t1.other', { requestUrl, vpToken });
      expect(sent.status).to.equal(409);
    });
  });

  describe('callers of the steps', () => {
    it('401, 403, 404: each step is for those who have its permission at this wallet', async () => {
      const { operations } = await contract;
      const steps = operations.filter(({ path, mounted }) => mounted && path.includes('/wallet-service-api/'));
      expect(steps).to.have.length(22);
      const { token } = await world.member([{ target: 'acme', action: 'resource-view', operation: 'ADD' }]);
      for (const operation of steps)
        for (const [more, status] of [
          [{ token: 'x' }, 401],
          [{ token }, 403],
          [{ token: world.root, path: { target: CREDENTIAL_STORE } }, 404],
        ] as const) {
          const call = { ...documentedCall(operation, { target: WALLET }), ...more };
          expect((await world.server.call(operation.operationId, call)).status, operation.operationId).to.equal(status);
        }
    });
  });

  for (const operationId of STEPS)
    describe(operationId, () => {
      it('401: for a caller without a login', async () => {
        const path = { target: WALLET, pendingId: 'any' };
        const answer = await world.server.call(operationId, { path, json: {} });
        expect(answer.status).to.equal(401);
      });
    });
});
