import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { HttpPeer, type PeerRequest } from '../../actors/http-peer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { DEGREE_REQUEST } from '../../actors/verification.ts';
import { accept, readRequest } from '../../actors/wallet.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';

type IsSigned = (secret: string, headers: PeerRequest['headers'], body: string, nowSeconds: number) => boolean;

/** The function that docs/events.md gives to receivers. */
async function documented(): Promise<IsSigned> {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/events.md', 'utf8')) ?? [];
  const source = `data:text/javascript,${encodeURIComponent(`${code}\nexport { isSigned };`)}`;
  return (await import(source)).isSigned;
}

const [NEW, OLD, OTHER] = ['new', 'old', 'other'].map((name) => `${name}-secret-of-at-least-32-characters`) as [
  string,
  string,
  string,
];

describe('signed callbacks', () => {
  let peer: HttpPeer;
  let isSigned: IsSigned;
  before(async () => {
    isSigned = await documented();
    peer = await new HttpPeer().listen();
    peer.other = () => ({});
  });
  after(() => peer.close());
  beforeEach(() => {
    peer.seen.length = 0;
  });

  /** Runs an issuance and a verification, and returns the callbacks. */
  async function callbacksOf(server: TestServer): Promise<PeerRequest[]> {
    const headers = { statusCallbackUri: `${peer.url}/$id` };
    await accept(server, await makeOffer(server, degree(await onboard(server)), { headers }));
    const { body } = await server.call('startVerification', { json: DEGREE_REQUEST, headers });
    const path = { state: readRequest(body).state };
    await server.call('submitPresentation', { path, form: { error: 'access_denied' } });
    expect(peer.seen).to.have.length(4);
    return peer.seen;
  }

  it('can be verified as docs/events.md says, under the new secret and under the one it replaces, for five minutes', async () => {
    const server = await startServer({
      settings: { outbound: { callbacks: { signingSecrets: [NEW, OLD] } } },
    });
    const now = server.clock.now() / 1000;
    for (const { headers, body } of await callbacksOf(server)) {
      expect(headers['x-signature']).to.match(/^t=[0-9]{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
      const verified = (secret: string, changes: object = {}, text = body, at = now) =>
        isSigned(secret, { ...headers, ...changes }, text, at);
      expect([NEW, OLD, OTHER].map((secret) => verified(secret))).to.deep.equal([true, true, false]);
      expect(verified(NEW, { 'x-event-id': 'another' })).to.equal(false);
      expect(verified(NEW, { 'x-signature': undefined })).to.equal(false);
      expect(verified(NEW, {}, `${body} `)).to.equal(false);
      expect([299, 302, -299, -302].map((age) => verified(NEW, {}, body, now + age))).to.deep.equal([
        true,
        false,
        true,
        false,
      ]);
    }
    expect(JSON.stringify(server.lines)).to.not.match(/at-least-32-characters/);
    await server.close();
  });

  it('have no such header without a secret', async () => {
    const server = await startServer();
    for (const { headers } of await callbacksOf(server)) expect(headers).not.to.have.property('x-signature');
    await server.close();
  });
});
