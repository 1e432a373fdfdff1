import { expect } from 'chai';
import { MAX_ACCOUNT_WALLETS } from '../../../domain/accounts/accounts.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { newWallet2User, type Wallet2Caller, wallet2Caller } from '../../actors/wallet2.ts';
import { useServer } from '../../support/servers/server.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('accounts of wallet API 2', () => {
  const server = useServer();
  let ada: Awaited<ReturnType<typeof newWallet2User>>;
  let bob: Wallet2Caller;
  let wallet: Awaited<ReturnType<Wallet2Caller['create']>>;
  before(async () => {
    [ada, bob] = [await newWallet2User(server), await newWallet2User(server)];
    wallet = await ada.create();
  });

  it('registerWallet2Account 201, 409, loginWallet2Account 200, 401: once for an address, with its password', async () => {
    expect((await server.call('registerWallet2Account', { json: ada.json })).status).to.equal(409);
    const wrong = { ...ada.json, password: 'another password' };
    expect((await server.call('loginWallet2Account', { json: wrong })).status).to.equal(401);
    const { body, headers } = await server.call('loginWallet2Account', { json: ada.json });
    expect(body.status).to.equal('SUCCESS');
    expect(body.token.split('.')).to.have.lengthOf(3);
    expect(body.session_id).to.be.a('string').that.is.not.empty;
    expect(headers.get('cache-control')).to.equal('no-store');
    for (const json of [{ email: 'ada' }, { ...ada.json, name: 'Ada' }, { ...ada.json, password: ' ' }])
      expect((await server.call('registerWallet2Account', { json })).status, JSON.stringify(json)).to.equal(400);
  });

  it('getWallet2Account 200, listWallet2AccountWallets 200: no wallet at first, then those that it creates', async () => {
    const eve = await newWallet2User(server);
    const account = async () => (await eve.call('getWallet2Account')).body;
    expect(await account()).to.deep.equal({ accountId: eve.accountId, email: eve.json.email, walletIds: [] });
    const { walletId } = await eve.create();
    expect((await account()).walletIds).to.deep.equal([walletId]);
    expect((await eve.call('listWallet2AccountWallets')).body).to.deep.equal([walletId]);
    expect((await eve.call('listWallets')).body).to.deep.equal([walletId]);
    expect((await eve.call('listAccountWallets')).body.wallets.map(({ id }: { id: string }) => id)).to.deep.equal([
      walletId,
    ]);
    expect((await eve.call('deleteWallet', { path: { wallet: walletId } })).status).to.equal(204);
    expect((await account()).walletIds).to.deep.equal([]);
    expect((await eve.call('describeWallet', { path: { wallet: walletId } })).status).to.equal(403);
  });

  it('linkWallet2AccountWallet 403: for the own wallet, one of another account and none', async () => {
    for (const walletId of [wallet.walletId, UNKNOWN])
      for (const caller of [ada, bob])
        expect((await caller.call('linkWallet2AccountWallet', { path: { walletId } })).status).to.equal(403);
    expect((await server.call('linkWallet2AccountWallet', { path: { walletId: UNKNOWN } })).status).to.equal(401);
  });

  it('names no stores, and serves none', async () => {
    for (const json of [{ keyStoreIds: ['a'] }, { credentialStoreIds: ['a'] }, { didStoreId: 'a' }])
      expect((await ada.call('createWallet', { json })).status, JSON.stringify(json)).to.equal(400);
    for (const [method, path] of [
      ['GET', '/stores/keys'],
      ['POST', '/stores/keys/a'],
    ] as const) {
      const { status } = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${ada.token}` },
      });
      expect(status).to.equal(404);
    }
  });

  it('createWallet 409: an account has at most 100, also when they are created at once', async () => {
    const eve = await newWallet2User(server);
    const statuses: number[] = [];
    for (let round = 0; round < 11; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => eve.call('createWallet')));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 201)).to.have.lengthOf(MAX_ACCOUNT_WALLETS);
    expect(statuses.filter((status) => status === 409)).to.have.lengthOf(10);
  });

  it('a user of API 1 has the first wallet here too, with its key and DID', async () => {
    const user = await newWalletUser(server);
    const caller = wallet2Caller(server, user.token);
    expect((await caller.call('listWallets')).body).to.deep.equal([user.wallet]);
    const path = { wallet: user.wallet };
    const { body } = await caller.call('describeWallet', { path });
    expect(body).to.include({ defaultDidId: user.did, didStoreId: `${user.wallet}-dids` });
    expect((await caller.call('listWallet2Keys', { path })).body).to.have.lengthOf(1);
    expect((await caller.call('listWallet2Dids', { path })).body[0].did).to.equal(user.did);
    expect((await caller.call('deleteWallet', { path })).status).to.equal(204);
    expect((await user.call('listWalletKeys')).status).to.equal(403);
    expect((await user.call('getUserInfo')).status).to.equal(200);
  });

  it('logoutWallet2Account 200: the token is 401 from then on, and another one of the account is not', async () => {
    const { token } = (await server.call('loginWallet2Account', { json: ada.json })).body;
    expect((await server.call('logoutWallet2Account', { token })).body).to.deep.equal({ status: 'logged out' });
    expect((await server.call('listWallets', { token })).status).to.equal(401);
    expect((await server.call('logoutWallet2Account')).status).to.equal(200);
    expect((await ada.call('listWallets')).body).to.deep.equal([wallet.walletId]);
  });
});
