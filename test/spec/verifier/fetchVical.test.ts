import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { useServer } from '../../support/servers/server.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { makeVical } from '../../support/trust/trust-list-makers.ts';

describe('fetchVical', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let peer: HttpPeer;
  before(async () => {
    peer = await new HttpPeer().listen();
  });
  after(() => peer.close());

  const call = (vicalUrl: string) => server.call('fetchVical', { json: { vicalUrl } });

  it('200: answers with the VICAL as it is published', async () => {
    const vical = makeVical({ entries: [{ certificate: iaca() }] });
    peer.routes['/vical'] = () => ({ body: vical });
    const { status, body } = await call(`${peer.url}/vical`);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ vicalBase64: vical.toString('base64') });
  });

  it('400: names a URL that is none, or whose address is not public', async () => {
    for (const url of ['ftp://x.example', 'http://10.0.0.1/vical', 'http://user:pw@x.example'])
      expect((await call(url)).status, url).to.equal(400);
  });

  it('502: what is published is no VICAL, or nothing is', async () => {
    peer.routes['/text'] = () => ({ body: 'a page of a site' });
    for (const path of ['/text', '/nothing']) expect((await call(`${peer.url}${path}`)).status).to.equal(502);
  });

  it('504: nothing is answered in time', async () => {
    peer.routes['/silent'] = () => undefined;
    expect((await call(`${peer.url}/silent`)).status).to.equal(504);
  });

  it('413 and 415: a body that is too large, or no JSON', async () => {
    const text = JSON.stringify({ vicalUrl: 'x'.repeat(1024 * 1024) });
    const tooLarge = await server.call('fetchVical', { text, contentType: 'application/json' });
    const wrongType = await server.call('fetchVical', { text: 'x', contentType: 'text/plain' });
    expect([tooLarge.status, wrongType.status]).to.deep.equal([413, 415]);
  });
});
