import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';

describe('submitPresentation: statusCallbackUri', () => {
  const on = new VerificationFixture();
  let peer: HttpPeer;

  before(async () => {
    peer = await new HttpPeer().listen();
    peer.routes['/status'] = () => ({ status: 200 });
    peer.routes['/broken'] = () => ({ status: 500 });
  });
  after(() => peer.close());

  const askWith = (path: string, key = 'Basic c2VjcmV0') =>
    on.ask(DEGREE_REQUEST, { statusCallbackUri: `${peer.url}${path}`, statusCallbackApiKey: key });

  it('200: posts the session before the wallet is answered, with the key unchanged', async () => {
    const request = await askWith('/status?id=$id');
    await on.present(request);
    const call = peer.seen.at(-1);
    expect(call?.method).to.equal('POST');
    expect(call?.headers.authorization).to.equal('Basic c2VjcmV0');
    expect(call?.headers['content-type']).to.equal('application/json');
    expect(call?.url.searchParams.get('id')).to.equal(request.state);
    expect(JSON.parse(call?.body ?? '')).to.deep.equal(await on.session(request));
  });

  it('400: posts failures and refusals too', async () => {
    const failed = await askWith('/status');
    await on.present(failed, { claims: { nonce: 'x' } });
    expect(JSON.parse(peer.seen.at(-1)?.body ?? '').verificationResult).to.equal(false);
    const declined = await askWith('/status');
    await on.server.call('submitPresentation', { path: { state: declined.state }, form: { error: 'access_denied' } });
    expect(JSON.parse(peer.seen.at(-1)?.body ?? '').tokenResponse.error).to.equal('access_denied');
  });

  it('200: a callback that fails or cannot be reached does not change the result', async () => {
    const uris = [`${peer.url}/broken`, 'http://127.0.0.1:1/closed', 'http://name.invalid/'];
    for (const statusCallbackUri of uris) {
      const request = await on.ask(DEGREE_REQUEST, { statusCallbackUri, statusCallbackApiKey: 'callback-secret' });
      expect((await on.present(request)).status).to.equal(200);
      expect((await on.session(request)).verificationResult).to.equal(true);
    }
    expect(on.server.lines.filter(({ message }) => message.includes('verification callback'))).to.have.length(3);
  });

  it('200: never returns the key', async () => {
    expect(JSON.stringify(on.server.lines)).not.to.include('callback-secret');
    const request = await askWith('/status', 'shown-nowhere');
    await on.present(request);
    expect(JSON.stringify(await on.session(request))).not.to.include('shown-nowhere');
  });
});
