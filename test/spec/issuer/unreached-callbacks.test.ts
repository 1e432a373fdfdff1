import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { HttpPeer, startCallback } from '../../actors/http-peer.ts';
import { offerId } from '../../actors/issuance.ts';
import { useServer } from '../../support/servers/server.ts';

const GONE = 'http://127.0.0.1:9';

/** Ways in which a URL cannot be reached, each with a URL that is like it. */
const UNREACHED: Record<string, (silent: string, plain: string) => string> = {
  'a refused connection': () => GONE,
  'a name that no server has': () => 'http://no-such-host.localhost.invalid',
  'a server that does not answer in time': (silent) => silent,
  'a server that breaks TLS off': (_silent, plain) => plain.replace('http:', 'https:'),
};

describe('callbacks of issuances', () => {
  const server = useServer({ outboundTimeoutMs: 300, settings: { outbound: { allow: ['0.0.0.0/0', '::/0'] } } });
  const peer = new HttpPeer();
  const sockets = new Set<Socket>();
  let silent: Server;
  let silentUrl: string;
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server);
    await peer.listen();
    silent = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    silentUrl = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
    await peer.close();
  });

  const offer = async (statusCallbackUri: string): Promise<string> =>
    offerId((await server.call('issueJwtCredential', { json: degree(issuer), headers: { statusCallbackUri } })).body);
  const resolve = (id: string) => server.call('getCredentialOffer', { query: { id } });

  for (const [name, urlOf] of Object.entries(UNREACHED))
    it(`${name} stops the issuance, which can be tried again`, async () => {
      const id = await offer(`${urlOf(silentUrl, peer.url)}/$id`);
      for (let tries = 0; tries < 2; tries += 1) {
        const { status, body } = await resolve(id);
        expect([status, body.id]).to.deep.equal([400, 'CallbackFailed']);
      }
    });

  for (const status of [301, 400, 401, 404, 500, 503])
    it(`an answer with ${status} stops nothing`, async () => {
      const callback = await startCallback();
      callback.answer.status = status;
      expect((await resolve(await offer(`${callback.url}/$id`))).status).to.equal(200);
      await callback.goAway();
    });

  it('$id is the session at the end of the URL, in its path and query, wherever it stands, and may be absent', async () => {
    peer.other = () => ({});
    for (const template of ['/events/$id', '/$id/events?session=$id', '/events']) {
      const id = await offer(`${peer.url}${template}`);
      await resolve(id);
      const { url, body } = peer.seen.at(-1) ?? { url: new URL(GONE), body: '{}' };
      expect(`${url.pathname}${url.search}`).to.equal(template.replaceAll('$id', id));
      expect(JSON.parse(body).id).to.equal(id);
    }
  });
});
