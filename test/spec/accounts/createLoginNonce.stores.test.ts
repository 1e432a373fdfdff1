import { expect } from 'chai';
import { byCertificate } from '../../actors/accounts.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('createLoginNonce', () => {
  const server = useServer({ settings: { auth: { x5c: { replay: 'challenge' } } } });
  const login = async (nonce: string) =>
    (await server.call('loginWithCertificate', { json: byCertificate(0, { nonce }) })).status;

  it('200: returns a fresh nonce for one login, not to be cached', async () => {
    const [one, two] = [await server.call('createLoginNonce'), await server.call('createLoginNonce')];
    expect(one.headers.get('cache-control')).to.equal('no-store');
    expect(one.body.nonce).to.match(/^[A-Za-z0-9_-]{32}$/);
    expect(two.body.nonce).not.to.equal(one.body.nonce);
    expect([await login(one.body.nonce), await login(one.body.nonce)]).to.deep.equal([200, 401]);
  });

  it('200: the nonce is accepted until it expires', async () => {
    const [one, two] = [await server.call('createLoginNonce'), await server.call('createLoginNonce')];
    server.clock.advance((one.body.expiresIn - 1) * 1000);
    expect(await login(one.body.nonce)).to.equal(200);
    server.clock.advance(1000);
    expect(await login(two.body.nonce)).to.equal(401);
  });

  it('200: one nonce logs in exactly one of fifty concurrent callers', async () => {
    const { nonce } = (await server.call('createLoginNonce')).body;
    const all = await Promise.all(Array.from({ length: 50 }, () => login(nonce)));
    expect(all.filter((status) => status === 200)).to.have.length(1);
    expect(all.filter((status) => status === 401)).to.have.length(49);
  });

  it('400: refuses an unknown query parameter', async () => {
    expect((await server.call('createLoginNonce', { query: { length: '1' } })).status).to.equal(400);
  });

  it('404: does not exist while the feature is off', async () => {
    const without = await startServer({ settings: { features: { enabled: [], trustedCa: false } } });
    expect((await without.call('createLoginNonce')).status).to.equal(404);
    await without.close();
  });
});
