import { expect } from 'chai';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const KEY_TYPES = ['Ed25519', 'secp256k1', 'secp256r1', 'secp384r1', 'secp521r1', 'RSA', 'RSA3072', 'RSA4096'];

describe('the keys of a wallet', () => {
  const server = useServer();
  let holder: WalletUser;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(() => resetWallet(holder));

  describe('listWalletKeys', () => {
    it('200: a new wallet has its default key, in the documented shape', async () => {
      const { status, body } = await holder.call('listWalletKeys');
      expect(status).to.equal(200);
      const [key] = body;
      expect(body).to.have.length(1);
      expect(key.keyId.id).to.match(/^[\w-]{43}$/);
      expect({ ...key, keyId: 0 }).to.deep.equal({
        algorithm: 'secp256r1',
        cryptoProvider: 'jwk',
        keyId: 0,
        keyPair: {},
        keysetHandle: null,
      });
    });
  });

  describe('generateWalletKey', () => {
    it('201: creates a key of every type and lists it by its id, without private members', async () => {
      for (const keyType of KEY_TYPES) {
        server.clock.advance(1);
        const { status, body: id } = await holder.call('generateWalletKey', { json: { backend: 'jwk', keyType } });
        expect(status).to.equal(201);
        const { body } = await holder.call('listWalletKeys');
        expect(body.at(-1)).to.include({ algorithm: keyType });
        expect(body.at(-1).keyId).to.deep.equal({ id });
        expect(JSON.stringify(body)).not.to.match(/"(d|p|q|jwk|config)":/);
      }
    });

    it('201: creates an Ed25519 key with the requested name by default', async () => {
      server.clock.advance(1);
      await holder.call('generateWalletKey', { json: { name: 'spare', keyType: null, config: null } });
      expect((await holder.call('listWalletKeys')).body.at(-1)).to.include({ algorithm: 'Ed25519', name: 'spare' });
    });

    for (const [json, path] of [
      [{ backend: 'jwk', keyType: 'secp256r1', colour: 'red' }, '/body/colour'],
      [{ backend: 'jwk', keyType: 'secp111' }, '/body/keyType'],
      [{ backend: 'nowhere', keyType: 'secp256r1' }, '/body/backend'],
      [{ backend: 'kmsc-rest-api', keyType: 'secp256r1' }, '/body/config/signingKeyPem'],
      [{ backend: 7 }, '/body/backend'],
      [{ backend: 'constructor' }, '/body/backend'],
      [{ backend: 'jwk', config: { colour: 'red' } }, '/body/config/colour'],
      [{ backend: 'jwk', config: 'red' }, '/body/config'],
      [{ backend: 'jwk', name: 'n'.repeat(257) }, '/body/name'],
    ] as const)
      it(`400: names ${path} of ${JSON.stringify(json).slice(0, 60)} and creates nothing`, async () => {
        const { status, body } = await holder.call('generateWalletKey', { json });
        expect(status).to.equal(400);
        expect(body.details.map((detail: { path: string }) => detail.path)).to.include(path);
        expect((await holder.call('listWalletKeys')).body).to.have.length(1);
      });
  });

  describe('deleteWalletKey', () => {
    it('202: deletes a key that no DID uses', async () => {
      const { body: keyId } = await holder.call('generateWalletKey', { json: {} });
      expect((await holder.call('deleteWalletKey', { path: { keyId } })).status).to.equal(202);
      expect((await holder.call('listWalletKeys')).body).to.have.length(1);
    });

    it('202: of many concurrent calls exactly one deletes the key', async () => {
      const { body: keyId } = await holder.call('generateWalletKey', { json: {} });
      const remove = () => holder.call('deleteWalletKey', { path: { keyId } });
      const statuses = (await Promise.all(Array.from({ length: 20 }, remove))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 202)).to.have.length(1);
      expect(statuses.filter((status) => status === 404)).to.have.length(19);
    });

    it('400: refuses to delete a key that a DID uses and names the DID; deletes it after the DID', async () => {
      holder = await newWalletUser(server);
      const keyId = (await holder.call('listWalletKeys')).body[0].keyId.id;
      const { status, body } = await holder.call('deleteWalletKey', { path: { keyId } });
      expect(status).to.equal(400);
      expect(body.message).to.include(holder.did);
      await holder.call('deleteWalletDid', { path: { did: holder.did } });
      expect((await holder.call('deleteWalletKey', { path: { keyId } })).status).to.equal(202);
      holder = await newWalletUser(server);
    });

    it('404: for a key of another wallet', async () => {
      const keyId = (await (await newWalletUser(server)).call('listWalletKeys')).body[0].keyId.id;
      expect((await holder.call('deleteWalletKey', { path: { keyId } })).status).to.equal(404);
    });

    it('concurrent deletion of a key and creation of its DID never leave a DID without a key', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { body: keyId } = await holder.call('generateWalletKey', { json: {} });
        const [made, deleted] = await Promise.all([
          holder.call('createWalletDid', { path: { method: 'key' }, query: { keyId } }),
          holder.call('deleteWalletKey', { path: { keyId } }),
        ]);
        const dids = (await holder.call('listWalletDids')).body.map((entry: { keyId: string }) => entry.keyId);
        const keys = (await holder.call('listWalletKeys')).body.map(
          (entry: { keyId: { id: string } }) => entry.keyId.id,
        );
        expect([200, 404]).to.include(made.status);
        expect([202, 400]).to.include(deleted.status);
        expect(dids.includes(keyId)).to.equal(made.status === 200);
        expect(keys.includes(keyId)).to.equal(deleted.status !== 202);
        expect(made.status === 200 && deleted.status === 202).to.equal(false);
      }
    });
  });
});
