import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { AttestedIssuance, type AttestedWallet, IDENTITY, type Sent, SIGNER } from '../../actors/attested-wallet.ts';
import { type Answer, startServer, type TestServer } from '../../support/servers/server.ts';

const outcome = ({ status, body }: Answer) => [status, body.error];
const PLAIN: Sent = { dpop: false, attestation: false, pop: false };

describe('OpenID4VCI 1.0, an open issuer', () => {
  let issuance: AttestedIssuance;
  let wallet: AttestedWallet;
  before(async () => {
    issuance = await AttestedIssuance.start('OPEN');
  });
  after(() => issuance.close());
  beforeEach(() => {
    wallet = issuance.wallet();
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const preAuthorized = async () => {
    const { grants } = await issuance.offer({ authMethod: 'PRE_AUTHORIZED' });
    return { grant_type: GRANT, 'pre-authorized_code': grants[GRANT]['pre-authorized_code'] };
  };

  describe('requestOpenid4vciToken', () => {
    it('200: a wallet that proves nothing gets a Bearer token, and no refresh token for a pre-authorized code', async () => {
      const { status, body } = await wallet.send('token', { form: await preAuthorized() }, PLAIN);
      expect([status, body.token_type]).to.deep.equal([200, 'bearer']);
      expect(body).to.not.have.property('refresh_token');
      expect((await wallet.claim(body.access_token, { dpop: false }, bearer(body.access_token))).status).to.equal(200);
    });

    it('200: a wallet that proves a key gets a token and a refresh token for this key', async () => {
      const sent: Sent = { attestation: false, pop: false };
      const { body } = await wallet.send('token', { form: await preAuthorized() }, sent);
      expect(body.token_type).to.equal('DPoP');
      const answer = await wallet.claim(body.access_token, { dpop: false }, bearer(body.access_token));
      expect(outcome(answer)).to.deep.equal([401, 'invalid_token']);
      expect(answer.headers.get('www-authenticate')).to.equal(
        'DPoP error="invalid_token", algs="EdDSA ES256", Bearer error="invalid_token"',
      );
      expect((await wallet.claim(body.access_token)).status).to.equal(200);
      const other = await wallet.refresh(body.refresh_token, {}, { ...sent, dpop: { key: makeHolderKey() } });
      expect(outcome(other)).to.deep.equal([400, 'invalid_grant']);
      const next = await wallet.refresh(body.refresh_token, {}, sent);
      expect([next.status, next.body.token_type]).to.deep.equal([200, 'DPoP']);
    });

    it('200: a token of no key is refused with a proof', async () => {
      const { body } = await wallet.redeem(await wallet.code({}, PLAIN), {}, PLAIN);
      expect(outcome(await wallet.claim(body.access_token))).to.deep.equal([401, 'invalid_token']);
      expect((await wallet.claim(body.access_token, { dpop: false }, bearer(body.access_token))).status).to.equal(200);
    });

    it('200: a refresh token is replaced with each use, and keeps what the wallet asked for', async () => {
      const details = JSON.stringify([{ type: 'openid_credential', credential_configuration_id: IDENTITY }]);
      const code = await wallet.code({ scope: undefined, authorization_details: details }, PLAIN);
      const first = (await wallet.redeem(code, {}, PLAIN)).body;
      const { status, body } = await wallet.refresh(first.refresh_token, {}, PLAIN);
      expect(status).to.equal(200);
      expect(body.refresh_token).to.not.equal(first.refresh_token);
      expect(body.authorization_details).to.deep.equal(first.authorization_details);
      expect((await wallet.claim(body.access_token, { dpop: false }, bearer(body.access_token))).status).to.equal(200);
    });

    it('200: ten uses of a refresh token at once give the same next one, as does a repeated one after a lost answer', async () => {
      const first = (await wallet.redeem(await wallet.code({}, PLAIN), {}, PLAIN)).body;
      const use = () => wallet.refresh(first.refresh_token, {}, PLAIN);
      const answers = [...(await Promise.all(Array.from({ length: 10 }, use))), await use()];
      expect(answers.map(({ status }) => status)).to.deep.equal(Array.from(answers, () => 200));
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).to.equal(1);
      const token = answers.at(-1)?.body.access_token;
      expect((await wallet.claim(token, { dpop: false }, bearer(token))).status).to.equal(200);
    });

    it('400: the use of a refresh token whose replacement was used makes all tokens void', async () => {
      const first = (await wallet.redeem(await wallet.code({}, PLAIN), {}, PLAIN)).body;
      const second = (await wallet.refresh(first.refresh_token, {}, PLAIN)).body;
      const third = (await wallet.refresh(second.refresh_token, {}, PLAIN)).body;
      expect(outcome(await wallet.refresh(first.refresh_token, {}, PLAIN))).to.deep.equal([400, 'invalid_grant']);
      for (const token of [first.access_token, second.access_token, third.access_token])
        expect((await wallet.claim(token, { dpop: false }, bearer(token))).status).to.equal(401);
      expect(outcome(await wallet.refresh(third.refresh_token, {}, PLAIN))).to.deep.equal([400, 'invalid_grant']);
    });

    it('200: an access token that can be refreshed lives an hour at most, and no longer than its session', async () => {
      const { grants, offerId } = await issuance.offer({ expiresInSeconds: 5400 });
      const code = await wallet.code({ issuer_state: grants.authorization_code.issuer_state }, PLAIN);
      const { body } = await wallet.redeem(code, {}, PLAIN);
      expect(body.expires_in).to.equal(3600);
      issuance.server.clock.advance(3_600_000);
      expect((await wallet.claim(body.access_token, { dpop: false }, bearer(body.access_token))).status).to.equal(401);
      expect((await wallet.refresh(body.refresh_token, {}, PLAIN)).body.expires_in).to.equal(1800);
      const session = await issuance.server.call('getIssuanceSession', { path: { sessionId: offerId } });
      expect(session.body.status).to.equal('ACTIVE');
    });
  });

  describe('authorizeOpenid4vci', () => {
    it('302: without an offer a session of the profile begins and lives five minutes', async () => {
      const answer = await wallet.authorize(wallet.parameters());
      const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
      const { body } = await wallet.redeem(code, {}, PLAIN);
      expect([body.expires_in, body.scope]).to.deep.equal([300, IDENTITY]);
      const sessions = (await issuance.server.call('listIssuanceSessions', { query: { sort: 'createdDateTime' } }))
        .body;
      expect(sessions[0]).to.include({ profileId: 'identity', authenticationMethod: 'AUTHORIZED', status: 'ACTIVE' });
    });

    it('302: invalid_request when the wallet does not say what it wants', async () => {
      const answer = await wallet.authorize(wallet.parameters({ scope: undefined }));
      expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).to.equal('invalid_request');
    });
  });

  describe('createCredentialOffer', () => {
    it('201: OMIT does not name the session, and the wallet gets the credential by its scope', async () => {
      const { grants } = await issuance.offer({ issuerStateMode: 'OMIT' });
      expect(grants).to.deep.equal({ authorization_code: {} });
      expect((await wallet.redeem(await wallet.code({}, PLAIN), {}, PLAIN)).status).to.equal(200);
    });

    it('400: OMIT with changes, which the session of the wallet would not have', async () => {
      const json = { profileId: 'identity', authMethod: 'AUTHORIZED', issuerStateMode: 'OMIT' };
      const runtimeOverrides = { credentialData: { given_name: 'Grace' } };
      const { status, body } = await issuance.server.call('createCredentialOffer', {
        json: { ...json, runtimeOverrides },
      });
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/runtimeOverrides']);
    });
  });
});

describe('authorizeOpenid4vci, several profiles without an offer', () => {
  let server: TestServer;
  before(async () => {
    const identity = {
      name: 'Identity',
      credentialConfigurationId: IDENTITY,
      credentialData: { given_name: 'Ada' },
      walletInitiated: true,
      ...SIGNER,
    };
    const degree = {
      ...identity,
      credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
      credentialData: { type: ['VerifiableCredential', 'UniversityDegree'] },
    };
    server = await startServer({
      settings: { issuer2Profiles: { profiles: { one: identity, other: identity, degree } } },
    });
  });
  after(() => server.close());

  it('302: invalid_request when several of them fit, invalid_scope when one does not cover all', async () => {
    const ask = async (scope: string) => {
      const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
      const proofKey = { code_challenge: challenge, code_challenge_method: 'S256' };
      const request = { response_type: 'code', client_id: 'wallet', redirect_uri: 'https://wallet.example/callback' };
      const answer = await server.call('authorizeOpenid4vci', { query: { ...request, ...proofKey, scope } });
      return new URL(answer.headers.get('location') ?? '').searchParams.get('error');
    };
    expect(await ask(IDENTITY)).to.equal('invalid_request');
    expect(await ask('UniversityDegree_jwt_vc_json')).to.equal(null);
    expect(await ask('UniversityDegree_jwt_vc_json unknown')).to.equal('invalid_scope');
  });
});
