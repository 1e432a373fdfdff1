import { expect } from 'chai';
import { byCertificate } from '../../actors/accounts.ts';
import { useServer } from '../../support/servers/server.ts';

/** The tests of both logout operations. */
export function describeLogout(operationId: 'logoutAccount' | 'logoutWithCertificate'): void {
  const server = useServer();
  const login = async (): Promise<string> =>
    (await server.call('loginWithCertificate', { json: byCertificate(0) })).body.token;
  const isLive = async (token: string): Promise<boolean> =>
    (await server.call('getUserInfo', { token })).status === 200;

  it('200: ends the session of the bearer token and clears the cookie', async () => {
    const [token, other] = [await login(), await login()];
    const answer = await server.call(operationId, { token });
    expect(answer).to.include({ status: 200, body: '' });
    expect(answer.headers.get('set-cookie')).to.equal('login=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0');
    expect([await isLive(token), await isLive(other)]).to.deep.equal([false, true]);
    expect((await server.call('getUserInfo', { cookie: `login=${token}` })).status).to.equal(401);
  });

  it('200: ends the sessions of the cookie and of the bearer token, when both come', async () => {
    const [bearer, cookie, frontend] = [await login(), await login(), await login()];
    const both = { token: bearer, cookie: `login=${cookie}; auth.token=${frontend}` };
    expect((await server.call(operationId, both)).status).to.equal(200);
    for (const token of [bearer, cookie, frontend]) expect(await isLive(token)).to.equal(false);
  });

  it('200: ends the session of the cookie alone, called from a page of the same origin', async () => {
    const token = await login();
    const call = { cookie: `login=${token}`, headers: { origin: server.url } };
    expect((await server.call(operationId, call)).status).to.equal(200);
    expect(await isLive(token)).to.equal(false);
  });

  it('200: can be repeated, also by fifty concurrent calls, and needs no session', async () => {
    const token = await login();
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.call(operationId, { token })));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(50).fill(200));
    expect((await server.call(operationId)).status).to.equal(200);
    expect((await server.call(operationId, { token: 'no.to.ken' })).status).to.equal(200);
  });

  it('400: refuses an unknown query parameter, and the session stays valid', async () => {
    const token = await login();
    expect((await server.call(operationId, { token, query: { all: 'true' } })).status).to.equal(400);
    expect(await isLive(token)).to.equal(true);
  });

  it('403: does not accept the cookie from pages of other origins', async () => {
    const token = await login();
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }])
      expect((await server.call(operationId, { cookie: `login=${token}`, headers })).status).to.equal(403);
    expect(await isLive(token)).to.equal(true);
  });
}
