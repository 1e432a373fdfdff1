import { expect } from 'chai';
import { NO_ACCOUNT, refusesAsEvery } from '../../actors/administration.ts';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  login,
  may,
  mayNot,
  oversized,
  PASSWORD,
  registration,
  SUPERADMIN,
  startEnterprise,
  TOKEN,
  withoutRequestId,
} from '../../actors/tenant.ts';
import { useServer } from '../../support/servers/server.ts';

describe('own account', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());
  const emailOf = async (token: string): Promise<string> =>
    (await world.server.call('getOwnAccount', { token })).body.profile.email;
  const enter = (email: string, password = PASSWORD) =>
    world.server.call('loginEnterpriseAccount', { json: { email, password } });
  const isLoggedIn = async (token: string) => (await world.server.call('getOwnAccount', { token })).status === 200;
  const reset = (json: unknown) => world.server.call('resetPassword', { json });

  describe('getOwnAccount', () => {
    it('200: shows the caller, its roles and what they grant', async () => {
      const { token, id } = await world.member([may('acme.t1', 'list-keys'), mayNot('acme.t1.kms2')]);
      const { body } = await world.server.call('getOwnAccount', { token });
      const [role] = body.roles;
      expect(body).to.deep.include({ _id: id, superadmin: false, disabled: false });
      expect(body.permissions).to.deep.equal([
        { role, ...may('acme.t1', 'list-keys') },
        { role, ...mayNot('acme.t1.kms2') },
      ]);
    });

    it('200: a superadmin may do everything', async () => {
      const { body } = await world.server.call('getOwnAccount', { token: world.root });
      expect(body).to.deep.include({ superadmin: true, permissions: [], roles: [] });
      expect(body.createdDateTime).to.be.a('string');
    });

    refusesAsEvery('getOwnAccount', { world: () => world, call: {} });
  });

  describe('replaceOwnProfile', () => {
    const put = (profile: unknown, token: string) =>
      world.server.call('replaceOwnProfile', { json: { profile }, token });

    it('200: replaces everything but the address, and leaves secrets out', async () => {
      const { token } = await world.member([may('acme.t1')]);
      const email = await emailOf(token);
      const { status, body } = await put({ email: 'root@example.org', apiKey: 'x', more: [1] }, token);
      expect(status).to.equal(200);
      expect(body.profile).to.deep.equal({ more: [1], email });
      expect((await put({ name: 'Ada' }, token)).body).to.deep.equal({ ...body, profile: { name: 'Ada', email } });
      expect((await enter(email)).status).to.equal(200);
    });

    it('400: names the field', async () => {
      expect(fieldsOf(await put('text', world.root))).to.deep.equal(['/body/profile']);
    });

    refusesAsEvery('replaceOwnProfile', { world: () => world, call: { json: { profile: {} } } });
  });

  describe('changeOwnPassword', () => {
    const change = (json: unknown, token: string) => world.server.call('changeOwnPassword', { json, token });
    const next = 'another horse battery';

    it('204: the new password is valid, the old one is not, and all other sessions end', async () => {
      const { token } = await world.member([]);
      const email = await emailOf(token);
      const [second, stranger] = [await login(world.server, email), world.root];
      expect((await change({ current: PASSWORD, new: next }, token)).status).to.equal(204);
      expect(await Promise.all([token, second, stranger].map(isLoggedIn))).to.deep.equal([true, false, true]);
      expect((await enter(email)).status).to.equal(401);
      expect((await enter(email, next)).status).to.equal(200);
    });

    it('400: names the field, and a wrong password counts as a failed login', async () => {
      const { token } = await world.member([]);
      const email = await emailOf(token);
      expect(fieldsOf(await change({ current: 'wrong', new: next }, token))).to.deep.equal(['/body/current']);
      expect(fieldsOf(await change({ current: ' ', new: next }, token))).to.deep.equal(['/body/current']);
      expect(fieldsOf(await change({ current: PASSWORD, new: ' ' }, token))).to.deep.equal(['/body/new']);
      for (let n = 0; n < 9; n += 1) await change({ current: 'wrong', new: next }, token);
      expect((await enter(email)).status).to.equal(401);
    });

    refusesAsEvery('changeOwnPassword', { world: () => world, call: { json: { current: 'x', new: 'y' } } });
  });

  describe('createPasswordReset', () => {
    const create = (accountId: string, token = world.root) =>
      world.server.call('createPasswordReset', { path: { accountId }, token });

    it('201: a token that is shown once and sets the password once', async () => {
      const { token, id } = await world.member([]);
      const email = await emailOf(token);
      const { status, body, headers } = await create(id.toUpperCase());
      expect(status).to.equal(201);
      expect(headers.get('cache-control')).to.equal('no-store');
      const answers = await Promise.all(
        ['one', 'two', 'three'].map((password) => reset({ token: body.token, password })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 401, 401]);
      expect(await isLoggedIn(token)).to.equal(false);
      const entries = await Promise.all(['one', 'two', 'three', PASSWORD].map((password) => enter(email, password)));
      expect(entries.filter(({ status }) => status === 200)).to.have.length(1);
      expect(JSON.stringify(world.server.lines)).not.to.contain(body.token);
    });

    it('403: for callers that are not superadmins', async () => {
      const { token, id } = await world.member([may('acme')]);
      expect((await create(id, token)).status).to.equal(403);
    });

    it('404: for an account that does not exist', async () => {
      expect((await create(NO_ACCOUNT)).status).to.equal(404);
    });

    refusesAsEvery('createPasswordReset', { world: () => world, call: { path: { accountId: NO_ACCOUNT } } });
  });

  describe('resetPassword', () => {
    const tokenFor = async (accountId: string): Promise<string> =>
      (await world.server.call('createPasswordReset', { path: { accountId }, token: world.root })).body.token;

    it('204: ends the lock of an account', async () => {
      const { token, id } = await world.member([]);
      const email = await emailOf(token);
      for (let n = 0; n < 10; n += 1) await enter(email, 'wrong');
      expect((await enter(email)).status).to.equal(401);
      const { body } = await world.server.call('createPasswordReset', { path: { accountId: id }, token: world.root });
      expect((await reset({ token: body.token, password: 'fresh' })).status).to.equal(204);
      expect((await enter(email, 'fresh')).status).to.equal(200);
    });

    it('401: a token ends with the next token, the next reset and the next change of the password, and no other does', async () => {
      const [{ token, id }, other] = [await world.member([]), await world.member([])];
      const [replaced, kept] = [await tokenFor(id), await tokenFor(other.id)];
      const current = await tokenFor(id);
      expect((await reset({ token: replaced, password: 'thief' })).status).to.equal(401);
      const wrong = await world.server.call('changeOwnPassword', { json: { current: 'wrong', new: 'x' }, token });
      expect(wrong.status).to.equal(400);
      const change = { json: { current: PASSWORD, new: 'changed' }, token };
      expect((await world.server.call('changeOwnPassword', change)).status).to.equal(204);
      expect((await reset({ token: current, password: 'thief' })).status).to.equal(401);
      const last = await tokenFor(id);
      expect((await reset({ token: last, password: 'fresh' })).status).to.equal(204);
      for (const used of [replaced, current, last])
        expect((await reset({ token: used, password: 'thief' })).status).to.equal(401);
      expect((await reset({ token: kept, password: 'fresh' })).status).to.equal(204);
    });

    it('400: names the field; the token remains valid', async () => {
      const { id } = await world.member([]);
      const { body } = await world.server.call('createPasswordReset', { path: { accountId: id }, token: world.root });
      expect(fieldsOf(await reset({ token: body.token, password: ' ' }))).to.deep.equal(['/body/password']);
      expect((await reset({ token: body.token, password: 'fresh' })).status).to.equal(204);
    });

    it('401: the same for an unknown token, an expired one, and one of an account that was removed', async () => {
      const [late, gone] = [await world.member([]), await world.member([])];
      const [one, other] = await Promise.all(
        [late, gone].map(({ id }) =>
          world.server.call('createPasswordReset', { path: { accountId: id }, token: world.root }),
        ),
      );
      await world.server.call('deleteAccount', { path: { accountId: gone.id }, token: world.root });
      const removed = await reset({ token: other?.body.token, password: 'x' });
      world.server.clock.advance(60 * 60 * 1000);
      const expired = await reset({ token: one?.body.token, password: 'x' });
      const unknown = await reset({ token: 'unknown', password: 'x' });
      expect(unknown.status).to.equal(401);
      for (const answer of [removed, expired])
        expect(withoutRequestId(answer)).to.deep.equal(withoutRequestId(unknown));
    });

    it('413: refuses a body over 1 MiB', async () => {
      expect((await world.server.call('resetPassword', oversized)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      expect((await world.server.call('resetPassword', asForm)).status).to.equal(415);
    });
  });

  describe('a lock that others caused', () => {
    const OWNER = '198.51.100.1';
    const THIEF = '203.0.113.9';
    const server = useServer({
      settings: {
        superadminRegistration: { tokens: { [TOKEN]: registration() } },
        rateLimit: { enterprise_auth_endpoint: { requestsPerMinute: 0 } },
        services: { trustedProxies: ['127.0.0.1'] },
      },
    });
    before(() => server.call('createSuperadmin', { text: TOKEN }));
    const from = async (source: string, password = PASSWORD): Promise<number> => {
      const call = { json: { email: SUPERADMIN, password }, headers: { 'x-forwarded-for': source } };
      return (await server.call('loginEnterpriseAccount', call)).status;
    };

    it('does not stop the source that logged in before, which can lock only itself', async () => {
      expect(await from(OWNER)).to.equal(200);
      for (let n = 0; n < 10; n += 1) await from(THIEF, 'wrong');
      expect([await from(THIEF), await from('198.51.100.2'), await from(OWNER)]).to.deep.equal([401, 401, 200]);
      for (let n = 0; n < 10; n += 1) await from(OWNER, 'wrong');
      expect(await from(OWNER)).to.equal(401);
    });
  });
});
