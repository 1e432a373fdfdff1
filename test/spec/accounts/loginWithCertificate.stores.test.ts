import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt, exportJWK } from 'jose';
import { byCertificate, oversized } from '../../actors/accounts.ts';
import { type ServerOptions, startServer, type TestServer, useServer } from '../../support/servers/server.ts';
import { DAY, makeCertificate, testKeys, testLeaf, x5cToken } from '../../support/trust/certificates.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('loginWithCertificate', () => {
  const server = useServer();
  const login = (json: unknown, at = server) => at.call('loginWithCertificate', { json });
  const withServer = async (settings: ServerOptions['settings'], work: (other: TestServer) => Promise<void>) => {
    const other = await startServer({ settings });
    await work(other).finally(() => other.close());
  };

  it('200: returns the account id, a bearer token and the same token as a cookie', async () => {
    await server.call('registerWithCertificate', { json: byCertificate(0) });
    const { status, body, headers } = await login(byCertificate(0));
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(['id', 'token']);
    expect(body.id).to.match(UUID);
    const claims = decodeJwt(body.token);
    expect(claims).to.include({ sub: body.id, iss: server.settings.publicUrl });
    expect(Number(claims.exp) - Number(claims.iat)).to.equal(server.settings.auth.tokenLifetimeSeconds);
    const age = server.settings.auth.tokenLifetimeSeconds;
    expect(headers.get('set-cookie')).to.equal(
      `login=${body.token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${age}`,
    );
    expect(headers.get('cache-control')).to.equal('no-store');
    const { body: account } = await server.call('getUserInfo', { token: body.token });
    expect(account.id).to.equal(body.id);
  });

  it('200: creates the account at the first login, one for fifty concurrent first logins', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(byCertificate(1))));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
    expect(new Set(answers.map(({ body }) => body.token)).size).to.equal(50);
  });

  it('200: returns a new token at each login, regardless of the cookie', async () => {
    const cookie = 'login=chosen-by-an-attacker';
    const one = await server.call('loginWithCertificate', { json: byCertificate(0), cookie });
    const two = await server.call('loginWithCertificate', {
      json: byCertificate(0),
      cookie: `login=${one.body.token}`,
    });
    expect(one.headers.get('set-cookie')).not.to.contain('chosen-by-an-attacker');
    expect(two.body.token).not.to.equal(one.body.token);
  });

  it('200: marks the cookie Secure when the public URL is https', () =>
    // Only the links are https here: in production a proxy terminates TLS.
    withServer({ publicUrl: 'https://127.0.0.1:0' }, async ({ url }) => {
      const { headers } = await fetch(`${url.replace('https:', 'http:')}/wallet-api/auth/x5c/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(byCertificate(0)),
      });
      expect(headers.get('set-cookie')).to.match(/^login=.+; Secure$/);
    }));

  it('400: refuses a token that is malformed', async () => {
    const chain = [testLeaf(0)];
    const attacker = testKeys('RSA', 40);
    const jwk = await exportJWK(attacker.publicKey);
    const good = x5cToken({ chain });
    const tokens = [
      'no token',
      `${good}=`,
      good.replace('.', '=.'),
      `${good}.${good}`,
      x5cToken({ chain, header: { x5c: undefined } }),
      x5cToken({ chain, header: { x5c: [] } }),
      x5cToken({ chain, header: { x5c: 'MIIB' } }),
      x5cToken({ chain, header: { x5c: ['not base64'] } }),
      x5cToken({ chain, header: { x5c: [Buffer.from('no certificate').toString('base64')] } }),
      x5cToken({ chain: Array(11).fill(testLeaf(0)) }),
      x5cToken({ chain, header: { crit: ['b64'], b64: false } }),
      x5cToken({ chain, key: attacker.privateKey, header: { jwk } }),
      x5cToken({ chain, header: { jku: `${server.url}/keys` } }),
      x5cToken({ chain, header: { x5u: `${server.url}/keys` } }),
      x5cToken({ chain, payload: { exp: '1' } }),
      x5cToken({ chain, payload: { nonce: 1 } }),
    ];
    for (const token of tokens) {
      const { status, body } = await login({ type: 'x5c', token });
      expect(status, token).to.equal(400);
      expect(body.details[0].path).to.equal('/body/token');
    }
  });

  it('400: names a field of the body that is missing or mistyped', async () => {
    for (const [json, field] of [
      [{}, '/body/type'],
      [{ type: 'x5c' }, '/body/token'],
      [{ type: 'x5c', token: 1 }, '/body/token'],
    ])
      expect((await login(json)).body.details.map(({ path }: { path: string }) => path)).to.include(field);
  });

  it('401: rejects an invalid login token', async () => {
    const chain = [testLeaf(0)];
    const stranger = makeCertificate({ subject: 'CN=Stranger', ca: true, keys: testKeys('RSA', 40) });
    const now = Math.floor(Date.now() / 1000);
    const pem = testLeaf(0).keys.publicKey.export({ type: 'spki', format: 'pem' });
    const [head = '', body = ''] = x5cToken({ chain, header: { alg: 'HS256' } }).split('.');
    const tokens = [
      `${head}.${body}.${createHmac('sha256', pem).update(`${head}.${body}`).digest('base64url')}`,
      x5cToken({ chain, header: { alg: 'none' } }),
      x5cToken({ chain, header: { alg: 'RS512' } }),
      x5cToken({ chain, key: testKeys('RSA', 40).privateKey }),
      x5cToken({ chain: [stranger] }),
      x5cToken({ chain: [testLeaf(0, { issuer: stranger }), stranger] }),
      x5cToken({ chain: [testLeaf(0, { keys: testKeys('RSA1024') })] }),
      x5cToken({ chain: [testLeaf(0, { keys: testKeys('P-256') })], key: testKeys('RSA', 1).privateKey }),
      byCertificate(0, {}, { notAfter: new Date(Date.now() - DAY) }).token,
      byCertificate(0, {}, { notBefore: new Date(Date.now() + DAY) }).token,
      byCertificate(0, { exp: now - 120 }).token,
      byCertificate(0, { nbf: now + 120 }).token,
      byCertificate(0, { iat: now + 120 }).token,
      byCertificate(0, { aud: 'http://elsewhere.example' }).token,
      byCertificate(0, { nonce: 'made up' }).token,
    ];
    for (const token of tokens) {
      const answer = await login({ type: 'x5c', token });
      expect(answer.status, token).to.equal(401);
      expect(answer.body).to.include({ id: 'TokenRejected', code: '401' });
      expect(answer.body.details[0].path).to.equal('/body/token');
      expect(answer.headers.get('www-authenticate')).to.match(/^Bearer/);
      expect(answer.headers.get('set-cookie')).to.equal(null);
    }
  });

  it('401: does not create an account when that is disabled', () =>
    withServer({ auth: { x5c: { autoRegister: false } } }, async (other) => {
      expect((await login(byCertificate(0), other)).status).to.equal(401);
      await other.call('registerWithCertificate', { json: byCertificate(0) });
      expect((await login(byCertificate(0), other)).status).to.equal(200);
    }));

  it('401: accepts a jti once, and a token without jti until it expires, as the contract requires only {}', async () => {
    const once = byCertificate(0, { jti: 'one' });
    expect((await login(once)).status).to.equal(200);
    expect((await login(once)).status).to.equal(401);
    const plain = byCertificate(0);
    for (const status of [200, 200]) expect((await login(plain)).status).to.equal(status);
  });

  it('401: accepts every token once when x5c.replay is once', () =>
    withServer({ auth: { x5c: { replay: 'once' } } }, async (other) => {
      const body = byCertificate(0, { iat: Math.floor(Date.now() / 1000) });
      const answers = await Promise.all(Array.from({ length: 50 }, () => login(body, other)));
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      expect([count(200), count(401)]).to.deep.equal([1, 49]);
      expect((await login(byCertificate(0, { jti: 'another' }), other)).status).to.equal(200);
    }));

  it('401: requires a nonce when x5c.replay is challenge', () =>
    withServer({ auth: { x5c: { replay: 'challenge' } } }, async (other) => {
      const { nonce } = (await other.call('createLoginNonce')).body;
      expect((await login(byCertificate(0), other)).status).to.equal(401);
      expect((await login(byCertificate(0, { nonce }), other)).status).to.equal(200);
      expect((await login(byCertificate(0, { nonce }), other)).status).to.equal(401);
    }));

  it('404: does not exist while the feature is off', () =>
    withServer({ features: { enabled: [], trustedCa: false } }, async (other) => {
      expect((await login(byCertificate(0), other)).status).to.equal(404);
    }));

  it('413: refuses a body over 1 MiB', async () => {
    expect((await login(oversized)).status).to.equal(413);
  });

  it('415: refuses other media types than JSON', async () => {
    const text = JSON.stringify(byCertificate(0));
    expect((await server.call('loginWithCertificate', { text, contentType: 'text/plain' })).status).to.equal(415);
  });
});
