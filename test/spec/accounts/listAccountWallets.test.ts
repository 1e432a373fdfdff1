import { expect } from 'chai';
import { byCertificate, byEmail } from '../../actors/accounts.ts';
import { useServer } from '../../support/servers/server.ts';

describe('listAccountWallets', () => {
  const server = useServer();

  it('200: returns the one wallet of a new account', async () => {
    await server.call('registerAccount', { json: { ...byEmail('ada'), name: 'Ada' } });
    const { id, token } = (await server.call('loginAccount', { json: byEmail('ada') })).body;
    const { status, body } = await server.call('listAccountWallets', { cookie: `auth.token=${token}` });
    expect(status).to.equal(200);
    expect(body.account).to.equal(id);
    expect(body.wallets).to.have.length(1);
    const [{ createdOn, addedOn, ...wallet }] = body.wallets;
    expect(addedOn).to.equal(createdOn);
    expect(wallet).to.deep.equal({ id: wallet.id, name: 'Wallet of Ada', permission: 'ADMINISTRATE' });
  });

  it('200: two accounts have different wallets', async () => {
    const ids = [];
    for (const number of [0, 1]) {
      const { token } = (await server.call('loginWithCertificate', { json: byCertificate(number) })).body;
      ids.push((await server.call('listAccountWallets', { token })).body.wallets[0].id);
    }
    expect(new Set(ids).size).to.equal(2);
  });

  it('400: refuses an unknown query parameter', async () => {
    const { token } = (await server.call('loginWithCertificate', { json: byCertificate(0) })).body;
    expect((await server.call('listAccountWallets', { token, query: { limit: '1' } })).status).to.equal(400);
  });

  it('401: without a login', async () => {
    expect((await server.call('listAccountWallets')).status).to.equal(401);
  });
});
