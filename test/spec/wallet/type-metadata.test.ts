import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

describe('resolveTypeMetadata', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let user: WalletUser;
  let peer: HttpPeer;
  before(async () => {
    [user, peer] = [await newWalletUser(server), await new HttpPeer().listen()];
  });
  after(() => peer.close());

  const resolve = (vct: string, integrity?: string) =>
    user.call('resolveTypeMetadata', { query: { vct, ...(integrity && { 'vct#integrity': integrity }) } });
  /** Publishes metadata of the type with this path at another one. */
  function publish(type: string, path = type, changes: object = {}) {
    const vct = `${peer.url}${type}`;
    const text = JSON.stringify({ vct, name: 'Identity', ...changes });
    peer.routes[path] = () => ({ body: text, headers: { 'content-type': 'application/json' } });
    return { vct, text };
  }
  const sri = (algorithm: string, text: string) =>
    `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`;

  it('200: from the URL that is the type', async () => {
    const { vct, text } = publish('/identity');
    const { status, body } = await resolve(vct);
    expect([status, body]).to.deep.equal([200, JSON.parse(text)]);
    expect(peer.count('/.well-known/vct/identity')).to.equal(0);
  });

  it('200: from the well-known form, when the type itself is a page or does not exist', async () => {
    peer.routes['/page'] = () => ({ body: '<p>Identity</p>', headers: { 'content-type': 'text/html' } });
    for (const type of ['/page', '/only/well-known']) {
      const { vct } = publish(type, `/.well-known/vct${type}`);
      expect((await resolve(vct)).body.vct).to.equal(vct);
    }
  });

  it('200: with the digest that the credential names; of several algorithms the strongest counts', async () => {
    const { vct, text } = publish('/checked');
    const good = ['sha256', 'sha384', 'sha512'].map((algorithm) => sri(algorithm, text));
    const wrong = sri('sha256', 'other');
    for (const integrity of [...good, `${wrong} ${good[2]}`, `${wrong} ${good[0]}`, good.join(' ')])
      expect((await resolve(vct, integrity)).status, integrity).to.equal(200);
    const refused = [wrong, `${good[0]} ${sri('sha512', 'other')}`, 'md5-AAAA', 'sha256'];
    for (const integrity of refused) {
      const { status, body } = await resolve(vct, integrity);
      expect([status, body.details[0].path], integrity).to.deep.equal([400, '/query/vct#integrity']);
    }
  });

  it('400: names a type that has no address, and one whose metadata is that of another', async () => {
    const { vct } = publish('/other', '/other', { vct: 'https://types.example.org/other' });
    for (const type of ['urn:eudi:pid:1', 'ftp://a.example/x', 'https://user:pw@a.example/x', `${vct}#a`, vct]) {
      const { status, body } = await resolve(type);
      expect([status, body.details[0].path], type).to.deep.equal([400, '/query/vct']);
    }
    expect((await user.call('resolveTypeMetadata')).body.details[0].path).to.equal('/query/vct');
    expect((await resolve('http://10.0.0.1/type')).status).to.equal(400);
    expect((await resolve(`${peer.url}/unknown`)).status).to.equal(400);
  });

  it('502: fails, answers no JSON object, or too much', async () => {
    const large = publish('/large', '/large', { name: 'x'.repeat(65_536) });
    peer.routes['/list'] = () => ({ body: [] });
    peer.routes['/broken'] = () => ({ status: 500 });
    for (const type of [large.vct, `${peer.url}/list`, `${peer.url}/broken`])
      expect((await resolve(type)).status, type).to.equal(502);
  });

  it('504: does not answer in time', async () => {
    peer.routes['/silent'] = () => undefined;
    expect((await resolve(`${peer.url}/silent`)).status).to.equal(504);
  });
});
