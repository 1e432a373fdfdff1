import { expect } from 'chai';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { startVerifier, type TestVerifier } from '../../actors/verifier.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const KEPT_MS = 10 * 60_000;

describe('presentCredentials: what was shown', () => {
  const server = useServer();
  let issuer: TestIssuer;
  let verifier: TestVerifier;
  let holder: WalletUser;
  let degree: string;
  /** What the verifier answers with for its request, and where answers arrived. */
  let request: Record<string, unknown>;
  let received: string[];
  before(async () => {
    issuer = await startIssuer();
    holder = await newWalletUser(server);
    const { body } = await holder.call('acceptCredentialOffer', { text: issuer.link() });
    degree = body[0].id;
  });
  beforeEach(async () => {
    verifier = await startVerifier();
    received = [];
    request = { ...verifier.params(), presentation_definition: verifier.behaviour.definition };
    request = { ...request, client_id: 'shop', response_uri: `${verifier.peer.url}/shown` };
    verifier.peer.routes['/request'] = () => ({ body: JSON.stringify(request) });
    for (const path of ['/shown', '/other'])
      verifier.peer.routes[path] = () => {
        received.push(path);
        return {};
      };
  });
  afterEach(() => verifier.close());
  after(() => issuer.close());

  const link = (more = '') => `openid4vp://?client_id=shop&request_uri=${verifier.peer.url}/request${more}`;
  const shown = async (text = link(), user = holder): Promise<string> => {
    const { status, body } = await user.call('describePresentationRequest', { text });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.consent;
  };
  const present = async (more: object = {}) => {
    const json = { presentationRequest: link(), selectedCredentials: [degree], ...more };
    const { status, body } = await holder.call('presentCredentials', { json });
    return [status, body.message ?? ''];
  };
  const fetched = () => verifier.peer.count('/request');
  const change = () => {
    request = { ...request, response_uri: `${verifier.peer.url}/other`, nonce: 'another' };
  };

  it('200: the answer goes to the address that was shown, though the verifier has another one now', async () => {
    const consent = await shown();
    change();
    expect(await present({ consent })).to.deep.equal([200, '']);
    expect([received, fetched()]).to.deep.equal([['/shown'], 1]);
    // It was answered: the next answer is to the request as it is now.
    expect(await present()).to.deep.equal([200, '']);
    expect([received, fetched()]).to.deep.equal([['/shown', '/other'], 2]);
  });

  it('200: a refusal goes there too', async () => {
    await shown();
    change();
    const json = { presentationRequest: link() };
    expect((await holder.call('declinePresentationRequest', { json })).status).to.equal(200);
    expect([received, fetched()]).to.deep.equal([['/shown'], 1]);
  });

  it('409: after ten minutes, and after another look, nothing is sent for what was shown when it has changed', async () => {
    const why = 'The verifier changed response_uri, nonce since the request was described; nothing was sent';
    const consent = await shown();
    change();
    await shown();
    expect(await present({ consent })).to.deep.equal([409, why]);
    const again = await shown();
    server.clock.advance(KEPT_MS);
    expect(await present({ consent })).to.deep.equal([409, why]);
    request = { ...request, presentation_definition: { ...verifier.behaviour.definition, id: 'more' } };
    expect((await present({ consent: again }))[1]).to.match(/^The verifier changed query since/);
    expect(received).to.deep.equal([]);
  });

  it('200: what has not changed is presented after ten minutes too; a request is kept until its end at most', async () => {
    const consent = await shown();
    server.clock.advance(KEPT_MS);
    expect(await present({ consent })).to.deep.equal([200, '']);
    expect(fetched()).to.equal(2);
    request = { ...request, exp: Math.floor(server.clock.now() / 1000) + 60 };
    await shown();
    server.clock.advance(60_000);
    change();
    expect(await present()).to.deep.equal([200, '']);
    expect(received).to.deep.equal(['/shown', '/other']);
  });

  it('200: a wallet keeps 16 of them, and none for another wallet', async () => {
    await shown();
    for (let round = 0; round < 16; round += 1) await shown(link(`&state=${round}`));
    await shown(link('&state=7'), await newWalletUser(server));
    change();
    const presentationRequest = link('&state=0');
    expect(await present({ presentationRequest })).to.deep.equal([200, '']);
    expect(await present()).to.deep.equal([200, '']);
    expect(received).to.deep.equal(['/shown', '/other']);
  });
});
