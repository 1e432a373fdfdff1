import { expect } from 'chai';
import { byCertificate, byEmail } from '../../actors/accounts.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('getUserInfo', () => {
  const server = useServer();
  const login = async (json: unknown) => (await server.call('loginAccount', { json })).body;

  it('200: returns an account of a certificate without name and address', async () => {
    const { id, token } = await login(byCertificate(0));
    const { status, body } = await server.call('getUserInfo', { token });
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(['tenant', 'id', 'createdOn']);
    expect(body).to.include({ tenant: '', id });
  });

  it('200: returns name and address of an account that has them, never the password', async () => {
    await server.call('registerAccount', { json: { ...byEmail('ada'), name: 'Ada' } });
    const { id, token } = await login(byEmail('ada'));
    const { body } = await server.call('getUserInfo', { cookie: `login=${token}` });
    expect(body).to.deep.equal({ tenant: '', id, name: 'Ada', email: 'ada@example.org', createdOn: body.createdOn });
  });

  it('200: a session is known on every instance of one store, and a logout ends it on all of them', async () => {
    const first = await startServer({ store: 'sqlite' });
    const { dataDir } = first.settings;
    const again = await startServer({ store: 'sqlite', dataDir, settings: { publicUrl: first.settings.publicUrl } });
    const { token, id } = (await first.call('loginWithCertificate', { json: byCertificate(0) })).body;
    // Both publish one address; the second is called where it listens.
    const port = again.lines.find(({ message }) => message === 'listening')?.fields.port;
    const there = `http://127.0.0.1:${port}/wallet-api/auth`;
    const headers = { authorization: `Bearer ${token}` };
    expect(await (await fetch(`${there}/user-info`, { headers })).json()).to.include({ id });
    await fetch(`${there}/logout`, { method: 'POST', headers });
    expect((await first.call('getUserInfo', { token })).status).to.equal(401);
    await again.close();
    await first.close();
  });

  it('400: refuses an unknown query parameter', async () => {
    const { token } = await login(byCertificate(0));
    expect((await server.call('getUserInfo', { token, query: { id: '1' } })).status).to.equal(400);
  });

  it('401: without a login', async () => {
    expect((await server.call('getUserInfo')).status).to.equal(401);
  });
});
