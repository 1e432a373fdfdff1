import { expect } from 'chai';
import { bindTokens } from '../../actors/bound-tokens.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';
const BOTH = ['Degree_jwt_vc_json', 'Passport_jwt_vc_json'];

describe('an issuer that binds its access tokens to a key of the wallet', () => {
  const server = useServer();
  let holder: WalletUser;
  let issuer: TestIssuer;
  let bound: ReturnType<typeof bindTokens>;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
    bound = bindTokens(issuer);
  });
  afterEach(() => issuer.close());

  const accept = (link = issuer.link()) => holder.call('acceptCredentialOffer', { text: link });
  const held = async () => (await holder.call('listWalletCredentials')).body;
  const places = () => bound.seen.map(({ path }) => path.split('/').at(-1));

  it('acceptCredentialOffer 200: gets proofs of one key at its endpoints, each repeated once with the nonce it asks for', async () => {
    const { status, body } = await accept(issuer.link(BOTH));
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(places()).to.deep.equal(['token', 'token', 'credential', 'credential']);
    expect(new Set(bound.seen.map(({ key }) => key)).size).to.equal(1);
    await accept();
    expect(new Set(bound.seen.map(({ key }) => key)).size, 'a key for each issuance').to.equal(2);
  });

  it('acceptCredentialOffer 200: takes the nonce for the next proof from the nonce endpoint too', async () => {
    issuer.behaviour.nonces = 'endpoint';
    expect((await accept()).status).to.equal(200);
    expect(bound.seen.map(({ nonce }) => nonce !== undefined)).to.deep.equal([false, true, true]);
  });

  it('acceptCredentialOffer 200: sends a bearer token where it gets one in spite of its proof', async () => {
    bound.behaviour.tokenType = 'Bearer';
    expect((await accept()).status).to.equal(200);
    expect(places()).to.deep.equal(['token', 'token']);
  });

  it('acceptCredentialOffer 200: goes on with the key of the token after a failure', async () => {
    const deliver = issuer.peer.routes['/issuer/credential'];
    issuer.peer.routes['/issuer/credential'] = () => ({ status: 503 });
    expect((await accept()).body.resumable).to.equal(true);
    issuer.peer.routes['/issuer/credential'] = (request) => deliver?.(request);
    expect((await accept()).status).to.equal(200);
    expect(issuer.peer.count('/issuer/token')).to.equal(2);
  });

  it('acceptCredentialOffer 502: ends a loop of nonces, and stores nothing', async () => {
    bound.behaviour.loops = true;
    const { status, body } = await accept();
    expect([status, body.upstreamError, places()]).to.deep.equal([502, 'use_dpop_nonce', ['token', 'token']]);
    expect(await held()).to.deep.equal([]);
  });

  it('acceptCredentialOffer 502: takes no token that is bound to a key which was not sent', async () => {
    const plain = issuer.peer.routes[METADATA];
    issuer.peer.routes[METADATA] = async (request) => ({
      body: { ...Object((await plain?.(request))?.body), dpop_signing_alg_values_supported: ['HS256'] },
    });
    issuer.peer.routes['/issuer/token'] = () => ({ body: { access_token: 'a', token_type: 'DPoP' } });
    const { status, body } = await accept();
    expect(status).to.equal(502);
    expect(body.message).to.include('bound to a key');
  });

  it('acceptCredentialOffer 400: passes the error code of the issuer on', async () => {
    issuer.behaviour.txCode = '4711';
    const text = issuer.link();
    const { status, body } = await holder.call('acceptCredentialOffer', { text, query: { pinOrTxCode: '1' } });
    expect([status, body.upstreamError]).to.deep.equal([400, 'invalid_grant']);
  });

  it('acceptCredentialOffer: sends no code and no token to another address than that which was named', async () => {
    const other = await new HttpPeer().listen();
    for (const path of ['/issuer/token', '/issuer/credential']) {
      const plain = issuer.peer.routes[path];
      issuer.peer.routes[path] = () => ({ status: 307, headers: { location: `${other.url}${path}` } });
      expect((await accept()).status).to.equal(502);
      issuer.peer.routes[path] = (request) => plain?.(request);
    }
    expect(other.seen).to.deep.equal([]);
    await other.close();
  });

  it('acceptCredentialOffer 400: refuses the metadata of another authorization server', async () => {
    const plain = issuer.peer.routes[METADATA];
    const server = `${issuer.peer.url}/server`;
    issuer.peer.routes[METADATA] = async (request) => ({
      body: { ...Object((await plain?.(request))?.body), authorization_servers: [server], token_endpoint: undefined },
    });
    const document = { issuer: 'https://other.example', token_endpoint: `${issuer.issuer}/token` };
    issuer.peer.routes['/.well-known/oauth-authorization-server/server'] = () => ({ body: document });
    const { status, body } = await accept();
    expect(status).to.equal(400);
    expect(body.message).to.include('another authorization server');
    expect(issuer.peer.count('/issuer/token')).to.equal(0);
  });
});
