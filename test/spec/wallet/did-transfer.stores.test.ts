import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { didDocument } from '../../../domain/dids/did-methods.ts';
import { DidResolver } from '../../../domain/dids/did-resolver.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

/** RFC 8037 appendix A.1, and its did:key. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const DID = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
const KEY_ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

describe('DIDs that come and go', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let holder: WalletUser;
  let host: HttpPeer;
  before(async () => {
    holder = await newWalletUser(server);
    host = await new HttpPeer().listen();
  });
  after(() => host.close());
  beforeEach(() => resetWallet(holder));
  const create = (query: Record<string, string> = {}, user = holder) =>
    user.call('createWalletDid', { path: { method: 'web' }, query });
  const ownDid = (id: string): string =>
    `did:web:${encodeURIComponent(new URL(server.settings.publicUrl).host)}:wallet-api:registry:${id}`;
  const load = (did: string) => server.call('getPublishedDid', { path: { id: did.split(':').at(-1) ?? '' } });
  const importing = (json: object) => holder.call('importWalletDid', { json });
  const count = async (): Promise<number> => (await holder.call('listWalletKeys')).body.length;

  describe('createWalletDid', () => {
    it('200: a did:web is on this server unless a domain says otherwise, and is published here', async () => {
      const { status, body: did } = await create();
      expect(status).to.equal(200);
      expect(did).to.match(new RegExp(`^${ownDid('[0-9a-f-]{36}')}$`));
      const { body: document } = await load(did);
      expect(document).to.deep.equal((await holder.call('getWalletDid', { path: { did } })).body);
    });

    it('200: our own resolver finds the key of a published did:web', async () => {
      const { body: did } = await create({ path: '/wallet-api/registry/resolvable' });
      expect(did).to.equal(ownDid('resolvable'));
      const send = async ({ url }: { url: string }) => {
        const reply = await fetch(url);
        return { status: reply.status, headers: {}, body: new Uint8Array(await reply.arrayBuffer()) };
      };
      const resolver = new DidResolver({ check: () => {}, send });
      const [key] = await resolver.keys(did, 'assertionMethod');
      const { keyId } = (await holder.call('listWalletDids')).body.at(-1);
      const { body: jwk } = await holder.call('exportWalletKey', { path: { keyId } });
      expect(key).to.deep.equal(readPublicJwk(JSON.parse(jwk)));
    });

    it('200: a did:web of another host has its domain and path, and is not published here', async () => {
      const { body: did } = await create({ domain: 'holder.example.org:8443', path: '/people/ada' });
      expect(did).to.equal('did:web:holder.example.org%3A8443:people:ada');
      expect((await server.call('listPublishedDids')).body).not.to.include(did);
    });

    for (const [query, path] of [
      [{ path: '/people/ada' }, '/query/path'],
      [{ path: '/wallet-api/registry/a/b' }, '/query/path'],
      [{ domain: 'a/b' }, '/query/domain'],
    ] as const)
      it(`400: names ${path} of ${JSON.stringify(query)} and creates no key`, async () => {
        const { status, body } = await create(query);
        expect([status, body.details?.[0].path]).to.deep.equal([400, path]);
        expect(await count()).to.equal(1);
      });

    for (const method of ['ebsi', 'iota', 'cheqd'])
      it(`400: did:${method} is not supported here`, async () => {
        const { status, body } = await holder.call('createWalletDid', { path: { method } });
        expect([status, body.details?.[0].path]).to.deep.equal([400, '/path/method']);
      });

    it('409: an id of the registry belongs to the first wallet, also when many ask at once', async () => {
      const other = await newWalletUser(server);
      const users = [holder, other, holder, other];
      const query = { path: '/wallet-api/registry/wanted' };
      const statuses = (await Promise.all(users.map((user) => create(query, user)))).map(({ status }) => status);
      expect(statuses.toSorted()).to.deep.equal([200, 409, 409, 409]);
      await other.call('deleteWalletDid', { path: { did: ownDid('wanted') } });
    });
  });

  describe('deleteWalletDid', () => {
    it('202: the DID is free for no other wallet, which would be the holder of its credentials, but for its own', async () => {
      const query = { path: '/wallet-api/registry/former' };
      const { body: did } = await create(query);
      expect((await holder.call('deleteWalletDid', { path: { did } })).status).to.equal(202);
      expect((await create(query, await newWalletUser(server))).status).to.equal(409);
      expect((await load(did)).status).to.equal(404);
      expect((await create(query)).body).to.equal(did);
    });

    it('202: ends the publication of a did:web', async () => {
      const { body: did } = await create();
      expect((await holder.call('deleteWalletDid', { path: { did } })).status).to.equal(202);
      expect((await load(did)).status).to.equal(404);
    });
  });

  describe('listPublishedDids', () => {
    it('200: lists the published DIDs, by pages', async () => {
      const first = (await create({ path: '/wallet-api/registry/first' })).body;
      const second = (await create({ path: '/wallet-api/registry/second' })).body;
      expect((await server.call('listPublishedDids')).body).to.include.members([first, second]);
      const { body } = await server.call('listPublishedDids', { query: { limit: '1', offset: '1' } });
      expect(body).to.deep.equal([second]);
    });

    it('400: names every wrong parameter', async () => {
      const { status, body } = await server.call('listPublishedDids', { query: { limit: '0', offset: '-1' } });
      const paths = body.details.map(({ path }: { path: string }) => path);
      expect([status, paths]).to.deep.equal([400, ['/query/limit', '/query/offset']]);
    });
  });

  describe('getPublishedDid', () => {
    it('404: for an id without a DID', async () => {
      expect((await server.call('getPublishedDid', { path: { id: 'nothing' } })).status).to.equal(404);
    });

    it('400: refuses an unknown query parameter', async () => {
      const call = { path: { id: 'nothing' }, query: { a: '1' } };
      expect((await server.call('getPublishedDid', call)).status).to.equal(400);
    });
  });

  describe('listWalletEvents', () => {
    it('200: has what happened to keys and DIDs, with the true backend and without key material', async () => {
      const user = await newWalletUser(server);
      await user.call('importWalletDid', { json: { did: DID, key: JWK } });
      await user.call('exportWalletKey', { path: { keyId: KEY_ID }, query: { loadPrivateKey: 'true' } });
      await user.call('signWithWalletKey', { path: { keyId: DID }, json: {} });
      await user.call('deleteWalletDid', { path: { did: DID } });
      await user.call('removeWalletKey', { path: { keyId: KEY_ID } });
      const { items } = (await user.call('listWalletEvents')).body;
      type Event = { event: string; action: string; data: Record<string, unknown> };
      const own = (items as Event[]).filter(({ data }) => data.id === KEY_ID || data.did === DID);
      expect(own.map(({ event, action }) => `${event} ${action}`)).to.have.members([
        'Key Import',
        'Did Import',
        'Key Export',
        'Key Sign',
        'Did Delete',
        'Key Remove',
      ]);
      for (const { event, data } of own)
        if (event === 'Key') expect(data).to.include({ algorithm: 'Ed25519', keyManagementService: 'jwk' });
        else expect(data.document).to.have.property('id', DID);
      expect(JSON.stringify(items)).not.to.contain(JWK.d).and.not.to.contain('PRIVATE');
    });
  });

  describe('importWalletDid', () => {
    it('200: imports a DID with its key and signs as it', async () => {
      const { status, body } = await importing({ did: DID, key: JWK, alias: 'from elsewhere' });
      expect([status, body]).to.deep.equal([200, DID]);
      const listed = (await holder.call('listWalletDids')).body.at(-1);
      expect(listed).to.include({ did: DID, alias: 'from elsewhere', default: false });
      const { status: signed } = await holder.call('signWithWalletKey', { path: { keyId: DID }, json: {} });
      expect(signed).to.equal(200);
    });

    it('200: imports a did:web whose document names the key in its own way, with a PEM', async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const did = `did:web:127.0.0.1%3A${new URL(host.url).port}:ada`;
      const jwk = readPublicJwk(publicKey.export({ format: 'jwk' }));
      const method = { id: `${did}#key-1`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk };
      const document = { ...didDocument(did, jwk), verificationMethod: [method], assertionMethod: [method.id] };
      host.routes['/ada/did.json'] = () => ({ body: document });
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
      expect((await importing({ did, key })).status).to.equal(200);
      const { body: token } = await holder.call('signWithWalletKey', { path: { keyId: `${did}#key-1` }, json: {} });
      expect(Buffer.from(token.split('.')[0], 'base64url').toString()).to.contain(`"kid":"${did}#key-1"`);
    });

    it('200: a key that the wallet has stays as it is, and stays when the import fails', async () => {
      const { body: keyId } = await holder.call('importWalletKey', {
        text: JSON.stringify(JWK),
        query: { alias: 'mine' },
      });
      expect((await importing({ did: DID, key: JWK })).status).to.equal(200);
      const named = (await holder.call('describeWalletKey', { path: { keyId } })).body;
      expect(named.name).to.equal('mine');
      expect((await importing({ did: DID, key: JWK })).status).to.equal(409);
      expect(await count()).to.equal(2);
    });

    const other = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const { d: _, ...publicJwk } = JWK;
    for (const [name, json, path] of [
      ['the key of another DID', { did: DID, key: other }, '/body/key'],
      ['a public key', { did: DID, key: publicJwk }, '/body/key'],
      ['a foreign public part', { did: DID, key: { ...JWK, x: other.x } }, '/body/key'],
      ['a DID of another method', { did: 'did:example:1', key: JWK }, '/body/did'],
      ['a DID without a key', { did: 'did:key:zabc', key: JWK }, '/body/did'],
      ['a text that is no DID', { did: 'text', key: JWK }, '/body/did'],
      ['no key', { did: DID }, '/body/key'],
    ] as const)
      it(`400: refuses ${name} and stores nothing`, async () => {
        const { status, body } = await importing(json);
        expect([status, body.details?.[0].path]).to.deep.equal([400, path]);
        expect(await count()).to.equal(1);
      });

    it('400: refuses a did:web on an address that may not be called', async () => {
      expect((await importing({ did: 'did:web:169.254.169.254', key: JWK })).status).to.equal(400);
    });

    it('409: refuses a DID that the wallet has', async () => {
      await importing({ did: DID, key: JWK });
      expect((await importing({ did: DID, key: JWK })).status).to.equal(409);
    });

    it('415: refuses a key that is neither JWK nor PEM', async () => {
      expect((await importing({ did: DID, key: 'ssh-ed25519 AAAA' })).status).to.equal(415);
    });

    it('502: for a did:web whose host answers with an error; 504: with nothing', async () => {
      const port = new URL(host.url).port;
      expect((await importing({ did: `did:web:127.0.0.1%3A${port}:nothing`, key: JWK })).status).to.equal(502);
      host.routes['/hanging/did.json'] = () => undefined;
      expect((await importing({ did: `did:web:127.0.0.1%3A${port}:hanging`, key: JWK })).status).to.equal(504);
    });
  });
});
