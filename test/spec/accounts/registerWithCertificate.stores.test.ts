import { expect } from 'chai';
import { byCertificate, oversized } from '../../actors/accounts.ts';
import { startServer, useServer } from '../../support/servers/server.ts';
import { DAY, makeCertificate, testKeys, testLeaf, x5cToken } from '../../support/trust/certificates.ts';

describe('registerWithCertificate', () => {
  const server = useServer();
  const register = (json: unknown) => server.call('registerWithCertificate', { json });

  it('201: creates an account, answers in plain text, and does not log in', async () => {
    const answer = await register({ ...byCertificate(0), name: 'Ada', unknown: 'is ignored' });
    expect(answer).to.include({ status: 201, body: 'Registration succeeded' });
    expect(answer.headers.get('content-type')).to.match(/^text\/plain/);
    expect(answer.headers.get('set-cookie')).to.equal(null);
    const { body } = await server.call('loginWithCertificate', { json: byCertificate(0) });
    expect((await server.call('getUserInfo', { token: body.token })).body).to.include({ id: body.id, name: 'Ada' });
  });

  it('400: names the field that is missing, mistyped or too long', async () => {
    const { token } = byCertificate(1);
    const bodies: [unknown, string][] = [
      [{ token }, '/body/type'],
      [{ type: 'email', token }, '/body/type'],
      [{ type: ['x5c'], token }, '/body/type'],
      [{ type: 'x5c' }, '/body/token'],
      [{ type: 'x5c', token: '' }, '/body/token'],
      [{ type: 'x5c', token: null }, '/body/token'],
      [{ type: 'x5c', token: [token] }, '/body/token'],
      [{ type: 'x5c', token: 'x'.repeat(200_000) }, '/body/token'],
      [{ type: 'x5c', token, name: 5 }, '/body/name'],
      [{ type: 'x5c', token, name: 'x'.repeat(257) }, '/body/name'],
      [[], '/body'],
      ['x5c', '/body'],
      [null, '/body'],
    ];
    for (const [json, field] of bodies) {
      const { status, body } = await register(json);
      expect(status, JSON.stringify(json)).to.equal(400);
      expect(body.details.map(({ path }: { path: string }) => path)).to.include(field);
    }
    for (const text of [
      '',
      '{',
      '{"type":"x5c","type":"x5c","token":"x"}',
      '{"__proto__":{"type":"x5c"},"token":"x"}',
      '\ud800',
    ])
      expect((await server.call('registerWithCertificate', { text, contentType: 'application/json' })).status).to.equal(
        400,
      );
  });

  it('400: refuses malformed and invalid tokens with the same answer', async () => {
    const stranger = makeCertificate({ subject: 'CN=Stranger', keys: testKeys('RSA', 40) });
    const tokens = [
      'no token',
      'a.b.c',
      x5cToken({ chain: [testLeaf(1)], header: { x5c: [] } }),
      x5cToken({ chain: [testLeaf(1)], header: { alg: 'none' } }),
      x5cToken({ chain: [testLeaf(1)], key: testKeys('RSA', 40).privateKey }),
      x5cToken({ chain: [stranger] }),
      byCertificate(1, {}, { notAfter: new Date(Date.now() - DAY) }).token,
      byCertificate(1, { exp: 1 }).token,
      byCertificate(1, { aud: 'http://elsewhere.example' }).token,
    ];
    for (const token of tokens) {
      const { status, body } = await register({ type: 'x5c', token });
      expect(status, token).to.equal(400);
      expect(body).to.include({ exception: true, id: 'BadRequest', code: '400' });
      expect(body.details[0].path).to.equal('/body/token');
    }
  });

  it('400: refuses an unknown query parameter', async () => {
    const { status } = await server.call('registerWithCertificate', {
      json: byCertificate(1),
      query: { force: 'true' },
    });
    expect(status).to.equal(400);
  });

  it('404: does not exist while the feature is off', async () => {
    const without = await startServer({ settings: { features: { enabled: [], trustedCa: false } } });
    expect((await without.call('registerWithCertificate', { json: byCertificate(0) })).status).to.equal(404);
    await without.close();
  });

  it('409: refuses a key that has an account, also with another certificate', async () => {
    await register(byCertificate(2));
    expect((await register(byCertificate(2))).status).to.equal(409);
    expect((await register(byCertificate(2, {}, { subject: 'CN=Renamed' }))).status).to.equal(409);
  });

  it('409: of fifty concurrent calls exactly one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => register(byCertificate(3))));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).to.deep.equal([1, 49]);
  });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await register(oversized)).status).to.equal(413);
  });

  it('415: refuses other media types than JSON', async () => {
    const text = JSON.stringify(byCertificate(4));
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'application/jose'])
      expect((await server.call('registerWithCertificate', { text, contentType })).status).to.equal(415);
  });
});
