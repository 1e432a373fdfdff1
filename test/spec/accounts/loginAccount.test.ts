import { expect } from 'chai';
import { byCertificate, byEmail, oversized } from '../../actors/accounts.ts';
import { useServer } from '../../support/servers/server.ts';

describe('loginAccount', () => {
  const server = useServer();
  before(async () => {
    await server.call('registerAccount', { json: byEmail('ada') });
  });
  const login = (json: unknown) => server.call('loginAccount', { json });

  it('200: returns the account id, a token, the address and the cookie', async () => {
    const { status, body, headers } = await login({ ...byEmail('ada'), email: 'ADA@example.org', extra: null });
    expect(status).to.equal(200);
    expect(body.username).to.equal('ada@example.org');
    expect(headers.get('set-cookie')).to.match(new RegExp(`^login=${body.token}; HttpOnly; SameSite=Strict; Path=/`));
    expect((await server.call('getUserInfo', { token: body.token })).body.id).to.equal(body.id);
  });

  it('200: logs in with a certificate, without an address in the answer', async () => {
    const { status, body } = await login(byCertificate(0));
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(['id', 'token']);
    expect((await server.call('loginWithCertificate', { json: byCertificate(0) })).body.id).to.equal(body.id);
  });

  it('200: writes neither password nor token to the log', async () => {
    const { body } = await login(byEmail('ada'));
    const written = JSON.stringify(server.lines);
    expect(written).not.to.contain(byEmail('ada').password);
    expect(written).not.to.contain(body.token);
  });

  it('400: names the field that is missing, mistyped or blank', async () => {
    const bodies: [unknown, string][] = [
      [{}, '/body/type'],
      [{ ...byEmail(), type: 'oidc' }, '/body/type'],
      [{ ...byEmail(), email: undefined }, '/body/email'],
      [{ ...byEmail(), email: ' ' }, '/body/email'],
      [{ ...byEmail(), password: undefined }, '/body/password'],
      [{ ...byEmail(), password: '  ' }, '/body/password'],
      [{ ...byEmail(), password: { $ne: '' } }, '/body/password'],
      [{ type: 'x5c' }, '/body/token'],
    ];
    for (const [json, field] of bodies) {
      const { status, body } = await login(json);
      expect(status, JSON.stringify(json)).to.equal(400);
      expect(body.details.map(({ path }: { path: string }) => path)).to.include(field);
    }
  });

  it('401: the answers for an unknown address and a wrong password are the same', async () => {
    const wrong = await login(byEmail('ada', 'wrong'));
    const unknown = await login(byEmail('unknown', 'wrong'));
    expect([wrong.status, unknown.status]).to.deep.equal([401, 401]);
    const { requestId: _, ...told } = wrong.body;
    expect(unknown.body).to.deep.include(told);
    expect(wrong.headers.get('www-authenticate')).to.match(/^Bearer/);
    expect(wrong.headers.get('set-cookie')).to.equal(null);
  });

  it('401: rejects an invalid login token', async () => {
    expect((await login(byCertificate(0, { exp: 1 }))).status).to.equal(401);
  });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await login(oversized)).status).to.equal(413);
  });

  it('415: refuses other media types than JSON', async () => {
    expect((await server.call('loginAccount', { form: byEmail('ada') })).status).to.equal(415);
  });
});
