import { expect } from 'chai';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('what front ends store in a wallet', () => {
  const server = useServer();
  let user: WalletUser;
  before(async () => {
    user = await newWalletUser(server);
  });

  const stored = async () => (await user.call('getWalletSettings')).body;

  describe('getWalletSettings', () => {
    it('200: an empty object until they are set, and another wallet has its own', async () => {
      const fresh = await newWalletUser(server);
      await user.call('setWalletSettings', { json: { theme: 'dark' } });
      const { status, body } = await fresh.call('getWalletSettings');
      expect([status, body]).to.deep.equal([200, { settings: {} }]);
    });
  });

  describe('setWalletSettings', () => {
    it('202: replaces all of them, by any JSON object', async () => {
      for (const json of [{ theme: 'dark', list: [1, null, { a: '' }] }, { none: null }, {}]) {
        const { status, body } = await user.call('setWalletSettings', { json });
        expect([status, body]).to.deep.equal([202, '']);
        expect(await stored()).to.deep.equal({ settings: json });
      }
    });

    it('202: of many at once each is stored whole', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, value) => user.call('setWalletSettings', { json: { a: value, b: value } })),
      );
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([202]));
      const { a, b } = (await stored()).settings;
      expect([typeof a, a]).to.deep.equal(['number', b]);
    });

    it('400: refuses other values, more than 64 KiB and deep nesting', async () => {
      await user.call('setWalletSettings', { json: { theme: 'dark' } });
      const deep = `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`;
      for (const text of ['[]', '"dark"', '{', '{"a":1,"a":2}', deep, JSON.stringify({ a: 'x'.repeat(65_530) })])
        expect((await user.call('setWalletSettings', { text, contentType: 'application/json' })).status).to.equal(400);
      const most = { a: 'x'.repeat(65_528) };
      expect(await stored()).to.deep.equal({ settings: { theme: 'dark' } });
      expect((await user.call('setWalletSettings', { json: most })).status).to.equal(202);
    });
  });

  describe('listRejectionReasons', () => {
    it('200: lists texts to choose from', async () => {
      const { status, body } = await user.call('listRejectionReasons');
      expect(status).to.equal(200);
      expect(body).to.include('I did not ask for it');
    });

    it('400: refuses an unknown query parameter', async () => {
      expect((await user.call('listRejectionReasons', { query: { a: '1' } })).status).to.equal(400);
    });

    it('401: refuses a caller without a login', async () => {
      expect((await server.call('listRejectionReasons')).status).to.equal(401);
    });

    it('404: does not exist while the feature is off', async () => {
      const without = await startServer({ settings: { features: { enabled: ['trusted-ca'], trustedCa: true } } });
      const { status } = await without.call('listRejectionReasons');
      await without.close();
      expect(status).to.equal(404);
    });
  });
});
