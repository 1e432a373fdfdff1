import { expect } from 'chai';
import { type EnterpriseFixture, fieldsOf, KMS, may, startEnterprise } from '../../actors/tenant.ts';
import { refusesBodies } from '../../actors/tenant-refusals.ts';

describe('create services', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());

  const at = (operationId: string, target: string) =>
    world.server.call(operationId, { path: { target }, token: world.root });
  const TOO_MANY = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`s${n}`, { type: 'kms' }]));

  describe('createServices', () => {
    const create = (services: object, token?: string, target = 'acme.t1') =>
      world.post('createServices', target, { services }, token);

    it('201: in the order of the body, so that later ones depend on earlier ones', async () => {
      const services = {
        keys: { type: 'kms' },
        dids: { type: 'did-store', dependencies: ['acme.t1.keys'] },
        shop: { type: 'issuer2', kms: 'acme.t1.keys', dependencies: ['acme.t1.dids'] },
      };
      const { status, body } = await create(services);
      expect(status, JSON.stringify(body)).to.equal(201);
      const targets = body.map(({ _id }: { _id: string }) => _id);
      expect(targets).to.deep.equal(['acme.t1.keys', 'acme.t1.dids', 'acme.t1.shop']);
      expect((await at('listDependencies', 'acme.t1.shop')).body).to.deep.equal(['acme.t1.dids', 'acme.t1.keys']);
      expect((await at('getResource', 'acme.t1.dids')).body).to.deep.equal(body[1]);
      for (const target of targets.reverse()) expect((await at('deleteResource', target)).status).to.equal(204);
    });

    it('400, 409: names the service that cannot be created, and none is', async () => {
      const first = { type: 'kms' };
      for (const [second, status, path] of [
        [{ type: 'did-store', dependencies: ['acme.t1.absent'] }, 400, '/body/services/second/dependencies/0'],
        [{ type: 'did-store', dependencies: ['acme.t1.third'] }, 400, '/body/services/second/dependencies/0'],
        [{ type: 'kms', surprise: 1 }, 400, '/body/services/second/surprise'],
        [{ type: 'unknown' }, 400, '/body/services/second/type'],
        [{ type: 'wallet' }, 400, '/body/services/second/type'],
        [{ type: 'credential-status' }, 201, undefined],
        [{ type: 'issuer2', tokenKeyId: 'acme.t1.first.key' }, 409, undefined],
      ] as const) {
        const answer = await create({ first, second, third: { type: 'kms' } });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
        if (path !== undefined) expect(fieldsOf(answer)).to.deep.equal([path]);
        const expected = status === 201 ? 204 : 404;
        for (const name of ['first', 'second', 'third'])
          expect((await at('deleteResource', `acme.t1.${name}`)).status, name).to.equal(expected);
      }
      for (const services of [{}, { 'a.b': first }, TOO_MANY]) expect((await create(services)).status).to.equal(400);
    });

    it('201: the same call again, which says what exists; 409 names each member that differs, also of the secret ones', async () => {
      const services = {
        keys: { type: 'kms', name: 'Keys' },
        dids: { type: 'did-store', dependencies: ['acme.t1.keys'] },
      };
      const first = await create(services);
      expect(first.status).to.equal(201);
      const again = await create(services);
      expect([again.status, again.body]).to.deep.equal([201, first.body]);
      const differing = { ...services, dids: { type: 'did-store', description: 'x' } };
      const refused = await create(differing);
      expect([refused.status, fieldsOf(refused)]).to.deep.equal([
        409,
        ['/body/services/dids/dependencies', '/body/services/dids/description'],
      ]);
      const other = await create({ keys: { type: 'did-store' } });
      expect([other.status, fieldsOf(other)]).to.deep.equal([
        409,
        ['/body/services/keys/name', '/body/services/keys/type'],
      ]);
      for (const name of ['dids', 'keys']) expect((await at('deleteResource', `acme.t1.${name}`)).status).to.equal(204);
    });

    it('409: one exists already and differs, which stays; the others are removed', async () => {
      await world.post('createService', 'acme.t1.there', { type: 'kms', name: 'Kept' });
      expect((await create({ before: { type: 'kms' }, there: { type: 'kms' } })).status).to.equal(409);
      expect((await at('getResource', 'acme.t1.before')).status).to.equal(404);
      expect((await at('getResource', 'acme.t1.there')).body.name).to.equal('Kept');
      await at('deleteResource', 'acme.t1.there');
    });

    it('404: below a service', async () => {
      expect((await create({ child: { type: 'kms' } }, undefined, KMS)).status).to.equal(404);
    });

    it('401, 403, 404: without a login, without the permission, and where nothing is visible', async () => {
      const one = { one: { type: 'kms' } };
      expect((await create(one, 'x')).status).to.equal(401);
      const { token } = await world.member([may('acme', 'resource-view')]);
      expect((await create(one, token)).status).to.equal(403);
      await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
      const { token: foreign } = await world.member([may('other')], 'other');
      for (const target of ['acme.t1', 'acme.absent'])
        expect((await create(one, foreign, target)).status).to.equal(404);
    });

    refusesBodies(() => world, { operationId: 'createServices', target: 'acme.t1' });
  });
});
