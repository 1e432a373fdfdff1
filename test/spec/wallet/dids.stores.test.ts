import { expect } from 'chai';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

describe('the DIDs of a wallet', () => {
  const server = useServer();
  let holder: WalletUser;
  let other: WalletUser;
  before(async () => {
    [holder, other] = [await newWalletUser(server), await newWalletUser(server)];
  });
  beforeEach(() => resetWallet(holder));

  describe('listWalletDids', () => {
    it('200: a new wallet has a default did:jwk, its document as JSON text', async () => {
      const { status, body } = await holder.call('listWalletDids');
      expect(status).to.equal(200);
      const [{ did, alias, document, keyId, default: isDefault }] = body;
      expect(body).to.have.length(1);
      expect(did).to.match(/^did:jwk:/);
      expect([alias, isDefault]).to.deep.equal(['Onboarding', true]);
      expect(JSON.parse(document).id).to.equal(did);
      expect((await holder.call('listWalletKeys')).body[0].keyId.id).to.equal(keyId);
    });
  });

  describe('createWalletDid', () => {
    it('200: creates a did:key for a key of the wallet', async () => {
      const { body: keyId } = await holder.call('generateWalletKey', { json: {} });
      const query = { keyId, alias: 'second' };
      const { status, body: did } = await holder.call('createWalletDid', { path: { method: 'key' }, query });
      expect(status).to.equal(200);
      expect(did).to.match(/^did:key:z6Mk/);
      const listed = (await holder.call('listWalletDids')).body.at(-1);
      expect(listed).to.include({ did, keyId, alias: 'second', default: false });
    });

    it('200: creates a key when none is named, and supports the canonical JWK form', async () => {
      const query = { useJwkJcsPub: 'true' };
      const { body: did } = await holder.call('createWalletDid', { path: { method: 'key' }, query });
      expect(did).to.match(/^did:key:z2dmzD81/);
      expect((await holder.call('listWalletKeys')).body).to.have.length(2);
      expect((await holder.call('listWalletDids')).body.at(-1).alias).to.equal('n/a');
    });

    it('400: refuses unsupported methods', async () => {
      const { status, body } = await holder.call('createWalletDid', { path: { method: 'ebsi' } });
      expect(status).to.equal(400);
      expect(body.details[0].path).to.equal('/path/method');
    });

    it('404: for a key of another wallet, creating nothing', async () => {
      const keyId = (await other.call('listWalletKeys')).body[0].keyId.id;
      const { status } = await holder.call('createWalletDid', { path: { method: 'jwk' }, query: { keyId } });
      expect(status).to.equal(404);
      expect((await holder.call('listWalletDids')).body).to.have.length(1);
    });

    it('409: refuses a DID that the wallet has; of many concurrent calls exactly one succeeds', async () => {
      const { body: keyId } = await holder.call('generateWalletKey', { json: {} });
      const create = () => holder.call('createWalletDid', { path: { method: 'jwk' }, query: { keyId } });
      const statuses = (await Promise.all(Array.from({ length: 20 }, create))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).to.have.length(1);
      expect(statuses.filter((status) => status === 409)).to.have.length(19);
    });
  });

  describe('setDefaultWalletDid', () => {
    it('202: exactly the chosen DID is the default', async () => {
      const { body: did } = await holder.call('createWalletDid', { path: { method: 'key' } });
      expect((await holder.call('setDefaultWalletDid', { query: { did } })).status).to.equal(202);
      const defaults = (await holder.call('listWalletDids')).body.filter(
        (entry: { default: boolean }) => entry.default,
      );
      expect(defaults.map((entry: { did: string }) => entry.did)).to.deep.equal([did]);
    });

    it('202: of many concurrent calls each is accepted, and one DID is the default', async () => {
      const { body: did } = await holder.call('createWalletDid', { path: { method: 'key' } });
      const choose = (_: unknown, index: number) =>
        holder.call('setDefaultWalletDid', { query: { did: index % 2 === 0 ? did : holder.did } });
      const answers = await Promise.all(Array.from({ length: 20 }, choose));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([202]));
      const defaults = (await holder.call('listWalletDids')).body.filter(
        (entry: { default: boolean }) => entry.default,
      );
      expect(defaults).to.have.length(1);
    });

    it('400: requires a DID', async () => {
      expect((await holder.call('setDefaultWalletDid')).body.details[0].path).to.equal('/query/did');
    });

    it('404: for a DID of another wallet', async () => {
      const { did } = other;
      expect((await holder.call('setDefaultWalletDid', { query: { did } })).status).to.equal(404);
    });
  });

  describe('getWalletDid', () => {
    it('200: returns the DID document', async () => {
      const { status, body } = await holder.call('getWalletDid', { path: { did: holder.did } });
      expect(status).to.equal(200);
      expect(body.id).to.equal(holder.did);
      expect(body.verificationMethod[0].id).to.equal(`${holder.did}#0`);
    });

    it('404: for a DID of another wallet', async () => {
      const { did } = other;
      expect((await holder.call('getWalletDid', { path: { did } })).status).to.equal(404);
    });
  });

  describe('deleteWalletDid', () => {
    it('202: deletes the DID and keeps its key', async () => {
      const { body: did } = await holder.call('createWalletDid', { path: { method: 'key' } });
      expect((await holder.call('deleteWalletDid', { path: { did } })).status).to.equal(202);
      expect((await holder.call('listWalletDids')).body).to.have.length(1);
      expect((await holder.call('listWalletKeys')).body).to.have.length(2);
    });

    it('404: for a DID of another wallet', async () => {
      expect((await holder.call('deleteWalletDid', { path: { did: other.did } })).status).to.equal(404);
      expect((await other.call('listWalletDids')).body).to.have.length(1);
    });
  });
});
