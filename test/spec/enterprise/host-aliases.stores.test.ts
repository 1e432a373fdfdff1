import { expect } from 'chai';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  oversized,
  startEnterprise,
  withoutRequestId,
} from '../../actors/tenant.ts';

describe('host aliases', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise({ services: { trustedProxies: ['127.0.0.1'] } });
  });
  after(() => world.close());
  let domains = 0;
  const freshDomain = () => `tenant${++domains}.example`;
  const create = (target: string, json: unknown, token?: string) => world.post('createHostAlias', target, json, token);
  const call = (operationId: string, target: string, { token = world.root, domain = '' } = {}) =>
    world.server.call(operationId, { path: { target, ...(domain && { domain }) }, token });

  describe('createHostAlias', () => {
    it('201: gives an organization, a tenant or a service a domain, in lower case', async () => {
      const { port } = new URL(world.server.url);
      for (const target of ['acme', 'acme.t1', KMS]) {
        const domain = freshDomain();
        const { status, body } = await create(target, { domain: domain.toUpperCase() });
        expect(status).to.equal(201);
        expect(body).to.deep.include({ domain, target, baseUrl: `http://${domain}:${port}` });
        expect((await call('deleteHostAlias', target, { domain })).status).to.equal(204);
      }
    });

    it('201: requests to the domain reach its target and what is below it, by Host and from a trusted proxy', async () => {
      const domain = freshDomain();
      await create('acme.t1', { domain });
      const get = (target: string, headers: Record<string, string>) =>
        world.server.call('getResource', { path: { target }, token: world.root, headers });
      const ways: Record<string, string>[] = [{ host: domain }, { host: `${domain}:80` }];
      for (const headers of [...ways, { 'x-forwarded-host': `${domain}, inner` }]) {
        expect((await get('acme.t1', headers)).status).to.equal(200);
        expect((await get(KMS, headers)).status).to.equal(200);
        const [above, absent] = [await get('acme', headers), await get('acmf', {})];
        expect(above.status).to.equal(404);
        expect(JSON.stringify(withoutRequestId(above))).to.equal(
          JSON.stringify(withoutRequestId(absent)).replace('acmf', 'acme'),
        );
      }
      expect((await get('acme', { host: 'unknown.example' })).status).to.equal(200);
      expect((await call('deleteHostAlias', 'acme.t1', { domain })).status).to.equal(204);
      world.server.clock.advance(2000);
      expect((await get('acme', { host: domain })).status).to.equal(200);
    });

    it('201: a domain is free again when its tenant is removed', async () => {
      const domain = freshDomain();
      await world.post('createTenant', 'acme.gone', {});
      await create('acme.gone', { domain });
      await world.server.call('deleteResource', { path: { target: 'acme.gone' }, token: world.root });
      expect((await create('acme', { domain })).status).to.equal(201);
    });

    it('400: refuses what is not a domain name', async () => {
      for (const domain of ['localhost', '127.0.0.1', 'a.example:80', 'https://a.example', 'é.example', '*.a.example'])
        expect(fieldsOf(await create('acme', { domain })), domain).to.deep.equal(['/body/domain']);
      expect(fieldsOf(await create('acme', {}))).to.deep.equal(['/body/domain']);
    });

    it('401: without a login', async () => {
      expect((await create('acme', { domain: freshDomain() }, 'x')).status).to.equal(401);
    });

    it('403: without the permission', async () => {
      const { token } = await world.member([may('acme', 'host-alias-list')]);
      expect((await create('acme', { domain: freshDomain() }, token)).status).to.equal(403);
    });

    it('404: where nothing is, for a child of a service, and for foreign tenants', async () => {
      for (const target of ['absent', 'acme.absent', `${KMS}.key1`])
        expect((await create(target, { domain: freshDomain() })).status, target).to.equal(404);
      const { token } = await world.member([may('acme.t1')]);
      expect((await create('other', { domain: freshDomain() }, token)).status).to.equal(404);
    });

    it('409: a domain belongs to one target; of 10 targets that ask at once one has it', async () => {
      const domain = freshDomain();
      const names = Array.from({ length: 10 }, (_, n) => `acme.many${n}`);
      for (const name of names) await world.post('createTenant', name, {});
      const statuses = (await Promise.all(names.map((name) => create(name, { domain })))).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([201, ...Array(9).fill(409)]);
      expect((await create('acme', { domain })).status).to.equal(409);
    });

    it('413: refuses a body over 1 MiB', async () => {
      const request = { ...oversized, path: { target: 'acme' }, token: world.root };
      expect((await world.server.call('createHostAlias', request)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      const request = { ...asForm, path: { target: 'acme' }, token: world.root };
      expect((await world.server.call('createHostAlias', request)).status).to.equal(415);
    });
  });

  describe('listHostAliases', () => {
    it('200: the domains of the target alone, in pages, in the order of their names', async () => {
      await world.post('createTenant', 'acme.listed', {});
      for (const domain of ['c.example', 'a.example', 'b.example']) await create('acme.listed', { domain });
      await world.post('createTenant', 'acme.listed.below', {});
      await create('acme.listed.below', { domain: 'd.example' });
      const pages = [];
      for (const offset of ['0', '2', '4'])
        pages.push(
          (
            await world.server.call('listHostAliases', {
              path: { target: 'acme.listed' },
              query: { limit: '2', offset },
              token: world.root,
            })
          ).body.map(({ domain }: { domain: string }) => domain),
        );
      expect(pages).to.deep.equal([['a.example', 'b.example'], ['c.example'], []]);
    });

    it('400: reports every wrong parameter', async () => {
      const answer = await world.server.call('listHostAliases', {
        path: { target: 'acme' },
        query: { limit: '0', offset: '-1', sort: 'createdDateTime' },
        token: world.root,
      });
      expect(fieldsOf(answer)).to.have.members(['/query/limit', '/query/offset', '/query/sort']);
    });

    it('401, 403, 404: as for every target', async () => {
      const { token } = await world.member([may('acme.t1', 'resource-list')]);
      expect((await call('listHostAliases', 'acme', { token: 'x' })).status).to.equal(401);
      expect((await call('listHostAliases', 'acme.t1', { token })).status).to.equal(403);
      expect((await call('listHostAliases', 'other', { token })).status).to.equal(404);
    });
  });

  describe('deleteHostAlias', () => {
    it('204: only the target that has the domain can give it up', async () => {
      const domain = freshDomain();
      await create('acme.t1', { domain });
      expect((await call('deleteHostAlias', 'acme', { domain })).status).to.equal(404);
      expect((await call('deleteHostAlias', 'acme.t1', { domain: domain.toUpperCase() })).status).to.equal(204);
      expect((await call('deleteHostAlias', 'acme.t1', { domain })).status).to.equal(404);
    });

    it('400: refuses a name that is too long', async () => {
      expect((await call('deleteHostAlias', 'acme', { domain: 'a'.repeat(255) })).status).to.equal(400);
    });

    it('401, 403, 404: as for every target', async () => {
      const { token } = await world.member([may('acme.t1', 'resource-list')]);
      expect((await call('deleteHostAlias', 'acme', { token: 'x', domain: 'x.example' })).status).to.equal(401);
      expect((await call('deleteHostAlias', 'acme.t1', { token, domain: 'x.example' })).status).to.equal(403);
      expect((await call('deleteHostAlias', 'acme.t1', { domain: 'not a domain' })).status).to.equal(404);
    });
  });
});
