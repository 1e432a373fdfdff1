import { expect } from 'chai';
import { calculateJwkThumbprint, decodeProtectedHeader, type JWK } from 'jose';
import { ATTESTER, REDIRECT_URI } from '../../actors/attested-wallet.ts';
import { browse } from '../../actors/code-grant.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { until } from '../../support/runs/waiting.ts';
import { type Answer, startServer, type TestServer } from '../../support/servers/server.ts';
import { type Json, PROFILES, type SeenRequest, SuiteIssuer, tokenIn } from './suite-issuer.ts';

/** How the issuer of a plan delivers. */
const MODES = ['immediate', 'deferred', 'encrypted'] as const;
const COPIES = 3;

/** The modules of the plan oid4vci-1_0-wallet-haip-test-plan: what each looks at once the wallet has its credential. */
const MODULES: Record<string, (suite: SuiteIssuer) => Promise<void> | void> = {
  'test-credential-issuance': checkIssuance,
  'test-credential-issuance-with-notification': async (suite) => {
    // What the wallet had before is deleted at the same time.
    const told = () => suite.to('notification').filter(({ body }) => !body.includes('credential_deleted'));
    await until(() => told().length > 0);
    const [{ status, body, headers }, ...more] = told() as [SeenRequest];
    expect([status, more]).to.deep.equal([204, []]);
    const { notification_id: id, ...event } = JSON.parse(body);
    expect([typeof id, event]).to.deep.equal(['string', { event: 'credential_accepted' }]);
    expect(headers).to.include.keys('dpop', 'authorization');
  },
  'test-batch-credential-issuance': async (suite) => {
    const [{ body }] = suite.to('credential').filter(({ status }) => status < 300) as [SeenRequest];
    const proofs: string[] = body.startsWith('{') ? JSON.parse(body).proofs.jwt : [];
    if (proofs.length === 0) return;
    const keys = proofs.map((proof) => decodeProtectedHeader(proof).jwk as JWK);
    expect(new Set(await Promise.all(keys.map((jwk) => calculateJwkThumbprint(jwk)))).size).to.equal(COPIES);
  },
  'test-client-attestation-challenge': (suite) => {
    const challenges = suite.to('challenge').map(({ answer }) => answer.attestation_challenge);
    const [first] = suite.to('par');
    expect(challenges).to.include(tokenIn(first?.headers['oauth-client-attestation-pop']).challenge);
  },
};

/** What each request of a flow must have (HAIP 1.0 §4). */
function checkIssuance(suite: SuiteIssuer): void {
  const [pushed] = suite.to('par').filter(({ status }) => status === 201);
  expect(pushed?.form).to.include.keys('issuer_state', 'scope', 'code_challenge', 'client_id');
  expect(pushed?.form.code_challenge_method).to.equal('S256');
  for (const { headers } of [...suite.to('par'), ...suite.to('token')]) {
    expect(headers).to.include.keys('oauth-client-attestation', 'oauth-client-attestation-pop');
    expect(tokenIn(headers['oauth-client-attestation-pop']).aud).to.match(/\/openid4vci$/);
  }
  for (const { headers } of suite.to('token')) expect(headers).to.include.keys('dpop');
  const tokens = (name: string) =>
    suite.seen.flatMap(({ headers }) => (headers[name] ? [tokenIn(headers[name]).jti] : []));
  for (const name of ['dpop', 'oauth-client-attestation-pop'])
    expect(new Set(tokens(name)).size, `${name} is used once`).to.equal(tokens(name).length);
  const nonces = suite.to('nonce').map(({ answer }) => answer.c_nonce);
  for (const { headers, body } of suite.to('credential')) {
    expect(headers.authorization).to.match(/^DPoP /);
    if (!body.startsWith('{')) {
      expect(headers['content-type']).to.equal('application/jwt');
      continue;
    }
    const { proofs, ...named } = JSON.parse(body);
    expect(Object.keys(named)).to.have.length(1);
    expect(Object.keys(named)[0]).to.match(/^credential_(identifier|configuration_id)$/);
    for (const proof of proofs.jwt) expect(nonces).to.include(tokenIn(proof).nonce);
  }
}

describe('The wallet modules of the OpenID conformance suite for issuing with HAIP', () => {
  let suite: SuiteIssuer;
  let server: TestServer;
  let holder: WalletUser;
  before(async () => {
    suite = await SuiteIssuer.start();
    const signingKey = { type: 'jwk', jwk: suite.attester.privateKey.export({ format: 'jwk' }) };
    const attester = { issuer: ATTESTER, signingKey, x5Chain: [], validitySeconds: 3600 };
    const wallet = { attester, clientId: 'https://wallet.example', redirectUris: [REDIRECT_URI], batchSize: COPIES };
    server = await startServer({ settings: { wallet } });
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    suite.changes = {};
  });
  after(() => Promise.all([suite.close(), server.close()]));

  const begin = async (profile: string): Promise<Answer> =>
    holder.call('beginOfferAuthorization', { json: { offer: await suite.offer(profile), redirectUri: REDIRECT_URI } });
  async function receive(profile: string): Promise<Answer> {
    const begun = await begin(profile);
    expect(begun.status, JSON.stringify(begun.body)).to.equal(200);
    const answer = await browse(begun.body.authorizationUrl, REDIRECT_URI);
    return holder.call('finishOfferAuthorization', { json: answer });
  }
  /** Asks for the credential when the time that the issuer stated is over; the wallet may be asking by itself. */
  async function collectLater(): Promise<void> {
    const [{ id }] = (await holder.call('listDeferredCredentials')).body;
    for (const one of [suite, server.clock]) one.advance(60_000);
    const collect = () => holder.call('collectDeferredCredential', { path: { id } });
    await until(async () => [200, 404].includes((await collect()).status));
  }
  const held = async (): Promise<Json[]> => (await holder.call('listWalletCredentials')).body;

  for (const [format, profile] of Object.entries(PROFILES))
    for (const mode of MODES)
      it(`${Object.keys(MODULES)
        .map((name) => `oid4vci-1_0-wallet-${name}`)
        .join(', ')}: ${format}, ${mode}`, async () => {
        if (mode === 'encrypted') suite.requireEncryption();
        // The copies come in another order than their proofs.
        suite.changes.credential = ({ credentials, ...body }) => ({
          ...body,
          ...(credentials && { credentials: credentials.toReversed() }),
        });
        const { status, body } = await receive(mode === 'deferred' ? `${profile}Later` : profile);
        expect(status, JSON.stringify(body)).to.equal(200);
        if (mode === 'deferred') await collectLater();
        expect(await held()).to.have.length(1);
        expect((await held())[0]?.copies).to.equal(COPIES);
        for (const check of Object.values(MODULES)) await check(suite);
      });

  const refused: [string, (suite: SuiteIssuer) => void, RegExp][] = [
    [
      'metadata of another issuer',
      ({ changes }) => {
        changes['openid-credential-issuer/openid4vci'] = (body) => ({
          ...body,
          credential_issuer: 'https://other.example',
        });
      },
      /^400,.*another credential_issuer/,
    ],
    [
      'metadata of another authorization server',
      ({ changes }) => {
        changes['oauth-authorization-server/openid4vci'] = (body) => ({ ...body, issuer: 'https://other.example' });
      },
      /^400,.*another authorization server/,
    ],
  ];
  for (const [what, lie, expected] of refused)
    it(`* ${what}: refused before anything is sent`, async () => {
      lie(suite);
      const { status, body } = await begin(PROFILES.sd_jwt_vc);
      expect([status, body.message].join()).to.match(expected);
      expect([...suite.to('par'), ...suite.to('token')]).to.deep.equal([]);
    });

  it('* an answer of another server, and one of no login: refused, and the code is not sent', async () => {
    const { body: begun } = await begin(PROFILES.sd_jwt_vc);
    const answer = await browse(begun.authorizationUrl, REDIRECT_URI);
    for (const more of [{ state: 'another' }, { iss: 'https://other.example' }]) {
      const { status } = await holder.call('finishOfferAuthorization', { json: { ...answer, ...more } });
      expect(status).to.equal(400);
    }
    expect(suite.to('token')).to.deep.equal([]);
  });

  it('* a nonce that was used: refused by the issuer, and the wallet takes another one, once', async () => {
    expect((await receive(PROFILES.sd_jwt_vc)).status).to.equal(200);
    const [{ answer }] = suite.to('nonce') as [SeenRequest];
    suite.changes.nonce = (body) => ({ ...body, c_nonce: answer.c_nonce });
    const { status, body } = await receive(PROFILES.sd_jwt_vc);
    expect([status, body.upstreamError]).to.deep.equal([400, 'invalid_nonce']);
    expect(suite.to('credential').filter((one) => one.answer.error === 'invalid_nonce').length).to.be.at.most(2);
    expect(await held()).to.have.length(1);
  });
});
