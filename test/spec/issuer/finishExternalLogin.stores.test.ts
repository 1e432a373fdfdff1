import { expect } from 'chai';
import { type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { CodeWallet, returned } from '../../actors/draft-authorization.ts';
import { LoginServer } from '../../actors/login-server.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';

describe('finishExternalLogin', () => {
  let login: LoginServer;
  const server = useServer(async () => {
    login = await LoginServer.start();
    return { settings: { authenticationService: { server: login.settings }, outbound: { allow: [] } } };
  });
  const wallet = new CodeWallet(server);
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });
  after(() => login.close());
  afterEach(() => {
    login.behaviour.error = undefined;
    login.behaviour.tokenStatus = undefined;
  });

  const offer = () => wallet.offer(issuer, { authenticationMethod: 'PWD' });
  /** The user's browser at the login server: the parameters of the URL that it is sent back to. */
  async function loggedIn(started: Answer): Promise<Record<string, string>> {
    expect(started.status).to.equal(302);
    const answer = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '');
    expect(back.href.split('?')[0]).to.equal(`${server.url}/callback`);
    return Object.fromEntries(back.searchParams);
  }
  const finish = (query: Record<string, string>) => server.call('finishExternalLogin', { query });

  it('302: the user logs in at the server, and the wallet gets a code that becomes a credential', async () => {
    const state = await offer();
    const started = await wallet.authorize(state);
    const asked = new URL(started.headers.get('location') ?? '').searchParams;
    expect(Object.fromEntries(asked)).to.deep.include({
      tenant: '1',
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: `${server.url}/callback`,
      issuer_state: state,
    });
    const { code, ...others } = returned(await finish(await loggedIn(started)));
    expect(others).to.deep.equal({ state: '7f3a', iss: `${server.url}/draft13` });
    expect((await wallet.claim(code)).status).to.equal(200);
  });

  it('400: a login ends once: of five answers at once one gets a code, and the code of the server is exchanged once', async () => {
    const back = await loggedIn(await wallet.authorize(await offer()));
    const before = login.exchanges;
    const answers = await Promise.all(Array.from({ length: 5 }, () => finish(back)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([302, 400, 400, 400, 400]);
    expect(login.exchanges).to.equal(before + 1);
  });

  for (const [theirs, ours] of [
    ['access_denied', 'access_denied'],
    ['login_required', 'access_denied'],
    ['temporarily_unavailable', 'temporarily_unavailable'],
    ['invalid_scope', 'server_error'],
  ] as const)
    it(`302: ${ours} when the server says ${theirs}, and no code`, async () => {
      login.behaviour.error = theirs;
      const back = returned(await finish(await loggedIn(await wallet.authorize(await offer()))));
      expect([back.error, back.state, back.code]).to.deep.equal([ours, '7f3a', undefined]);
    });

  it('302: access_denied for a code that is forged, of another login, or not accepted by the server', async () => {
    const [one, other] = [
      await loggedIn(await wallet.authorize(await offer())),
      await loggedIn(await wallet.authorize(await offer())),
    ];
    expect(returned(await finish({ ...one, code: other.code ?? '' })).error).to.equal('access_denied');
    const forged = await loggedIn(await wallet.authorize(await offer()));
    expect(returned(await finish({ ...forged, code: 'forged' })).error).to.equal('access_denied');
    const { state = '' } = await loggedIn(await wallet.authorize(await offer()));
    expect(returned(await finish({ state })).error).to.equal('access_denied');
    login.behaviour.tokenStatus = 500;
    const broken = await loggedIn(await wallet.authorize(await offer()));
    expect(returned(await finish(broken)).error).to.equal('access_denied');
  });

  it('302: a pushed request becomes one code, and a failed login ends it', async () => {
    const { request_uri } = (await wallet.push(await offer())).body;
    const [first, second] = [
      await loggedIn(await wallet.open(request_uri)),
      await loggedIn(await wallet.open(request_uri)),
    ];
    const { code } = returned(await finish(first));
    expect((await wallet.claim(code)).status).to.equal(200);
    expect([(await finish(second)).status, (await wallet.open(request_uri)).status]).to.deep.equal([302, 400]);
    const failing = (await wallet.push(await offer())).body.request_uri;
    const back = await loggedIn(await wallet.open(failing));
    expect(returned(await finish({ ...back, code: 'forged' })).error).to.equal('access_denied');
    expect((await wallet.open(failing)).status).to.equal(400);
  });

  it('400: for a state that is unknown, absent, or over after ten minutes', async () => {
    const back = await loggedIn(await wallet.authorize(await wallet.offer(issuer, { authenticationMethod: 'PWD' })));
    server.clock.advance(600_001);
    for (const query of [back, { state: 'unknown', code: 'a' }, { code: 'a' }] as Record<string, string>[]) {
      const { status, body } = await finish(query);
      expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
    }
  });

  it('302: temporarily_unavailable when the server is gone', async () => {
    const back = await loggedIn(await wallet.authorize(await offer()));
    await login.close();
    expect(returned(await finish(back)).error).to.equal('temporarily_unavailable');
  });
});
