import { expect } from 'chai';
import { mountedName } from '../../../adapters/http/handlers/tenancy/mounted.ts';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { byCertificate, byEmail } from '../../actors/accounts.ts';
import { from, STRANGERS } from '../../actors/strangers.ts';
import { accountRequest } from '../../actors/tenant.ts';
import { contract, operationOf } from '../../support/documents/contract.ts';
import { type Answer, type Call, startServer, type TestServer } from '../../support/servers/server.ts';
import { sharedNode } from '../../support/stores/redis.ts';

const NO_WALLET = '00000000-0000-4000-8000-000000000000';
const EMAIL = { email: 'grace@example.org', password: 'difference-engine-2' };
const AT_ISSUER = { target: 'acme.i' };
const UNKNOWN_SIGN_IN = { signIn: 'unknown' };

/** Calls of the provider of this server. */
const SIGN_IN_CALLS: Record<string, Call> = {
  getSignInConfiguration: {},
  getSignInKeys: {},
  requestSignIn: { query: { client_id: 'unknown' } },
  postSignInRequest: { form: { client_id: 'unknown' } },
  resumeSignIn: { path: UNKNOWN_SIGN_IN },
  pushSignInRequest: { form: { client_id: 'unknown' } },
  exchangeSignInCode: { form: { client_id: 'unknown' } },
  getSignedInPerson: { token: 'unknown' },
  postForSignedInPerson: { form: { access_token: 'unknown' } },
  logOutOfSignIn: { query: { client_id: 'unknown' } },
  postLogout: { form: { client_id: 'unknown' } },
  confirmLogout: { form: { xsrf: 'unknown' } },
  getLoggedOutPage: {},
  getSignInPage: { path: UNKNOWN_SIGN_IN },
  openWalletForSignIn: { path: UNKNOWN_SIGN_IN },
  returnFromWallet: { path: UNKNOWN_SIGN_IN },
  retrySignIn: { path: UNKNOWN_SIGN_IN },
  cancelSignIn: { path: UNKNOWN_SIGN_IN },
  requestDigitalSignIn: { path: UNKNOWN_SIGN_IN },
  followSignIn: { path: UNKNOWN_SIGN_IN },
};

/** The same of the operations that are mounted below a target. */
const mounted = <T, U>(ofOperations: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(ofOperations).map(([id, value]) => [mountedName(id), change(value)]));

/** A well-formed call of every limited operation; most are refused for their content. */
const CALLS: Record<string, Call> = {
  registerWithCertificate: { json: byCertificate(0) },
  loginWithCertificate: { json: byCertificate(0) },
  registerAccount: { json: byEmail('ada') },
  loginAccount: { json: byEmail('unknown') },
  registerWallet2Account: { json: EMAIL },
  loginWallet2Account: { json: { ...EMAIL, email: 'unknown@example.org' } },
  createSuperadmin: { text: 'a-token-that-was-not-issued' },
  loginEnterpriseAccount: { json: { email: 'unknown@example.org', password: 'difference-engine-2' } },
  registerEnterpriseAccount: { json: accountRequest('ada@example.org') },
  changeOwnPassword: { json: { current: 'unknown', new: 'difference-engine-2' } },
  createAccountSession: { json: { email: 'unknown@example.org', password: 'difference-engine-2' } },
  acceptInvitation: { json: { token: 'unknown', password: 'difference-engine-2' } },
  enrolSecondFactor: { json: { email: 'unknown@example.org', password: 'difference-engine-2' } },
  confirmSecondFactor: { json: { email: 'unknown@example.org', password: 'difference-engine-2', code: '123456' } },
  removeSecondFactor: { json: { email: 'unknown@example.org', password: 'difference-engine-2', code: '123456' } },
  resetPassword: { json: { token: 'unknown', password: 'difference-engine-2' } },
  authorizeOpenid4vci: { query: { client_id: 'unknown' } },
  pushOpenid4vciAuthorization: { form: { client_id: 'unknown' } },
  requestOpenid4vciToken: { form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } },
  requestOpenid4vciCredential: { token: 'unknown', json: { credential_configuration_id: 'a', proofs: { jwt: ['a'] } } },
  requestOpenid4vciDeferredCredential: { token: 'unknown', json: { transaction_id: 'a' } },
  requestAuthorization: { query: { client_id: 'unknown' } },
  pushAuthorization: { form: { client_id: 'unknown' } },
  answerLogin: { form: { state: 'unknown' } },
  requestAccessToken: { form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } },
  requestDraft11Authorization: { query: { client_id: 'unknown' } },
  pushDraft11Authorization: { form: { client_id: 'unknown' } },
  answerDraft11Login: { form: { state: 'unknown' } },
  requestDraft11Token: { form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } },
  requestCredential: { token: 'unknown', json: { format: 'jwt_vc_json' } },
  requestCredentialBatch: { token: 'unknown', json: { credential_requests: [{ format: 'jwt_vc_json' }] } },
  requestDeferredCredential: { token: 'unknown', json: { transaction_id: 'a' } },
  requestDraft11Credential: { token: 'unknown', json: { format: 'jwt_vc_json' } },
  requestDraft11CredentialBatch: { token: 'unknown', json: { credential_requests: [{ format: 'jwt_vc_json' }] } },
  requestDraft11DeferredCredential: { token: 'unknown' },
  createLoginNonce: {},
  onboardIssuer: { json: {} },
  onboardIaca: { json: {} },
  onboardDocumentSigner: { json: {} },
  issueJwtCredential: { json: {} },
  issueJwtCredentialBatch: { json: [] },
  issueSdJwtCredential: { json: {} },
  issueSdJwtCredentialBatch: { json: [] },
  issueMdoc: { json: {} },
  issueMdocBatch: { json: [] },
  signJwtCredential: { json: {} },
  createCredentialOffer: { json: {} },
  createCredentialOffersInBulk: { lines: [] },
  deleteIssuanceRecipient: { path: { sessionId: 'unknown' } },
  replaceAttributeTable: { path: { tableId: 'people' }, text: 'case', contentType: 'text/csv' },
  deleteAttributeTable: { path: { tableId: 'unknown' } },
  createStatusList: { json: {} },
  createStatusToken: {},
  changeStatusEntry: { path: { listId: '00000000-0000-4000-8000-000000000000', index: '0' }, json: {} },
  changeStatusEntries: { json: {} },
  revokeCredential: { json: {} },
  allocateStatusEntry: { path: { listId: '00000000-0000-4000-8000-000000000000' }, json: {} },
  startVerification: { json: { request_credentials: ['UniversityDegree'] } },
  authorizeWallet: { query: { scope: 'openid ver_test:vp_token' } },
  createVerificationSession: { json: {} },
  redeemResponseCode: { path: { sessionId: 'unknown' }, json: { response_code: 'unknown' } },
  getVerifierEntity: {},
  getAuthorizationRequest: { path: { requestId: 'unknown' } },
  postAuthorizationRequest: { path: { requestId: 'unknown' }, form: {} },
  submitAuthorizationResponse: { path: { requestId: 'unknown' }, form: { vp_token: '{}', state: 'unknown' } },
  tenantAuthorizeOpenid4vci: { path: AT_ISSUER, query: { client_id: 'unknown' } },
  tenantPushOpenid4vciAuthorization: { path: AT_ISSUER, form: { client_id: 'unknown' } },
  tenantRequestOpenid4vciToken: { path: AT_ISSUER, form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } },
  tenantRequestOpenid4vciCredential: {
    path: AT_ISSUER,
    token: 'unknown',
    json: { credential_configuration_id: 'a', proofs: { jwt: ['a'] } },
  },
  tenantRequestOpenid4vciDeferredCredential: { path: AT_ISSUER, token: 'unknown', json: { transaction_id: 'a' } },
  getRegistryDid: { path: { target: 'acme.r', did: 'unknown' } },
  getDomainDid: {},
  getDomainPathDid: { path: { didPath: 'unknown' } },
  getTenantCrl: { path: { target: 'acme.x', crlId: 'unknown' } },
  tenantGetVerifierEntity: { path: { target: 'acme.v' } },
  tenantGetAuthorizationRequest: { path: { target: 'acme.v', requestId: 'unknown' } },
  tenantPostAuthorizationRequest: { path: { target: 'acme.v', requestId: 'unknown' }, form: {} },
  tenantSubmitAuthorizationResponse: {
    path: { target: 'acme.v', requestId: 'unknown' },
    form: { vp_token: '{}', state: 'unknown' },
  },
  listAuditEvents: { path: { target: 'acme' } },
  exportAuditEvents: { path: { target: 'acme' } },
  checkAuditTrail: { path: { target: 'acme' } },
  queryAuditEntries: { json: { target: 'acme' } },
  listInstallationEvents: {},
  exportInstallationEvents: {},
  checkInstallationTrail: {},
  generateWalletKey: { path: { wallet: NO_WALLET }, json: {} },
  createWalletDid: { path: { wallet: NO_WALLET, method: 'key' } },
  generateWallet2Key: { path: { wallet: NO_WALLET }, json: {} },
  createWallet2Did: { path: { wallet: NO_WALLET }, json: { method: 'key' } },
  generateKey: { path: { target: 'acme.kms' }, json: { keyType: 'Ed25519' } },
  fetchVical: { json: {} },
  validateVical: { json: {} },
  ...SIGN_IN_CALLS,
  ...mounted(SIGN_IN_CALLS, (call) => ({ ...call, path: { target: 'acme.signin', ...call.path } })),
};

/** The sections of operations that need no login, of recorded calls, new keys and sign-ins; none has a backoff. */
const OPEN = 'open_endpoints';
const AUDIT = 'audit_endpoint';
const KEYS = 'key_endpoint';
const SIGN_IN = 'sign_in_endpoint';

const sectionOf = async (operationId: string): Promise<string> =>
  (await contract).operations.find((known) => known.operationId === operationId)?.rateLimit ?? '';

/** The operator's own networks are not limited at the open endpoints, so the calls come from elsewhere. */
const ofSection = (section: string, requestsPerMinute: number) => ({
  ...STRANGERS,
  rateLimit: { [section]: { requestsPerMinute } },
});

describe('the contract', () => {
  it('rows: limits logins, registrations, calls of wallets, recorded calls, new keys, sign-ins and open creating endpoints, each in its section', async () => {
    const limited = (await contract).operations.filter(({ rateLimit }) => rateLimit !== undefined);
    expect(Object.fromEntries(limited.map(({ operationId, rateLimit }) => [operationId, rateLimit]))).to.deep.equal({
      registerWithCertificate: 'wallet_auth_endpoint',
      loginWithCertificate: 'wallet_auth_endpoint',
      registerAccount: 'wallet_auth_endpoint',
      loginAccount: 'wallet_auth_endpoint',
      registerWallet2Account: 'wallet_auth_endpoint',
      loginWallet2Account: 'wallet_auth_endpoint',
      createSuperadmin: 'superadmin_create_by_token_endpoint',
      loginEnterpriseAccount: 'enterprise_auth_endpoint',
      registerEnterpriseAccount: 'enterprise_auth_endpoint',
      changeOwnPassword: 'enterprise_auth_endpoint',
      createAccountSession: 'enterprise_auth_endpoint',
      acceptInvitation: 'enterprise_auth_endpoint',
      enrolSecondFactor: 'enterprise_auth_endpoint',
      confirmSecondFactor: 'enterprise_auth_endpoint',
      removeSecondFactor: 'enterprise_auth_endpoint',
      resetPassword: 'enterprise_auth_endpoint',
      pushOpenid4vciAuthorization: 'issuer2_token_endpoint',
      requestOpenid4vciToken: 'issuer2_token_endpoint',
      requestOpenid4vciCredential: 'issuer2_credential_endpoint',
      requestOpenid4vciDeferredCredential: 'issuer2_credential_endpoint',
      requestAuthorization: 'draft_token_endpoint',
      pushAuthorization: 'draft_token_endpoint',
      answerLogin: 'draft_token_endpoint',
      requestAccessToken: 'draft_token_endpoint',
      requestDraft11Authorization: 'draft_token_endpoint',
      pushDraft11Authorization: 'draft_token_endpoint',
      answerDraft11Login: 'draft_token_endpoint',
      requestDraft11Token: 'draft_token_endpoint',
      requestCredential: 'draft_credential_endpoint',
      requestCredentialBatch: 'draft_credential_endpoint',
      requestDeferredCredential: 'draft_credential_endpoint',
      requestDraft11Credential: 'draft_credential_endpoint',
      requestDraft11CredentialBatch: 'draft_credential_endpoint',
      requestDraft11DeferredCredential: 'draft_credential_endpoint',
      createLoginNonce: OPEN,
      onboardIssuer: OPEN,
      onboardIaca: OPEN,
      onboardDocumentSigner: OPEN,
      issueJwtCredential: OPEN,
      issueJwtCredentialBatch: OPEN,
      issueSdJwtCredential: OPEN,
      issueSdJwtCredentialBatch: OPEN,
      issueMdoc: OPEN,
      issueMdocBatch: OPEN,
      signJwtCredential: OPEN,
      authorizeOpenid4vci: OPEN,
      createCredentialOffer: OPEN,
      createCredentialOffersInBulk: OPEN,
      deleteIssuanceRecipient: OPEN,
      replaceAttributeTable: OPEN,
      deleteAttributeTable: OPEN,
      createStatusList: OPEN,
      changeStatusEntry: OPEN,
      changeStatusEntries: OPEN,
      revokeCredential: OPEN,
      createStatusToken: OPEN,
      allocateStatusEntry: OPEN,
      getRegistryDid: OPEN,
      getDomainDid: OPEN,
      getDomainPathDid: OPEN,
      getTenantCrl: OPEN,
      startVerification: OPEN,
      authorizeWallet: OPEN,
      createVerificationSession: OPEN,
      redeemResponseCode: OPEN,
      getVerifierEntity: OPEN,
      getAuthorizationRequest: 'verifier2_request_endpoint',
      postAuthorizationRequest: 'verifier2_request_endpoint',
      submitAuthorizationResponse: 'verifier2_response_endpoint',
      tenantAuthorizeOpenid4vci: OPEN,
      tenantPushOpenid4vciAuthorization: 'issuer2_token_endpoint',
      tenantRequestOpenid4vciToken: 'issuer2_token_endpoint',
      tenantRequestOpenid4vciCredential: 'issuer2_credential_endpoint',
      tenantRequestOpenid4vciDeferredCredential: 'issuer2_credential_endpoint',
      tenantGetVerifierEntity: OPEN,
      tenantGetAuthorizationRequest: 'verifier2_request_endpoint',
      tenantPostAuthorizationRequest: 'verifier2_request_endpoint',
      tenantSubmitAuthorizationResponse: 'verifier2_response_endpoint',
      listAuditEvents: AUDIT,
      exportAuditEvents: AUDIT,
      checkAuditTrail: AUDIT,
      queryAuditEntries: AUDIT,
      listInstallationEvents: AUDIT,
      exportInstallationEvents: AUDIT,
      checkInstallationTrail: AUDIT,
      generateWalletKey: KEYS,
      createWalletDid: KEYS,
      generateWallet2Key: KEYS,
      createWallet2Did: KEYS,
      generateKey: KEYS,
      fetchVical: OPEN,
      validateVical: OPEN,
      ...Object.fromEntries(Object.keys(SIGN_IN_CALLS).map((id) => [id, SIGN_IN])),
      ...mounted(SIGN_IN_CALLS, () => SIGN_IN),
    });
    expect(Object.keys(CALLS)).to.have.members(limited.map(({ operationId }) => operationId));
    for (const { responses } of limited) expect(responses).to.have.property('429');
  });
});

describe('operations with a limit', () => {
  /** The servers of sections: the operations of a section are called from different networks, so one serves them all. */
  const kept = new Map<string, Promise<TestServer[]>>();
  after(async () => {
    const servers = (await Promise.all(kept.values())).flat();
    await Promise.all(servers.map((server) => server.close()));
  });

  function keptServers(name: string, start: () => Promise<TestServer[]>): Promise<TestServer[]> {
    const servers = kept.get(name) ?? start();
    kept.set(name, servers);
    return servers;
  }

  /** The server with this limit of a section. */
  async function serverOf(section: string, requestsPerMinute: number): Promise<TestServer> {
    const start = async () => [await startServer({ settings: ofSection(section, requestsPerMinute) })];
    const [server] = await keptServers(`${section} ${requestsPerMinute}`, start);
    return server as TestServer;
  }

  /** Two instances that block after three failures in a section, and count them together. */
  const instancesOf = (section: string): Promise<TestServer[]> =>
    keptServers(`${section} of two`, async () => {
      const { host, port } = await sharedNode();
      const settings = {
        ...STRANGERS,
        rateLimit: {
          persistence: { type: 'kvstore' as const, nodes: [{ host, port }] },
          [section]: { requestsPerMinute: 100, failureThreshold: 3, failureBlockSeconds: 77 },
        },
      };
      const one = await startServer({ settings, store: 'memory' });
      const prefix = { store: { keyPrefix: one.settings.store.keyPrefix } };
      return [one, await startServer({ settings: { ...settings, ...prefix }, store: 'memory' })];
    });

  for (const [place, [operationId, given]] of Object.entries(CALLS).entries())
    describe(operationId, () => {
      const headers = from(place + 1);
      const call = { ...given, headers };

      it('429: refuses a source at its limit, with Retry-After', async () => {
        const section = await sectionOf(operationId);
        const server = await serverOf(section, 2);
        const remaining: (string | null)[] = [];
        for (const _ of [1, 2]) {
          const { status, headers } = await server.call(operationId, call);
          expect(status).not.to.equal(429);
          remaining.push(headers.get('ratelimit'));
          server.clock.advance(10_000);
        }
        expect(remaining).to.deep.equal([`"${section}";r=1;t=60`, `"${section}";r=0;t=50`]);
        const refused = await server.call(operationId, call);
        expect(refused.status).to.equal(429);
        expect(refused.headers.get('retry-after')).to.equal('40');
        expect(refused.headers.get('ratelimit')).to.equal(`"${section}";r=0;t=40`);
        expect(refused.headers.get('ratelimit-policy')).to.equal(`"${section}";q=2;w=60`);
        expect(refused.headers.get('cache-control')).to.equal('no-store');
        const { oauthErrors } = await operationOf(operationId);
        const problem = { id: 'TooManyRequests', code: '429', status: 'Too Many Requests' };
        expect(refused.body).to.include(oauthErrors === undefined ? problem : { error: 'slow_down' });
        server.clock.advance(39_999);
        expect((await server.call(operationId, call)).status).to.equal(429);
        server.clock.advance(1);
        expect((await server.call(operationId, call)).status).not.to.equal(429);
        expect((await server.call(operationId, call)).status).to.equal(429);
      });

      it('429: is answered before the body is read', async () => {
        if ((await operationOf(operationId)).method === 'GET') return;
        const server = await serverOf(await sectionOf(operationId), 1);
        await server.call(operationId, call);
        const wrong = { path: call.path, headers, text: 'x'.repeat(2 * 1024 * 1024), contentType: 'image/png' };
        expect((await server.call(operationId, wrong)).status).to.equal(429);
      });

      it('429: blocks a source at its limit of failures, on every instance, with a key-value store', async () => {
        const section = await sectionOf(operationId);
        if ([OPEN, AUDIT, KEYS, SIGN_IN].includes(section)) return;
        const servers = await instancesOf(section);
        const failing = await failingCall(operationId, servers);
        for (const server of [...servers, ...servers.slice(0, 1)]) {
          const { status } = await server.call(operationId, { ...failing, headers });
          expect(status).to.be.oneOf([400, 401, 404, 409]);
        }
        for (const server of servers) {
          const { status, headers } = await server.call(operationId, call);
          expect(status).to.equal(429);
          expect(Number(headers.get('retry-after'))).to.be.within(75, 77);
        }
      });
    });
});

/** A call that counts as a failure. */
async function failingCall(operationId: string, servers: TestServer[]): Promise<Call> {
  if (operationId === 'registerAccount' || operationId === 'registerWallet2Account')
    for (const server of servers) await server.call(operationId, CALLS[operationId]);
  if (operationId.includes('Certificate')) return { json: byCertificate(0, { exp: 1 }) };
  return CALLS[operationId] ?? {};
}

describe('limits of the wallet', () => {
  const answer = (answers: Answer[]) => answers.map(({ status }) => status);

  it('count all operations of login and registration together, and no others', async () => {
    const server = await startServer({ settings: ofSection('wallet_auth_endpoint', 4) });
    for (const [operationId, call] of Object.entries(CALLS).slice(0, 4)) await server.call(operationId, call);
    expect((await server.call('loginAccount', CALLS.loginAccount)).status).to.equal(429);
    const open = await Promise.all([
      server.call('createLoginNonce'),
      server.call('logoutAccount'),
      server.call('createSuperadmin', CALLS.createSuperadmin),
    ]);
    expect(answer(open)).to.not.include(429);
    for (const { headers } of open.slice(0, 2)) expect(headers.get('ratelimit')).to.equal(null);
    await server.close();
  });

  it('count their decisions in the metrics', async () => {
    const server = await startServer({ settings: ofSection('wallet_auth_endpoint', 2) });
    for (const _ of [1, 2, 3]) await server.call('loginAccount', CALLS.loginAccount);
    const { body } = await server.fetch('/metrics');
    const counted = (outcome: string, count: number) =>
      `credenza_rate_limited_requests_total{section="wallet_auth_endpoint",outcome="${outcome}"} ${count}`;
    expect(body).to.include(counted('admitted', 2)).and.include(counted('refused', 1));
    await server.close();
  });

  it('admit exactly the allowed number of concurrent requests', async () => {
    const server = await startServer({ settings: ofSection('wallet_auth_endpoint', 7) });
    const calls = Array.from({ length: 50 }, () => server.call('loginWithCertificate', { json: byCertificate(0) }));
    const statuses = answer(await Promise.all(calls));
    expect(statuses.filter((status) => status === 200)).to.have.length(7);
    expect(statuses.filter((status) => status === 429)).to.have.length(43);
    await server.close();
  });

  it('apply to two instances together with a key-value store', async () => {
    const { host, port } = await sharedNode();
    const persistence = { type: 'kvstore' as const, nodes: [{ host, port }] };
    const rateLimit = { persistence, wallet_auth_endpoint: { requestsPerMinute: 7, failureThreshold: 1000 } };
    const one = await startServer({ settings: { rateLimit }, store: 'memory' });
    const store = { keyPrefix: one.settings.store.keyPrefix };
    const other = await startServer({ settings: { rateLimit, store }, store: 'memory' });
    const calls = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? one : other).call('loginWithCertificate', { json: byCertificate(0) }),
    );
    const statuses = answer(await Promise.all(calls));
    expect(statuses.filter((status) => status === 200)).to.have.length(7);
    await Promise.all([one.close(), other.close()]);
  });

  it('apply in the process when the key-value store is unreachable', async () => {
    const persistence = { type: 'kvstore' as const, nodes: [{ host: '127.0.0.1', port: 9 }] };
    const rateLimit = { persistence, wallet_auth_endpoint: { requestsPerMinute: 3 } };
    const server = await startServer({ settings: { rateLimit } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1)
      statuses.push((await server.call('loginWithCertificate', { json: byCertificate(0) })).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429]);
    expect(server.lines.filter(({ message }) => message.includes('rate limits'))).to.have.length.within(1, 2);
    await server.close();
  });
});
