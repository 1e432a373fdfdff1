import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { ATTESTER, AttestedIssuance, IDENTITY, REDIRECT_URI } from '../../actors/attested-wallet.ts';
import { browse, type CodeBehaviour, giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { until } from '../../support/runs/waiting.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';
const DEGREE = 'Degree_jwt_vc_json';
const TEN_MINUTES = 10 * 60 * 1000;

type Json = Record<string, unknown>;

const held = async (user: WalletUser) => (await user.call('listWalletCredentials')).body;
const refusal = ({ status, body }: Answer) => [status, body.details?.[0].path];
const good = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
};

describe('wallet API 2: receiving of another issuer', () => {
  const server = useServer({ settings: { wallet: { redirectUris: [REDIRECT_URI] } }, outboundTimeoutMs: 2000 });
  let holder: WalletUser;
  let other: WalletUser;
  let issuer: TestIssuer;
  before(async () => {
    [holder, other] = await Promise.all([newWalletUser(server), newWalletUser(server)]);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
    issuer.behaviour.nonces = 'endpoint';
  });
  afterEach(() => issuer.close());

  const call = (operationId: string, json: Json, user = holder) => user.call(operationId, { json });
  const receive = (more: Json = {}, user = holder) =>
    call('receiveCredentials', { offerUrl: issuer.link(), ...more }, user);
  const tokenRequest = (more: Json = {}) => ({
    tokenEndpoint: `${issuer.issuer}/token`,
    preAuthorizedCode: 'the-code',
    credentialIssuer: issuer.issuer,
    ...more,
  });
  const proof = async (more: Json = {}, user = holder): Promise<string> => {
    const { nonce } = good(await call('requestNonce', { credentialIssuer: issuer.issuer }, user));
    const asked = { issuerUrl: issuer.issuer, credentialConfigurationId: DEGREE, nonce, ...more };
    return good(await call('signProof', asked, user)).proofJwt;
  };
  const fetching = (accessToken: string, proofJwt: string, more: Json = {}) => ({
    credentialEndpoint: `${issuer.issuer}/credential`,
    credentialConfigurationId: DEGREE,
    ...{ accessToken, proofJwt, ...more },
  });

  it('receiveCredentials 200: a link or the offer itself; what is received has the ids of the wallet', async () => {
    const { credentialIds, deferredTransactionIds } = good(await receive({ metadata: { from: 'my school' } }));
    expect(deferredTransactionIds).to.deep.equal({});
    expect((await held(holder)).map(({ id }: { id: string }) => id)).to.deep.equal(credentialIds);
    const second = good(await receive({ offerUrl: undefined, offerJson: issuer.offer() }));
    expect(await held(holder)).to.have.length(2);
    expect(second.credentialIds).to.have.length(1);
  });

  it('receiveCredentials 200: with another key of the wallet, and with one of the caller', async () => {
    const jwk = makeHolderKey().privateKey.export({ format: 'jwk' });
    const { body: keyId } = await holder.call('generateWalletKey', { json: { backend: 'jwk', keyType: 'secp256r1' } });
    for (const choice of [{ keyId }, { key: { type: 'jwk', jwk } }]) good(await receive(choice));
    const subjects = (await held(holder)).map(
      ({ parsedDocument }: { parsedDocument: { credentialSubject: { id: string } } }) =>
        parsedDocument.credentialSubject.id,
    );
    expect(new Set(subjects).size).to.equal(2);
    expect(subjects.every((did: string) => did.startsWith('did:jwk:'))).to.equal(true);
    expect(refusal(await receive({ keyId: 'none' }))).to.deep.equal([400, '/body/keyId']);
    expect(refusal(await receive({ keyId, did: holder.did }))).to.deep.equal([400, '/body/did']);
    expect(refusal(await receive({ key: { type: 'jwk', jwk: { kty: 'EC' } } }))[1]).to.match(/^\/body\/key\/jwk/);
  });

  it('receiveCredentials 400: names the offer, and says the code of the issuer and none of its words', async () => {
    expect(refusal(await receive({ offerJson: issuer.offer() }))).to.deep.equal([400, '/body/offerUrl']);
    expect(refusal(await receive({ offerUrl: undefined }))).to.deep.equal([400, '/body/offerUrl']);
    expect(refusal(await receive({ offerUrl: 'nonsense' }))).to.deep.equal([400, '/body/offerUrl']);
    expect(refusal(await receive({ metadata: { note: 'x'.repeat(20_000) } }))).to.deep.equal([400, '/body/metadata']);
    issuer.behaviour.txCode = '4711';
    const { status, body } = await receive({ txCode: '1234' });
    expect([status, body.upstreamError]).to.deep.equal([400, 'invalid_grant']);
    expect(JSON.stringify(body)).not.to.include('transaction code');
  });

  it('receiveCredentials 200: with the transaction code, under the name that the issuer shows', async () => {
    issuer.behaviour.txCode = '4711';
    const metadata = issuer.peer.routes[METADATA];
    issuer.peer.routes[METADATA] = async (request) => {
      const body = Object((await metadata?.(request))?.body);
      body.credential_configurations_supported[DEGREE].display = [{ name: 'Diploma' }];
      return { body };
    };
    const [credentialId] = good(await receive({ txCode: '4711' })).credentialIds;
    const [stored] = good(await holder.call('listWallet2Credentials'));
    expect([stored.id, stored.label]).to.deep.equal([credentialId, 'Diploma']);
  });

  it('receiveCredentials, requestToken 502: a token endpoint that fails is not the mistake of the caller', async () => {
    issuer.peer.routes['/issuer/token'] = () => ({ status: 500, body: { message: 'of the inside' } });
    for (const answer of [await receive(), await call('requestToken', tokenRequest())]) {
      expect(answer.status).to.equal(502);
      expect(JSON.stringify(answer.body)).not.to.include('of the inside');
    }
  });

  it('receiveCredentials 502: a credential of another issuer is not stored', async () => {
    issuer.behaviour.credential = (jwt) => `${jwt.slice(0, -8)}AAAAAAAA`;
    expect((await receive()).status).to.equal(502);
    expect(await held(holder)).to.deep.equal([]);
  });

  it('requestToken, requestNonce, signProof, fetchCredential 200: nothing is stored unless the call says so', async () => {
    const { accessToken, ...token } = good(await call('requestToken', tokenRequest()));
    expect(token).to.deep.equal({ expiresIn: 60, tokenType: 'Bearer' });
    const { rawCredentials } = good(await call('fetchCredential', fetching(accessToken, await proof())));
    expect([rawCredentials.length, await held(holder)]).to.deep.equal([1, []]);
    const notes = { label: 'My degree', metadata: { term: 3 } };
    const stored = fetching(accessToken, await proof(), { storeInWallet: true, ...notes });
    const again = good(await call('fetchCredential', stored)).rawCredentials;
    expect((await held(holder)).map(({ document }: { document: string }) => document)).to.deep.equal(again);
  });

  it('fetchCredential 400: a nonce that the issuer refuses; a new nonce and proof succeed', async () => {
    const { accessToken } = good(await call('requestToken', tokenRequest()));
    issuer.behaviour.staleProofs = 1;
    const { status, body } = await call('fetchCredential', fetching(accessToken, await proof()));
    expect([status, body]).to.deep.equal([400, { error: 'invalid_nonce' }]);
    good(await call('fetchCredential', fetching(accessToken, await proof())));
    const refused = await call('fetchCredential', fetching('another-token', await proof()));
    expect([refused.status, refused.body.upstreamError]).to.deep.equal([400, 'invalid_token']);
  });

  it('requestToken, fetchCredential 400: endpoints are those of the issuer, and what is stored has one', async () => {
    const elsewhere = `${issuer.peer.url}/elsewhere`;
    expect(refusal(await call('requestToken', tokenRequest({ tokenEndpoint: elsewhere })))).to.deep.equal([
      400,
      '/body/tokenEndpoint',
    ]);
    const { accessToken } = good(await call('requestToken', tokenRequest()));
    const jwt = await proof();
    const cases: [Json, string][] = [
      [{ credentialEndpoint: elsewhere }, '/body/credentialEndpoint'],
      [{ credentialIssuerBaseUrl: issuer.peer.url }, '/body/credentialIssuerBaseUrl'],
    ];
    for (const [more, path] of cases)
      expect(refusal(await call('fetchCredential', fetching(accessToken, jwt, more)))).to.deep.equal([400, path]);
    const bare = good(await call('requestToken', tokenRequest({ credentialIssuer: undefined })));
    const unknown = fetching(bare.accessToken, jwt);
    server.clock.advance(TEN_MINUTES);
    const named = refusal(await call('fetchCredential', { ...unknown, storeInWallet: true }));
    expect(named, 'forgotten after ten minutes').to.deep.equal([400, '/body/credentialIssuerBaseUrl']);
    expect(issuer.peer.count('/elsewhere')).to.equal(0);
    expect(good(await call('fetchCredential', fetching('the-token', await proof()))).rawCredentials).to.have.length(1);
  });

  it('resolveOffer 200: who offers what, and which code is needed, before anything is requested', async () => {
    issuer.behaviour.txCode = '4711';
    const offer = good(await call('resolveOffer', { offerUrl: issuer.link() }));
    expect(offer).to.deep.equal({
      credentialIssuer: issuer.issuer,
      credentialConfigurationIds: [DEGREE],
      grantType: 'pre-authorized_code',
      preAuthorizedCode: 'the-code',
      txCodeRequired: true,
      credentialEndpoint: `${issuer.issuer}/credential`,
      tokenEndpoint: `${issuer.issuer}/token`,
      nonceEndpoint: `${issuer.issuer}/nonce`,
      issuer: { credentialIssuer: issuer.issuer, proof: {} },
      offeredCredentials: [{ configurationId: DEGREE, format: 'jwt_vc_json', claims: [] }],
      transactionCode: { inputMode: 'numeric', length: 4 },
    });
    expect(issuer.peer.count('/issuer/token')).to.equal(0);
    expect((await call('resolveOffer', { offerUrl: issuer.link(['Unknown']) })).status).to.equal(400);
  });

  it('collectDeferred 200: nothing while the issuer has no credential, later the credential, once', async () => {
    const metadata = '/issuer/.well-known/openid-credential-issuer';
    const known = issuer.peer.routes[metadata];
    issuer.peer.routes[metadata] = async (request) => {
      const { body } = Object(await known?.(request));
      return { body: { ...body, deferred_credential_endpoint: `${issuer.issuer}/deferred` } };
    };
    const deliver = issuer.peer.routes['/issuer/credential'];
    let credential: unknown;
    let isReady = false;
    issuer.peer.routes['/issuer/credential'] = async (request) => {
      const { body } = Object(await deliver?.(request));
      [{ credential }] = body.credentials;
      return { status: 202, body: { transaction_id: 'later', interval: 1 } };
    };
    issuer.peer.routes['/issuer/deferred'] = () =>
      isReady
        ? { body: { credentials: [{ credential }] } }
        : { status: 400, body: { error: 'issuance_pending', interval: 1 } };
    const transactions = { [DEGREE]: 'later' };
    expect(good(await receive())).to.deep.equal({ credentialIds: [], deferredTransactionIds: transactions });
    /** Waits while the wallet asks by itself. */
    const collect = async (more: Json = {}, user = holder): Promise<Answer> => {
      let answer = {} as Answer;
      await until(async () => {
        answer = await call('collectDeferred', { transactionId: 'later', ...more }, user);
        return answer.status !== 503;
      });
      return answer;
    };
    expect(good(await collect())).to.deep.equal({ credentialIds: [], deferredTransactionIds: {} });
    expect((await collect({}, other)).status).to.equal(404);
    isReady = true;
    server.clock.advance(5000);
    expect(good(await collect()).credentialIds).to.have.length(1);
    expect((await collect()).status, 'a second time').to.equal(404);

    const { accessToken } = good(await call('requestToken', tokenRequest()));
    const fetched = good(await call('fetchCredential', fetching(accessToken, await proof())));
    expect(fetched).to.deep.equal({ rawCredentials: [], transactionId: 'later' });
    expect((await collect()).status, 'nothing waits for what is not to be stored').to.equal(404);
    const stated = { accessToken, deferredCredentialEndpoint: `${issuer.issuer}/deferred` };
    expect(refusal(await collect(stated))).to.deep.equal([400, '/body/credentialConfigurationId']);
    const named = { ...stated, credentialConfigurationId: DEGREE };
    expect(refusal(await collect({ ...named, deferredCredentialEndpoint: issuer.issuer }))).to.deep.equal([
      400,
      '/body/deferredCredentialEndpoint',
    ]);
    expect(good(await collect(named)).credentialIds).to.deep.equal([]);
    server.clock.advance(5000);
    expect(good(await collect()).credentialIds).to.have.length(1);
  });

  describe('with a login', () => {
    let codes: CodeBehaviour & { asked: URLSearchParams[] };
    beforeEach(() => {
      codes = giveCodes(issuer);
    });
    const begin = async (more: Json = {}, user = holder) =>
      good(
        await call(
          'createAuthorizationUrl',
          { offerUrl: loginOffer(issuer), redirectUri: REDIRECT_URI, ...more },
          user,
        ),
      );
    const login = async (more: Json = {}) => {
      const begun = await begin(more);
      return { begun, answer: await browse(begun.authorizationUrl, REDIRECT_URI) };
    };
    const authorized = ({ code, iss }: Record<string, string>, more: Json = {}) => ({
      ...{ code, iss, credentialIssuer: issuer.issuer, credentialEndpoint: `${issuer.issuer}/credential` },
      credentialConfigurationId: DEGREE,
      ...more,
    });

    it('createAuthorizationUrl, receiveAuthorized 200: the verifier of the login, once; every credential of the offer', async () => {
      const ids = [DEGREE, 'Passport_jwt_vc_json'];
      const { begun, answer } = await login({ offerUrl: loginOffer(issuer, ids), useScope: true });
      expect(begun).to.deep.include({ credentialConfigurationId: DEGREE, credentialIssuerBaseUrl: issuer.issuer });
      expect(begun.nonceEndpoint).to.equal(`${issuer.issuer}/nonce`);
      const wrong = authorized(answer, { codeVerifier: 'w'.repeat(43) });
      expect(refusal(await call('receiveAuthorized', wrong))).to.deep.equal([400, '/body/codeVerifier']);
      const right = authorized(answer, { codeVerifier: begun.codeVerifier, label: 'Mine' });
      expect(refusal(await call('receiveAuthorized', right, other)), 'of another wallet').to.deep.equal([
        400,
        '/body/codeVerifier',
      ]);
      expect(good(await call('receiveAuthorized', right)).credentialIds).to.have.length(2);
      expect(refusal(await call('receiveAuthorized', right)), 'again').to.deep.equal([400, '/body/codeVerifier']);
      expect(codes.asked).to.have.length(1);
    });

    it('receiveAuthorized 400: names what is not that of the login', async () => {
      const cases: [Json, string][] = [
        [{ iss: undefined }, '/body/iss'],
        [{ iss: 'https://other.example' }, '/body/iss'],
        [{ credentialIssuer: 'https://other.example' }, '/body/codeVerifier'],
        [{ credentialEndpoint: 'https://other.example' }, '/body/credentialEndpoint'],
        [{ credentialConfigurationId: 'Other' }, '/body/credentialConfigurationId'],
        [{ nonceEndpoint: 'https://other.example' }, '/body/nonceEndpoint'],
        [{ clientId: 'another' }, '/body/clientId'],
        [{ redirectUri: 'https://other.example' }, '/body/redirectUri'],
        [{ codeVerifier: undefined }, '/body/codeVerifier'],
      ];
      for (const [more, path] of cases) {
        const { begun, answer } = await login();
        const json = authorized(answer, { codeVerifier: begun.codeVerifier, ...more });
        expect(refusal(await call('receiveAuthorized', json)), path).to.deep.equal([400, path]);
      }
      const { answer } = await login();
      const bound = await call('receiveAuthorized', authorized(answer, { state: answer.state, useDpop: true }));
      expect([bound.status, bound.body.message]).to.deep.equal([400, 'The server takes no DPoP proofs of this wallet']);
      expect(issuer.peer.count('/issuer/token')).to.equal(0);
    });

    it('exchangeCode 200: a token for the next steps', async () => {
      const { answer } = await login();
      const { code, iss, state } = answer;
      const asked = { code, iss, state, credentialIssuerBaseUrl: issuer.issuer, redirectUri: REDIRECT_URI };
      const { accessToken } = good(await call('exchangeCode', asked));
      good(await call('fetchCredential', fetching(accessToken, await proof(), { storeInWallet: true })));
      expect(await held(holder)).to.have.length(1);
      expect(refusal(await call('exchangeCode', asked))).to.deep.equal([400, '/body/state']);
    });

    it('createAuthorizationUrl 400: an offer that needs no login, and an address that is not allowed', async () => {
      const url = { offerUrl: issuer.link(), redirectUri: REDIRECT_URI };
      expect(refusal(await call('createAuthorizationUrl', url))).to.deep.equal([400, '/body/offerUrl']);
      const away = { offerUrl: loginOffer(issuer), redirectUri: 'https://evil.example' };
      expect(refusal(await call('createAuthorizationUrl', away))).to.deep.equal([400, '/body/redirectUri']);
      expect(refusal(await call('createAuthorizationUrl', { ...away, usePkce: false }))).to.deep.equal([
        400,
        '/body/usePkce',
      ]);
    });
  });
});

const KEY = { backend: 'jwk', keyType: 'secp256r1' };

describe('wallet API 2: receiving of our issuer with HAIP', () => {
  const attester = makeHolderKey();
  const signingKey = { type: 'jwk', jwk: attester.privateKey.export({ format: 'jwk' }) };
  const local = { issuer: ATTESTER, signingKey, x5Chain: [], validitySeconds: 3600, keyStorage: [] };
  let issuance: AttestedIssuance;
  let holder: WalletUser;
  before(async () => {
    const wallet = { attester: local, redirectUris: [REDIRECT_URI] };
    issuance = await AttestedIssuance.start('HAIP', {}, { wallet }, attester);
    holder = await newWalletUser(issuance.server);
  });
  after(() => issuance.close());

  const call = (operationId: string, json: Json) => holder.call(operationId, { json });
  const begin = async (operationId = 'createAuthorizationUrl', more: Json = {}) => {
    const json = { profileId: 'identity', authMethod: 'AUTHORIZED' };
    const { credentialOffer: offerUrl } = (await issuance.server.call('createCredentialOffer', { json })).body;
    const begun = good(await call(operationId, { offerUrl, redirectUri: REDIRECT_URI, ...more }));
    return { begun, answer: await browse(begun.authorizationUrl, REDIRECT_URI) };
  };

  it('receiveAuthorized 200: one call before the login and one after it, pushed, attested and bound to a key', async () => {
    const { begun, answer } = await begin();
    expect([...new URL(begun.authorizationUrl).searchParams.keys()]).to.deep.equal(['client_id', 'request_uri']);
    const issuer = `${issuance.server.url}/openid4vci`;
    const received = await call('receiveAuthorized', {
      ...{ code: answer.code, iss: answer.iss, state: answer.state, useDpop: true },
      ...{ credentialIssuer: issuer, credentialEndpoint: `${issuer}/credential`, credentialConfigurationId: IDENTITY },
    });
    expect(good(received).credentialIds).to.have.length(1);
  });

  it('createAuthorizationUrlBatch, receiveAuthorizedBatch 200: in copies for two keys', async () => {
    const { begun, answer } = await begin('createAuthorizationUrlBatch', { credentialConfigurationIds: [IDENTITY] });
    const holderBindings: Json[] = [];
    for (let copy = 0; copy < 2; copy += 1)
      holderBindings.push({ keyId: (await holder.call('generateWalletKey', { json: KEY })).body });
    const issuer = `${issuance.server.url}/openid4vci`;
    const received = await call('receiveAuthorizedBatch', {
      ...{ code: answer.code, iss: answer.iss, codeVerifier: begun.codeVerifier },
      ...{ credentialIssuer: issuer, credentialEndpoint: `${issuer}/credential` },
      credentials: [{ credentialConfigurationId: IDENTITY, holderBindings }],
    });
    expect(good(received).credentialIds).to.have.length(2);
  });

  it('exchangeCode, fetchCredential 200: a token that is bound to a key works step by step, for its wallet alone', async () => {
    const { answer } = await begin();
    const issuer = `${issuance.server.url}/openid4vci`;
    const { code, iss, state } = answer;
    const token = good(await call('exchangeCode', { code, iss, state, credentialIssuerBaseUrl: issuer }));
    expect(token.tokenType).to.equal('DPoP');
    const { nonce } = good(await call('requestNonce', { credentialIssuer: issuer }));
    const asked = { issuerUrl: issuer, credentialConfigurationId: IDENTITY, nonce };
    const { proofJwt } = good(await call('signProof', asked));
    const json = {
      ...{ credentialEndpoint: `${issuer}/credential`, accessToken: token.accessToken, proofJwt },
      ...{ credentialConfigurationId: IDENTITY, storeInWallet: true },
    };
    const other = await newWalletUser(issuance.server);
    expect(
      (await other.call('fetchCredential', { json: { ...json, credentialIssuerBaseUrl: issuer } })).status,
    ).to.equal(400);
    expect(good(await call('fetchCredential', json)).rawCredentials).to.have.length(1);
  });
});
