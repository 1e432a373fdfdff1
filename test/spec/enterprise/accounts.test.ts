import { expect } from 'chai';
import {
  accountRequest,
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  login,
  may,
  mayNot,
  oversized,
  PASSWORD,
  SUPERADMIN,
  startEnterprise,
  withoutRequestId,
} from '../../actors/tenant.ts';

describe('accounts', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());
  const NOBODY = '00000000-0000-4000-8000-000000000000';

  describe('loginEnterpriseAccount', () => {
    const attempt = (json: unknown) => world.server.call('loginEnterpriseAccount', { json });

    it('200: returns a token, with any case of the address', async () => {
      const { status, body, headers } = await attempt({ email: 'ROOT@example.org', password: PASSWORD });
      expect(status).to.equal(200);
      expect(Object.keys(body)).to.deep.equal(['token']);
      expect(headers.get('cache-control')).to.equal('no-store');
    });

    it('200: its token is refused by the wallet, and a token of the wallet here', async () => {
      const json = { type: 'email', name: 'Ada', email: SUPERADMIN, password: 'another password' };
      await world.server.call('registerAccount', { json });
      const wallet = (await world.server.call('loginAccount', { json })).body.token;
      expect((await world.server.call('getUserInfo', { token: world.root })).status).to.equal(401);
      const target = { target: 'acme' };
      expect((await world.server.call('getResource', { path: target, token: wallet })).status).to.equal(401);
      expect((await world.server.call('getResource', { path: target, cookie: `login=${world.root}` })).status).to.equal(
        401,
      );
      expect((await attempt({ email: SUPERADMIN, password: 'another password' })).status).to.equal(401);
    });

    it('400: names the field', async () => {
      expect(fieldsOf(await attempt({ password: 'x' }))).to.deep.equal(['/body/email']);
      expect(fieldsOf(await attempt({ email: 'no address', password: 'x' }))).to.deep.equal(['/body/email']);
      expect(fieldsOf(await attempt({ email: 'a@b', password: ' ' }))).to.deep.equal(['/body/password']);
    });

    it('401: the answers for an unknown address and a wrong password are the same', async () => {
      const [wrong, unknown] = [
        await attempt({ email: SUPERADMIN, password: 'wrong' }),
        await attempt({ email: 'absent@example.org', password: 'wrong' }),
      ];
      expect(wrong.status).to.equal(401);
      expect(withoutRequestId(wrong)).to.deep.equal(withoutRequestId(unknown));
    });

    it('413: refuses a body over 1 MiB', async () => {
      expect((await world.server.call('loginEnterpriseAccount', oversized)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      expect((await world.server.call('loginEnterpriseAccount', asForm)).status).to.equal(415);
    });
  });

  describe('registerEnterpriseAccount', () => {
    const register = (json: unknown, token = world.root) =>
      world.server.call('registerEnterpriseAccount', { json, token });

    it('201: creates an account that can log in and has no permission', async () => {
      const { status, body } = await register(accountRequest('new@example.org'));
      expect(status).to.equal(201);
      expect(body).to.deep.include({ profile: { name: 'Member', email: 'new@example.org' }, roles: [] });
      const token = await login(world.server, 'new@example.org');
      expect((await world.server.call('getResource', { path: { target: 'acme' }, token })).status).to.equal(404);
    });

    it('400: names the field', async () => {
      const request = accountRequest('no address');
      expect(fieldsOf(await register(request))).to.deep.equal(['/body/initialAuth/identifier/email']);
      expect(fieldsOf(await register({}))).to.deep.equal(['/body/initialAuth']);
    });

    it('401: without a login', async () => {
      expect((await register(accountRequest('x@example.org'), 'nothing')).status).to.equal(401);
    });

    it('403: for callers that are not superadmins', async () => {
      const { token } = await world.member([may('acme')]);
      expect((await register(accountRequest('x@example.org'), token)).status).to.equal(403);
    });

    it('409: an address has one account', async () => {
      expect((await register(accountRequest('Root@Example.org'))).status).to.equal(409);
    });

    it('413: refuses a body over 1 MiB', async () => {
      const call = { ...oversized, token: world.root };
      expect((await world.server.call('registerEnterpriseAccount', call)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      const call = { ...asForm, token: world.root };
      expect((await world.server.call('registerEnterpriseAccount', call)).status).to.equal(415);
    });
  });

  describe('createRole', () => {
    const role = (permissions: unknown[]) => ({ name: 'R', permissions });

    it('201: creates a role below an organization or a tenant', async () => {
      const { status, body } = await world.post(
        'createRole',
        'acme.t1.viewer',
        role([may('acme.*.kms1', 'list-keys')]),
      );
      expect(status).to.equal(201);
      expect(body).to.deep.equal({ _id: 'acme.t1.viewer', name: 'R', permissions: [may('acme.*.kms1', 'list-keys')] });
    });

    it('201: an administrator of an organization creates roles within it', async () => {
      const { token } = await world.member([may('acme')]);
      expect((await world.post('createRole', 'acme.own', role([may('acme.t1')]), token)).status).to.equal(201);
    });

    it('400: refuses permissions that the caller does not have, and malformed targets', async () => {
      const { token } = await world.member([may('acme')]);
      for (const target of ['other', 'acmes', '*', '*.t1', 'a..b', ''])
        expect((await world.post('createRole', 'acme.greedy', role([may(target)]), token)).status, target).to.equal(
          400,
        );
      const answer = await world.post('createRole', 'acme.greedy', role([may('acme'), may('other')]), token);
      expect(fieldsOf(answer)).to.deep.equal(['/body/permissions/1/target']);
    });

    it('401: without a login', async () => {
      expect((await world.post('createRole', 'acme.r', role([]), 'x')).status).to.equal(401);
    });

    it('403: without all permissions at the target of the role, or with a denial below it', async () => {
      const { token } = await world.member([may('acme.t1', 'list-keys'), may('acme')]);
      expect((await world.post('createRole', 'acme.r', role([]), token)).status).to.equal(201);
      const denied = await world.member([may('acme'), mayNot('acme.t1.kms1', 'list-keys')]);
      expect((await world.post('createRole', 'acme.t1.r', role([]), denied.token)).status).to.equal(201);
      const answer = await world.post('createRole', 'acme.t1.r2', role([may('acme.t1')]), denied.token);
      expect(fieldsOf(answer)).to.deep.equal(['/body/permissions/0/target']);
      const some = await world.member([may('acme.t1', 'list-keys')]);
      expect((await world.post('createRole', 'acme.t1.r3', role([]), some.token)).status).to.equal(403);
    });

    it('404: for a parent that does not exist, is a service, or is not visible', async () => {
      for (const target of ['alone', 'absent.r', `${KMS}.r`])
        expect((await world.post('createRole', target, role([]))).status, target).to.equal(404);
      const { token } = await world.member([may('acme.t1')]);
      expect((await world.post('createRole', 'other.r', role([]), token)).status).to.equal(404);
    });

    it('409: a role is created once', async () => {
      expect((await world.post('createRole', 'acme.admin', role([]))).status).to.equal(409);
    });

    it('413: refuses a body over 1 MiB', async () => {
      const call = { ...oversized, path: { target: 'acme.r' }, token: world.root };
      expect((await world.server.call('createRole', call)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      const call = { ...asForm, path: { target: 'acme.r' }, token: world.root };
      expect((await world.server.call('createRole', call)).status).to.equal(415);
    });
  });

  describe('assignRole', () => {
    const assign = (accountId: string, roleId: string, token = world.root) =>
      world.server.call('assignRole', { path: { accountId, org: 'acme', roleId }, token });
    let id = '';
    before(async () => {
      id = (
        await world.server.call('registerEnterpriseAccount', {
          json: accountRequest('role@example.org'),
          token: world.root,
        })
      ).body._id;
    });

    it('200: assigns the role immediately and once, by its full target or its last part', async () => {
      const token = await login(world.server, 'role@example.org');
      const view = () => world.server.call('getResource', { path: { target: 'acme.t1' }, token });
      expect((await view()).status).to.equal(404);
      expect((await assign(id.toUpperCase(), 'admin')).body.roles).to.deep.equal(['acme.admin']);
      expect((await assign(id, 'acme.admin')).body.roles).to.deep.equal(['acme.admin']);
      expect((await view()).status).to.equal(200);
    });

    it('400: refuses a malformed account id', async () => {
      expect((await assign('x', 'admin')).status).to.equal(400);
    });

    it('401: without a login', async () => {
      expect((await assign(id, 'admin', 'x')).status).to.equal(401);
    });

    it('403: without all permissions at the target of the role', async () => {
      const { token } = await world.member([may('acme', 'list-keys')]);
      expect((await assign(id, 'admin', token)).status).to.equal(403);
    });

    it('404: for an unknown account or role, and for a role with permissions that the caller does not have', async () => {
      expect((await assign(NOBODY, 'admin')).status).to.equal(404);
      expect((await assign(id, 'nothing')).status).to.equal(404);
      await world.post('createRole', 'acme.wide', { name: 'W', permissions: [may('other')] });
      const { token } = await world.member([may('acme')]);
      const [wide, unknown] = [await assign(id, 'wide', token), await assign(id, 'none', token)];
      expect(wide.status).to.equal(404);
      expect(JSON.stringify(withoutRequestId(wide)).replaceAll('wide', 'none')).to.equal(
        JSON.stringify(withoutRequestId(unknown)),
      );
    });

    it('200: a role that was removed with its tenant is lost for its accounts, also when one with its name is created', async () => {
      await world.post('createTenant', 'acme.t9', {});
      await world.post('createRole', 'acme.t9.boss', { name: 'B', permissions: [may('acme.t9')] });
      const { token, id: holder } = await world.member([]);
      await assign(holder, 't9.boss');
      const view = () => world.server.call('getResource', { path: { target: 'acme.t9' }, token });
      expect((await view()).status).to.equal(200);
      await world.server.call('deleteResource', { path: { target: 'acme.t9' }, token: world.root });
      await world.post('createTenant', 'acme.t9', {});
      await world.post('createRole', 'acme.t9.boss', { name: 'B', permissions: [may('acme.t9')] });
      expect((await view()).status).to.equal(404);
    });
  });
});
