import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { type AttestedIssuance, AttestedWallet } from '../actors/attested-wallet.ts';
import { CodeWallet, returned } from '../actors/draft-authorization.ts';
import { HttpPeer } from '../actors/http-peer.ts';
import { LoginServer } from '../actors/login-server.ts';
import { keyParty } from '../actors/party.ts';
import { until } from '../support/runs/waiting.ts';
import { SecretSweep } from '../support/secrets/secret-sweep.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const PAR = 'pushOpenid4vciAuthorization';
const AUTHORIZE = 'authorizeOpenid4vci';
const TOKEN = 'requestOpenid4vciToken';

describe('Secrets of the authorization code flows', () => {
  const sweep = new SecretSweep();
  const peer = new HttpPeer();
  const attester = makeHolderKey();
  let login: LoginServer;
  let dataDir: string;
  let opened: TestServer;
  let server: TestServer;
  let issuer: Issuer;
  before(async () => {
    await peer.listen();
    peer.routes['/events'] = () => ({ status: 204 });
    login = await LoginServer.start();
    sweep.plant('secret of the client', login.client.clientSecret);
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-secrets-'));
    const identity = {
      name: 'Degree',
      credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
      credentialData: { type: ['VerifiableCredential', 'UniversityDegree'] },
      notifications: { webhook: { url: `${peer.url}/events` } },
    };
    opened = await startServer({
      store: 'sqlite',
      dataDir,
      settings: {
        authenticationService: { server: login.settings },
        issuerMetadata: { clientAttesters: [{ jwks: { keys: [{ ...attester.jwk }] } }] },
        issuer2Profiles: { profiles: { identity } },
      },
    });
    server = sweep.watch(opened);
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });
  after(async () => {
    await opened.close();
    await rm(dataDir, { recursive: true });
    await Promise.all([peer.close(), login.close()]);
  });

  it('of logins at another server: its state, its code and our code', async () => {
    const wallet = new CodeWallet(server);
    for (const isGood of [true, false]) {
      const { body } = await wallet.push(await wallet.offer(issuer, { authenticationMethod: 'PWD' }));
      sweep.plant('pushed request', body.request_uri, ['pushAuthorization']);
      const started = await wallet.open(body.request_uri);
      const answer = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' });
      const back = Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
      sweep.plant('state of a login', back.state ?? '', ['requestAuthorization']);
      sweep.plant('code of the login server', back.code ?? '');
      const query = isGood ? back : { ...back, code: `x${back.code}` };
      const { code, error } = returned(await server.call('finishExternalLogin', { query }));
      await server.call('finishExternalLogin', { query });
      expect([typeof code, error]).to.deep.equal(isGood ? ['string', undefined] : ['undefined', 'access_denied']);
      if (code === undefined) continue;
      sweep.plant('authorization code', code, ['finishExternalLogin']);
      const { body: tokens } = await wallet.redeem(code);
      sweep.plant('access token', tokens.access_token, ['requestAccessToken']);
    }
  });

  it('of logins by the wallet: ID tokens and presentations, accepted and refused', async () => {
    const wallet = new CodeWallet(server);
    const holder = await keyParty();
    const now = Math.floor(server.clock.now() / 1000);
    for (const more of [{}, { nonce: 'other' }]) {
      const asked = returned(await wallet.authorize(await wallet.offer(issuer, { authenticationMethod: 'ID_TOKEN' })));
      const { state = '', nonce, client_id: aud } = asked;
      const claims = { iss: holder.did, sub: holder.did, aud, nonce, iat: now, exp: now + 60, ...more };
      const token = sweep.plant('ID token', await holder.sign(claims));
      expect((await server.call('answerLogin', { form: { state, id_token: token } })).status).to.equal(302);
    }
    const flow = { authenticationMethod: 'VP_TOKEN', vpRequestValue: 'VerifiableId' };
    const { state = '' } = returned(await wallet.authorize(await wallet.offer(issuer, flow)));
    const form = {
      state,
      vp_token: sweep.plant('presentation', await holder.sign({ vp: {} })),
      presentation_submission: '{}',
    };
    expect(returned(await server.call('answerLogin', { form })).error).to.equal('access_denied');
  });

  it('of attested wallets: proofs, attestations, pushed parameters, codes and tokens, in requests that succeed and that fail', async () => {
    const issuance = { server, attester } as unknown as AttestedIssuance;
    const wallet = new AttestedWallet(issuance, 'https://wallet.example');
    const json = { profileId: 'identity', authMethod: 'AUTHORIZED', valueMode: 'BY_VALUE' };
    const { body: created } = await server.call('createCredentialOffer', { json });
    const offer = JSON.parse(new URL(created.credentialOffer).searchParams.get('credential_offer') ?? '');
    const issuerState = sweep.plant('issuer state', offer.grants.authorization_code.issuer_state, [
      'createCredentialOffer',
    ]);
    const asked = { issuer_state: issuerState, scope: undefined };
    const sent = () => ({
      dpop: { text: sweep.plant('DPoP proof', wallet.dpop('token')) },
      attestation: { text: sweep.plant('client attestation', wallet.attestation()) },
      pop: { text: sweep.plant('proof of the attestation', wallet.pop()) },
    });
    const parSent = () => ({ ...sent(), dpop: { text: sweep.plant('DPoP proof', wallet.dpop('par')) } });
    const twice = parSent();
    const { status, body } = await wallet.push(asked, twice);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect((await wallet.push(asked, twice)).status).to.be.within(400, 401);
    expect((await wallet.push({ ...asked, redirect_uri: 'javascript:x' }, parSent())).status).to.equal(400);
    const requestUri = sweep.plant('pushed request', body.request_uri, [PAR]);
    const opening = { client_id: wallet.clientId, request_uri: requestUri };
    const code =
      new URL((await wallet.authorize(opening)).headers.get('location') ?? '').searchParams.get('code') ?? '';
    sweep.plant('authorization code', code, [AUTHORIZE]);
    sweep.plant('code verifier', wallet.verifier);
    expect((await wallet.authorize(opening)).status).to.equal(400);
    expect((await wallet.redeem(code, { code_verifier: `x${wallet.verifier}` }, sent())).status).to.equal(400);
    const { body: tokens } = await wallet.redeem(code, {}, sent());
    const access = sweep.plant('access token', tokens.access_token, [TOKEN]);
    const refresh = sweep.plant('refresh token', tokens.refresh_token, [TOKEN]);
    expect((await wallet.refresh(refresh, {}, { ...sent(), attestation: false, pop: false })).status).to.equal(400);
    const { body: next } = await wallet.refresh(refresh, {}, sent());
    sweep.plant('refresh token', next.refresh_token, [TOKEN]);
    sweep.plant('access token', next.access_token, [TOKEN]);
    const text = sweep.plant('DPoP proof', wallet.dpop('credential', access));
    const headers = { authorization: `Bearer ${access}`, dpop: text };
    const request = { credential_configuration_id: 'UniversityDegree_jwt_vc_json', proofs: { jwt: ['a.b.c'] } };
    expect((await server.call('requestOpenid4vciCredential', { headers, json: request })).status).to.equal(401);
    expect((await wallet.refresh(next.refresh_token, {}, sent())).status).to.equal(200);
    expect((await wallet.refresh(refresh, {}, sent())).status).to.equal(400);
    await server.call('getIssuanceSession', { path: { sessionId: created.offerId } });
    await server.call('listIssuanceSessions');
    await until(() => peer.seen.some(({ body: event }) => event.includes('token_request_authorization_code_failed')));
  });

  it('are nowhere in the store, logs, webhooks and answers, but where they are documented to be', async () => {
    await server.call('getMetrics');
    sweep.note('log', opened.lines.map((line) => inspect(line, { depth: 12, maxStringLength: null })).join('\n'));
    for (const { headers, body, url } of peer.seen)
      sweep.note('webhook', [url.href, inspect(headers), body].join('\n'));
    const names = (await readdir(dataDir)).filter((name) => name.startsWith('credenza.sqlite'));
    const bytes = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')));
    sweep.note('store', bytes.join(''));
    expect([opened.lines.length > 0, sweep.count('webhook') > 0, bytes.length > 0]).to.deep.equal([true, true, true]);
    expect(sweep.sightings()).to.deep.equal([]);
    expect(sweep.unshown()).to.deep.equal([]);
  });
});
