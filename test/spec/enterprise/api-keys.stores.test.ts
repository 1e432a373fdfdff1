import { expect } from 'chai';
import { NO_ACCOUNT, needControl } from '../../actors/administration.ts';
import { type EnterpriseFixture, fieldsOf, KMS, may, mayNot, startEnterprise } from '../../actors/tenant.ts';
import { startServer } from '../../support/servers/server.ts';

describe('api keys', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());
  const controlled = needControl(() => world);
  const create = (target: string, json: unknown, token?: string) => world.post('createApiKey', target, json, token);
  const request = (more: object = {}) => ({ name: 'CI', permissions: [may('acme.t1', 'resource-view')], ...more });
  const view = (token: string, target = 'acme.t1') =>
    world.server.call('getResource', { path: { target }, token }).then(({ status }) => status);
  const revoke = (target: string, keyId: string, token = world.root) =>
    world.server.call('revokeApiKey', { path: { target, keyId }, token });

  describe('createApiKey', () => {
    it('201: a key with permissions, which acts within them and is shown once', async () => {
      const { status, body, headers } = await create('acme.t1', request());
      expect(status).to.equal(201);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(body.key).to.match(/^cza_[0-9a-f]{32}_/);
      expect(body.key.startsWith(body.prefix)).to.equal(true);
      expect(await view(body.key)).to.equal(200);
      expect(await view(body.key, 'acme.t2')).to.equal(404);
      expect((await world.post('generateKey', KMS, {}, body.key)).status).to.equal(403);
      const listed = await world.server.call('listApiKeys', { path: { target: 'acme.t1' }, token: world.root });
      expect(JSON.stringify([listed.body, world.server.lines])).not.to.contain(body.key.slice(-43));
    });

    it('201: a key with a role has what the role grants at each time, and loses it with the role', async () => {
      await world.post('createRole', 'acme.keyed', { name: 'K', permissions: [may('acme.t1', 'resource-view')] });
      const { body } = await create('acme', { name: 'CI', role: 'acme.keyed' });
      expect(await view(body.key)).to.equal(200);
      const role = { name: 'K', permissions: [mayNot('acme.t1')] };
      await world.server.call('replaceRole', { path: { target: 'acme.keyed' }, json: role, token: world.root });
      expect(await view(body.key)).to.equal(404);
      await world.server.call('deleteRole', { path: { target: 'acme.keyed' }, token: world.root });
      await world.post('createRole', 'acme.keyed', { name: 'K', permissions: [may('acme')] });
      expect(await view(body.key)).to.equal(404);
    });

    it('201: a key ends with its time, and with its target', async () => {
      const expiresDateTime = new Date(world.server.clock.now() + 60_000).toISOString();
      const late = await create('acme', request({ expiresDateTime }));
      expect(late.body.expiresDateTime).to.equal(expiresDateTime);
      await world.post('createTenant', 'acme.short', {});
      const short = await create('acme.short', request({ permissions: [may('acme.short')] }));
      expect(await view(short.body.key, 'acme.short')).to.equal(200);
      await world.server.call('deleteResource', { path: { target: 'acme.short' }, token: world.root });
      expect(await view(short.body.key, 'acme.short')).to.equal(401);
      world.server.clock.advance(59_999);
      expect(await view(late.body.key)).to.equal(200);
      world.server.clock.advance(1);
      expect(await view(late.body.key)).to.equal(401);
    });

    it('201: a key that may give rights can, and none is a superadmin or an account', async () => {
      const { body } = await create('acme', request({ permissions: [may('acme')] }));
      expect((await create('acme.t1', request(), body.key)).status).to.equal(201);
      expect((await create('acme.t1', request({ permissions: [may('other')] }), body.key)).status).to.equal(400);
      expect((await world.server.call('listAccounts', { token: body.key })).status).to.equal(403);
      expect((await world.server.call('getOwnAccount', { token: body.key })).status).to.equal(404);
      const profile = { json: { profile: {} }, token: body.key };
      expect((await world.server.call('replaceOwnProfile', profile)).status).to.equal(404);
      const password = { json: { current: 'x', new: 'y' }, token: body.key };
      expect((await world.server.call('changeOwnPassword', password)).status).to.equal(404);
      const query = { action: 'key-create' };
      const decision = { path: { target: KMS }, query, token: body.key };
      expect((await world.server.call('decidePermission', decision)).body).to.deep.equal({
        allowed: true,
        decidedBy: { permission: may('acme') },
      });
    });

    it('400: refuses rights that the caller does not have, a role beside permissions, and an end in the past', async () => {
      const { token } = await world.member([may('acme')]);
      await world.post('createRole', 'acme.toowide', { name: 'W', permissions: [may('other')] });
      const fields = async (more: object) => fieldsOf(await create('acme', { name: 'x', ...more }, token));
      expect(await fields({ permissions: [may('acme'), may('other')] })).to.deep.equal(['/body/permissions/1/target']);
      for (const role of ['acme.toowide', 'acme.absent', 'other.admin'])
        expect(await fields({ role }), role).to.deep.equal(['/body/role']);
      expect(await fields({ role: 'acme.admin', permissions: [] })).to.deep.equal(['/body/role']);
      expect(await fields({})).to.deep.equal(['/body/role']);
      for (const expiresDateTime of ['2001-01-01T00:00:00.000Z', 'tomorrow'])
        expect(await fields({ permissions: [], expiresDateTime })).to.deep.equal(['/body/expiresDateTime']);
    });

    controlled('createApiKey', { path: { target: 'acme' }, json: request() });
  });

  describe('listApiKeys', () => {
    it('200: the keys of the target, in pages, never the key', async () => {
      await world.post('createTenant', 'acme.t3', {});
      const expiresDateTime = new Date(world.server.clock.now() + 60_000).toISOString();
      for (const name of ['a', 'b', 'c']) await create('acme.t3', request({ name, expiresDateTime }));
      const pages = [];
      for (const offset of ['0', '2']) {
        const query = { limit: '2', offset };
        const { body } = await world.server.call('listApiKeys', {
          path: { target: 'acme.t3' },
          query,
          token: world.root,
        });
        pages.push(...body);
      }
      expect(pages.map(({ name }) => name).sort()).to.deep.equal(['a', 'b', 'c']);
      const members = ['_id', 'name', 'prefix', 'permissions', 'createdDateTime', 'expiresDateTime'];
      for (const key of pages) expect(key).to.have.keys(members);
    });

    controlled('listApiKeys', { path: { target: 'acme' } });
  });

  describe('revokeApiKey', () => {
    it('204: the key ends at once on every instance', async () => {
      const dataDir = world.server.settings.dataDir;
      const other = await startServer({ dataDir });
      const isShared = world.server.settings.store.type !== 'memory';
      const { body } = await create('acme.t1', request());
      const elsewhere = () => other.call('getResource', { path: { target: 'acme.t1' }, token: body.key });
      expect(await view(body.key)).to.equal(200);
      if (isShared) expect((await elsewhere()).status).to.equal(200);
      expect((await revoke('acme.t1', body._id.toUpperCase())).status).to.equal(204);
      expect(await view(body.key)).to.equal(401);
      expect((await elsewhere()).status).to.equal(401);
      expect((await revoke('acme.t1', body._id)).status).to.equal(404);
      await other.close();
    });

    it('403 and 404: without the permission, and for a key of another target', async () => {
      const { body } = await create('acme.t1', request());
      const { token } = await world.member([may('acme.t1', 'resource-view')]);
      expect((await revoke('acme.t1', body._id, token)).status).to.equal(403);
      expect((await revoke('other', body._id, token)).status).to.equal(404);
      expect((await revoke('acme', body._id)).status).to.equal(404);
      expect(await view(body.key)).to.equal(200);
    });

    controlled('revokeApiKey', { path: { target: 'acme', keyId: NO_ACCOUNT } });
  });
});
