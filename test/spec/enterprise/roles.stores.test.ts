import { expect } from 'chai';
import { NO_ACCOUNT, refusesAsEvery } from '../../actors/administration.ts';
import { type EnterpriseFixture, fieldsOf, KMS, may, mayNot, startEnterprise } from '../../actors/tenant.ts';

describe('roles', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await world.post('createTenant', 'acme.t2', {});
    for (const name of ['c', 'a', 'b'])
      await world.post('createRole', `acme.t2.${name}`, { name, permissions: [may('acme.t2', 'list-keys')] });
  });
  after(() => world.close());
  const at = (operationId: string, target: string, { token = world.root, ...more } = {}) =>
    world.server.call(operationId, { path: { target }, token, ...more });
  const every = (operationId: string, more = {}) =>
    refusesAsEvery(operationId, { world: () => world, call: { path: { target: 'acme.t2.a' }, ...more } });
  /** A role that grants what an administrator of `acme` does not have. */
  const wide = async () => {
    await world.post('createRole', 'acme.wide', { name: 'W', permissions: [may('other')] });
    return (await world.member([may('acme')])).token;
  };

  describe('listRoles', () => {
    it('200: the roles directly below the target, in pages', async () => {
      const pages = [];
      for (const offset of ['0', '2']) {
        const { body } = await at('listRoles', 'acme.t2', { query: { limit: '2', offset } } as object);
        pages.push(body.map(({ _id }: { _id: string }) => _id));
      }
      expect(pages).to.deep.equal([['acme.t2.a', 'acme.t2.b'], ['acme.t2.c']]);
      expect((await at('listRoles', KMS)).body).to.deep.equal([]);
    });

    it('403 and 404: without the permission, and where the caller sees nothing', async () => {
      const { token } = await world.member([may('acme.t2', 'list-keys')]);
      expect((await at('listRoles', 'acme.t2', { token })).status).to.equal(403);
      expect((await at('listRoles', 'acme.t1', { token })).status).to.equal(404);
      expect((await at('listRoles', 'absent')).status).to.equal(404);
    });

    every('listRoles', { path: { target: 'acme.t2' } });
  });

  describe('getRole', () => {
    it('200: shows name and permissions', async () => {
      const { body } = await at('getRole', 'acme.t2.a');
      expect(body).to.deep.equal({ _id: 'acme.t2.a', name: 'a', permissions: [may('acme.t2', 'list-keys')] });
    });

    it('403 and 404: without the permission, and where the caller sees nothing', async () => {
      const { token } = await world.member([may('acme.t2', 'role-list')]);
      expect((await at('getRole', 'acme.t2.a', { token })).status).to.equal(403);
      expect((await at('getRole', 'acme.t1.a', { token })).status).to.equal(404);
      expect((await at('getRole', 'acme.t2.absent')).status).to.equal(404);
    });

    every('getRole');
  });

  describe('replaceRole', () => {
    const put = (target: string, permissions: unknown[], token = world.root) =>
      at('replaceRole', target, { token, json: { name: 'New', permissions } } as object);

    it('200: its accounts have the new permissions from the next request on', async () => {
      const { token } = await world.member([may('acme.t1', 'list-keys')]);
      const [role] = (await world.server.call('getOwnAccount', { token })).body.roles;
      const view = () => at('getResource', 'acme.t1', { token });
      expect((await view()).status).to.equal(403);
      const { status, body } = await put(role, [may('acme.t1', 'resource-view')]);
      expect([status, body.name]).to.deep.equal([200, 'New']);
      expect((await view()).status).to.equal(200);
    });

    it('400: refuses permissions that the caller does not have', async () => {
      const { token } = await world.member([may('acme')]);
      const answer = await put('acme.t2.a', [may('acme'), may('other')], token);
      expect(fieldsOf(answer)).to.deep.equal(['/body/permissions/1/target']);
    });

    it('403 and 404: without full control of the role and of what it grants', async () => {
      const { token } = await world.member([may('acme.t2', 'role-view')]);
      expect((await put('acme.t2.a', [], token)).status).to.equal(403);
      expect((await put('acme.wide', [], await wide())).status).to.equal(404);
      expect((await put('acme.t2.absent', [])).status).to.equal(404);
    });

    every('replaceRole', { json: { name: 'x', permissions: [] } });
  });

  describe('deleteRole', () => {
    it('204: its accounts lose it at once, and keep nothing of another with its name', async () => {
      const { token } = await world.member([may('acme.t1', 'resource-view')]);
      const [role] = (await world.server.call('getOwnAccount', { token })).body.roles;
      const view = () => at('getResource', 'acme.t1', { token });
      expect((await view()).status).to.equal(200);
      expect((await at('deleteRole', role)).status).to.equal(204);
      expect((await view()).status).to.equal(404);
      await world.post('createRole', role, { name: 'again', permissions: [may('acme.t1')] });
      expect((await view()).status).to.equal(404);
      expect((await at('listRoleAccounts', role)).body).to.deep.equal([]);
    });

    it('204: of many at once one removes it', async () => {
      await world.post('createRole', 'acme.t2.once', { name: 'x', permissions: [] });
      const answers = await Promise.all([1, 2, 3, 4].map(() => at('deleteRole', 'acme.t2.once')));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404, 404]);
    });

    it('403 and 404: without full control of the role and of what it grants', async () => {
      const { token } = await world.member([may('acme.t2', 'role-view')]);
      expect((await at('deleteRole', 'acme.t2.a', { token })).status).to.equal(403);
      expect((await at('deleteRole', 'acme.wide', { token: await wide() })).status).to.equal(404);
    });

    every('deleteRole');
  });

  describe('listRoleAccounts', () => {
    it('200: its accounts with those of their roles that the caller controls, in pages', async () => {
      const { token, id } = await world.member([may('acme.t1', 'list-keys')]);
      const { roles, profile } = (await world.server.call('getOwnAccount', { token })).body;
      const other = await world.member([]);
      const path = { accountId: other.id, org: 'acme', roleId: roles[0] };
      await world.server.call('assignRole', { path, token: world.root });
      const { token: admin } = await world.member([may('acme')]);
      const { body } = await at('listRoleAccounts', roles[0], { token: admin });
      expect(body.map(({ _id }: { _id: string }) => _id)).to.deep.equal([id, other.id].sort());
      expect(body).to.deep.include({ _id: id, roles, profile });
      expect(body.find(({ _id }: { _id: string }) => _id === other.id).roles).to.have.length(2);
      const page = { query: { limit: '1', offset: '1' } } as object;
      expect((await at('listRoleAccounts', roles[0], page)).body).to.deep.equal([body[1]]);
      await world.server.call('unassignRole', { path, token: world.root });
      expect((await at('listRoleAccounts', roles[0])).body).to.deep.equal([{ _id: id, roles, profile }]);
    });

    it('403 and 404: without full control of the role and of what it grants', async () => {
      const { token } = await world.member([may('acme.t2', 'role-view')]);
      expect((await at('listRoleAccounts', 'acme.t2.a', { token })).status).to.equal(403);
      expect((await at('listRoleAccounts', 'acme.wide', { token: await wide() })).status).to.equal(404);
    });

    every('listRoleAccounts');
  });

  describe('unassignRole', () => {
    const unassign = (accountId: string, roleId: string, token = world.root) =>
      world.server.call('unassignRole', { path: { accountId, org: 'acme', roleId }, token });

    it('200: the account loses it at once; a second time changes nothing', async () => {
      const { token, id } = await world.member([may('acme.t1', 'resource-view')]);
      const [role = ''] = (await world.server.call('getOwnAccount', { token })).body.roles;
      for (const name of [role, role.replace('acme.', '')]) {
        const { status, body } = await unassign(id, name);
        expect([status, body.roles]).to.deep.equal([200, []]);
      }
      expect((await at('getResource', 'acme.t1', { token })).status).to.equal(404);
    });

    it('403 and 404: without full control of the role and of what it grants, and without such an account', async () => {
      const { token, id } = await world.member([may('acme.t2', 'role-view')]);
      expect((await unassign(id, 't2.a', token)).status).to.equal(403);
      expect((await unassign(id, 'wide', await wide())).status).to.equal(404);
      expect((await unassign(NO_ACCOUNT, 't2.a')).status).to.equal(404);
    });

    refusesAsEvery('unassignRole', {
      world: () => world,
      call: { path: { accountId: NO_ACCOUNT, org: 'acme', roleId: 't2.a' } },
    });
  });

  describe('decidePermission', () => {
    const ask = (target: string, query: Record<string, string>, token = world.root) =>
      at('decidePermission', target, { token, query } as object);

    it('200: names the grant that allows, or the denial that wins, with its role', async () => {
      const { token, id } = await world.member([may('acme', 'list-keys'), mayNot('acme.t1.kms2'), may('acme.t1.kms2')]);
      const [role] = (await world.server.call('getOwnAccount', { token })).body.roles;
      const allowed = { allowed: true, decidedBy: { role, permission: may('acme', 'list-keys') } };
      for (const answer of [
        await ask('acme.t1', { action: 'list-keys' }, token),
        await ask('acme.t1', { action: 'list-keys', account: id.toUpperCase() }),
      ])
        expect(answer.body).to.deep.equal(allowed);
      expect((await ask('acme.t1.kms2', { action: 'list-keys', account: id })).body).to.deep.equal({
        allowed: false,
        decidedBy: { role, permission: mayNot('acme.t1.kms2') },
      });
      expect((await ask('acme.t1', { action: 'key-create', account: id })).body).to.deep.equal({ allowed: false });
      expect((await ask('other', { action: 'list-keys', account: NO_ACCOUNT })).body).to.deep.equal({ allowed: false });
    });

    it('200: a superadmin may do everything', async () => {
      const answer = { allowed: true, decidedBy: { superadmin: true } };
      expect((await ask('other', { action: 'list-keys' })).body).to.deep.equal(answer);
    });

    it('200: a role that the caller may not see is not named', async () => {
      await world.server.call('createOrganization', { json: { _id: 'far' }, token: world.root });
      const { id } = await world.member([may('acme', 'list-keys')], 'far');
      const { token } = await world.member([may('acme')]);
      expect((await ask('acme.t1', { action: 'list-keys', account: id }, token)).body).to.deep.equal({
        allowed: true,
        decidedBy: { permission: may('acme', 'list-keys') },
      });
    });

    it('400: refuses a name that is no action, and a missing one', async () => {
      expect(fieldsOf(await ask('acme', { action: 'toString' }))).to.deep.equal(['/query/action']);
      expect(fieldsOf(await ask('acme', {}))).to.deep.equal(['/query/action']);
    });

    it('403 and 404: about others without the permission', async () => {
      const { token } = await world.member([may('acme.t1', 'list-keys')]);
      const query = { action: 'list-keys', account: NO_ACCOUNT };
      expect((await ask('acme.t1', query, token)).status).to.equal(403);
      expect((await ask('other', query, token)).status).to.equal(404);
    });

    every('decidePermission', { query: { action: 'list-keys' } });
  });

  describe('listActions', () => {
    it('200: every action with its meaning', async () => {
      const { token } = await world.member([]);
      const { body } = await world.server.call('listActions', { token });
      expect(body).to.deep.include({ action: 'list-keys', meaning: 'list and show keys' });
    });

    refusesAsEvery('listActions', { world: () => world, call: {} });
  });
});
