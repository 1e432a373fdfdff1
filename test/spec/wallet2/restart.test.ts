import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { browse, giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { startIssuer } from '../../actors/issuer.ts';
import { issueCredential, jwkParty, type Party } from '../../actors/party.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { newWallet2User, wallet2Caller } from '../../actors/wallet2.ts';
import { until } from '../../support/runs/waiting.ts';
import { startServer } from '../../support/servers/server.ts';

const REDIRECT_URI = 'https://wallet.example/callback';
const DEGREE = 'Degree_jwt_vc_json';

const DID = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
const KEY = {
  type: 'jwk',
  jwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  },
};

describe('wallets of API 2 after a restart', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('an account, its session and its wallets with what they hold are still there; a session that ended is not', async () => {
    const before = await startServer({
      store: 'sqlite',
      dataDir,
      settings: { publicUrl: 'https://wallet.example.org' },
    });
    const ada = await newWallet2User(before);
    const wallet = await ada.create({ staticKey: KEY, staticDid: DID });
    const rawCredential = await issueCredential(await jwkParty(), { did: DID } as Party);
    const { body } = await wallet.call('importWallet2Credential', { json: { rawCredential } });
    const { token } = (await before.call('loginWallet2Account', { json: ada.json })).body;
    await before.call('logoutWallet2Account', { token });
    await before.close();
    const after = await startServer({
      store: 'sqlite',
      dataDir,
      settings: { publicUrl: 'https://wallet.example.org' },
    });
    try {
      const again = wallet2Caller(after, ada.token);
      expect((await again.call('getWallet2Account')).body.walletIds).to.deep.equal([wallet.walletId]);
      const path = { wallet: wallet.walletId };
      expect((await again.call('describeWallet', { path })).body).to.include({
        hasStaticKey: true,
        hasStaticDid: true,
      });
      const held = await again.call('getWallet2Credential', { path: { ...path, credentialId: body.id } });
      expect(held.body).to.deep.equal(body);
      expect((await wallet2Caller(after, token).call('listWallets')).status).to.equal(401);
      expect((await after.call('loginWallet2Account', { json: ada.json })).status).to.equal(200);
    } finally {
      await after.close();
    }
  });

  it('what an issuer delivers later is asked for, a login is finished, and a token of a step is good', async () => {
    const [late, login, steps] = await Promise.all([startIssuer(), startIssuer(), startIssuer()]);
    const settings = { publicUrl: 'https://wallet.example.org', wallet: { redirectUris: [REDIRECT_URI] } };
    const before = await startServer({ store: 'sqlite', dataDir, settings });
    const { wallet, token, call } = await newWalletUser(before);
    const later = deferAll(late, 'v1');
    giveCodes(login);
    steps.behaviour.nonces = 'endpoint';
    const ended = async (operationId: string, json: object, on: typeof call = call) => {
      const { status, body } = await on(operationId, { json });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    expect((await ended('receiveCredentials', { offerUrl: late.link() })).credentialIds).to.deep.equal([]);
    const offered = { offerUrl: loginOffer(login), redirectUri: REDIRECT_URI };
    const begun = await ended('createAuthorizationUrl', offered);
    const { code, iss, state } = await browse(begun.authorizationUrl, REDIRECT_URI);
    const endpoint = { tokenEndpoint: `${steps.issuer}/token`, credentialIssuer: steps.issuer };
    const { accessToken } = await ended('requestToken', { ...endpoint, preAuthorizedCode: 'the-code' });
    await before.close();

    const after = await startServer({ store: 'sqlite', dataDir, settings });
    const again: typeof call = (operationId, more) =>
      after.call(operationId, { token, ...more, path: { wallet, ...more?.path } });
    try {
      const named = { credentialIssuer: login.issuer, credentialEndpoint: `${login.issuer}/credential` };
      const answered = { code, iss, state, ...named, credentialConfigurationId: DEGREE };
      expect((await ended('receiveAuthorized', answered, again)).credentialIds).to.have.length(1);
      const { nonce } = await ended('requestNonce', { credentialIssuer: steps.issuer }, again);
      const asked = { issuerUrl: steps.issuer, credentialConfigurationId: DEGREE, nonce };
      const { proofJwt } = await ended('signProof', asked, again);
      const fetched = { credentialEndpoint: `${steps.issuer}/credential`, accessToken, proofJwt, storeInWallet: true };
      await ended('fetchCredential', { ...fetched, credentialConfigurationId: DEGREE }, again);
      later.isReady = true;
      await until(async () => {
        after.clock.advance(5000);
        return (await again('listWallet2Credentials')).body.length === 3;
      });
      expect(later.asked).to.have.length(1);
    } finally {
      await Promise.all([after, late, login, steps].map((one) => one.close()));
    }
  });
});
