import { expect } from 'chai';
import { byCertificate } from '../../actors/accounts.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('getLoginSession', () => {
  const server = useServer();
  let token: string;
  before(async () => {
    token = (await server.call('loginWithCertificate', { json: byCertificate(0) })).body.token;
  });

  it('200: returns the token, sent as bearer token or as cookie', async () => {
    const ways = [
      { token },
      { cookie: `login=${token}` },
      { cookie: `auth.token=${token}` },
      { token, cookie: `auth.token=${token}` },
    ];
    for (const way of ways) {
      const { status, body } = await server.call('getLoginSession', way);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ token: { accessToken: token } });
    }
  });

  it('400: refuses an unknown query parameter', async () => {
    expect((await server.call('getLoginSession', { token, query: { id: '1' } })).status).to.equal(400);
  });

  it('401: without a valid session', async () => {
    const [head = '', body = '', tail = ''] = token.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const attempts = [
      {},
      { token: 'x' },
      { token: `${head}.${body}.${tail.slice(4)}` },
      { token: none },
      { cookie: 'login=x' },
      { headers: { authorization: `Basic ${token}` } },
    ];
    for (const attempt of attempts) {
      const answer = await server.call('getLoginSession', attempt);
      expect(answer.status, JSON.stringify(attempt)).to.equal(401);
      expect(answer.body).to.include({ id: 'LoginRequired', code: '401' });
      expect(answer.headers.get('www-authenticate')).to.match(/^Bearer/);
    }
  });

  it('401: after the session has expired', async () => {
    const other = await startServer({ settings: { auth: { tokenLifetimeSeconds: 600 } } });
    const brief = (await other.call('loginWithCertificate', { json: byCertificate(0) })).body.token;
    other.clock.advance(599_000);
    expect((await other.call('getLoginSession', { token: brief })).status).to.equal(200);
    other.clock.advance(1_000);
    expect((await other.call('getLoginSession', { token: brief })).status).to.equal(401);
    await other.close();
  });
});
