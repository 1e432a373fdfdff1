import { expect } from 'chai';
import { byCertificate, byEmail, oversized } from '../../actors/accounts.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('registerAccount', () => {
  const server = useServer();
  const register = (json: unknown) => server.call('registerAccount', { json });

  it('201: creates an account with an address and a password', async () => {
    const answer = await register({ ...byEmail('ada'), name: 'Ada', byod: true });
    expect(answer).to.include({ status: 201, body: 'Registration succeeded' });
    const { body } = await server.call('loginAccount', { json: byEmail('ada') });
    expect((await server.call('getUserInfo', { token: body.token })).body).to.include({
      name: 'Ada',
      email: 'ada@example.org',
    });
  });

  it('201: creates an account with a certificate, as registerWithCertificate does', async () => {
    expect((await register(byCertificate(0))).status).to.equal(201);
    expect((await server.call('registerWithCertificate', { json: byCertificate(0) })).status).to.equal(409);
  });

  it('400: names the field that is missing, mistyped, blank or too long', async () => {
    const good = byEmail('eve');
    const bodies: [unknown, string][] = [
      [{}, '/body/type'],
      [{ ...good, type: undefined }, '/body/type'],
      [{ ...good, type: 'address' }, '/body/type'],
      [{ ...good, type: 'constructor' }, '/body/type'],
      [{ ...good, type: 1 }, '/body/type'],
      [{ type: 'email' }, '/body/email'],
      [{ type: 'email' }, '/body/password'],
      [{ ...good, email: '' }, '/body/email'],
      [{ ...good, email: '   ' }, '/body/email'],
      [{ ...good, email: 'eve' }, '/body/email'],
      [{ ...good, email: ['eve@example.org'] }, '/body/email'],
      [{ ...good, email: `${'x'.repeat(251)}@a.b` }, '/body/email'],
      [{ ...good, password: '' }, '/body/password'],
      [{ ...good, password: ' ' }, '/body/password'],
      [{ ...good, password: 123456 }, '/body/password'],
      [{ ...good, password: 'x'.repeat(1025) }, '/body/password'],
      [{ ...good, name: {} }, '/body/name'],
      [{ type: 'x5c', email: 'eve@example.org', password: 'x' }, '/body/token'],
      [{ type: 'x5c', token: 'no token' }, '/body/token'],
    ];
    for (const [json, field] of bodies) {
      const { status, body } = await register(json);
      expect(status, JSON.stringify(json)).to.equal(400);
      expect(
        body.details.map(({ path }: { path: string }) => path),
        JSON.stringify(json),
      ).to.include(field);
    }
    expect((await register(good)).status).to.equal(201);
  });

  it('400: refuses certificates while the feature is off, and still accepts addresses', async () => {
    const without = await startServer({ settings: { features: { enabled: [], trustedCa: false } } });
    const { status, body } = await without.call('registerAccount', { json: byCertificate(0) });
    expect(status).to.equal(400);
    expect(body.details[0].path).to.equal('/body/type');
    expect((await without.call('registerAccount', { json: byEmail() })).status).to.equal(201);
    await without.close();
  });

  it('409: refuses an address that has an account, in any spelling', async () => {
    await register(byEmail('grace'));
    for (const email of ['grace@example.org', 'Grace@Example.ORG', ' grace@example.org '])
      expect((await register({ ...byEmail(), email })).status).to.equal(409);
  });

  it('409: of several concurrent calls exactly one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(byEmail('race'))));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).to.deep.equal([1, 7]);
  });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await register(oversized)).status).to.equal(413);
  });

  it('415: refuses other media types than JSON', async () => {
    expect((await server.call('registerAccount', { form: byEmail('form') })).status).to.equal(415);
  });
});
