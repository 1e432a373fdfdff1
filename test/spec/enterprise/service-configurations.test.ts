import { expect } from 'chai';
import {
  asForm,
  CREDENTIAL_STORE,
  DID_STORE,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  mayNot,
  oversized,
  startEnterprise,
  withoutRequestId,
} from '../../actors/tenant.ts';

describe('service configurations', () => {
  const ISSUER = 'acme.t1.issuer';
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
    await world.post('createService', 'other.kms1', { type: 'kms' });
    await world.post('createService', ISSUER, { type: 'issuer2' });
  });
  after(() => world.close());

  const at = (operationId: string, target: string, token = world.root) =>
    world.server.call(operationId, { path: { target }, token });
  const listed = async (target: string) => (await at('listDependencies', target)).body;

  /** The rules of every operation that changes a service. */
  function changing(operationId: string, json: object): void {
    const change = (target: string, token?: string) => world.post(operationId, target, json, token);

    it('400: refuses a malformed target', async () => {
      expect(fieldsOf(await change('a..b'))).to.deep.equal(['/path/target']);
    });

    it('401: without a login', async () => {
      expect((await change(ISSUER, 'x')).status).to.equal(401);
    });

    it('403: without the permission', async () => {
      const { token } = await world.member([may('acme', 'resource-view'), may('acme', 'service-use')]);
      expect((await change(ISSUER, token)).status).to.equal(403);
    });

    it('404: the same for what is no service, an unknown target and one of another organization', async () => {
      for (const target of ['acme', 'acme.t1', 'acme.t1.absent', `${KMS}.key`])
        expect((await change(target)).status, target).to.equal(404);
      const { token } = await world.member([may('other')], 'other');
      const [foreign, none] = [await change(ISSUER, token), await change(`${ISSUER}2`, token)];
      expect(JSON.stringify(withoutRequestId(foreign))).to.equal(
        JSON.stringify(withoutRequestId(none)).replace(`${ISSUER}2`, ISSUER),
      );
    });

    it('413: refuses a body over 1 MiB', async () => {
      const call = { ...oversized, path: { target: ISSUER }, token: world.root };
      expect((await world.server.call(operationId, call)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      const call = { ...asForm, path: { target: ISSUER }, token: world.root };
      expect((await world.server.call(operationId, call)).status).to.equal(415);
    });
  }

  describe('createService', () => {
    it('400: names the dependency that is wrong', async () => {
      const wrong = ['acme.t1.new', 'other.kms1', 'acme.t1.absent', 'acme.t1', CREDENTIAL_STORE.replace('creds', 'x')];
      for (const target of wrong) {
        const answer = await world.post('createService', 'acme.t1.new', {
          type: 'issuer2',
          dependencies: [KMS, target],
        });
        expect(fieldsOf(answer), target).to.deep.equal(['/body/dependencies/1']);
      }
      const typed = await world.post('createService', 'acme.t1.new', { type: 'did-store', dependencies: [DID_STORE] });
      expect(typed.body.message).to.contain('a service of the type did-store does not use one of the type did-store');
      const named = await world.post('createService', 'acme.t1.new', { type: 'issuer2', kms: 'acme.t1.absent' });
      expect(fieldsOf(named)).to.deep.equal(['/body/kms']);
      expect((await at('getResource', 'acme.t1.new')).status).to.equal(404);
    });

    it('400: the same for a dependency that the caller may not see and one that does not exist', async () => {
      const { token } = await world.member([may('acme.t1'), mayNot(KMS)]);
      const create = (target: string) =>
        world.post('createService', 'acme.t1.new', { type: 'issuer2', dependencies: [target] }, token);
      const [hidden, none] = [await create(KMS), await create(`${KMS}x`)];
      expect(hidden.status).to.equal(400);
      expect(JSON.stringify(withoutRequestId(none)).replaceAll(`${KMS}x`, KMS)).to.equal(
        JSON.stringify(withoutRequestId(hidden)),
      );
    });

    it('403: a dependency needs a permission of its own', async () => {
      const { token } = await world.member([may('acme.t1'), mayNot(KMS, 'service-use')]);
      const create = world.post('createService', 'acme.t1.new', { type: 'issuer2', dependencies: [KMS] }, token);
      expect((await create).status).to.equal(403);
    });

    it('201: a member of the configuration names a dependency too', async () => {
      const { body } = await world.post('createService', 'acme.t1.named', { type: 'issuer2', kms: KMS });
      expect(body).to.deep.include({ kms: KMS, dependencies: [KMS] });
      expect((await world.post('removeDependency', 'acme.t1.named', { dependency: KMS })).status).to.equal(409);
      expect((await at('deleteResource', 'acme.t1.named')).status).to.equal(204);
    });
  });

  describe('updateService', () => {
    it('200: replaces the whole configuration with the dependencies', async () => {
      const configuration = { type: 'wallet2', name: 'One', dependencies: [KMS] };
      const made = await world.post('createService', 'acme.t1.changed', configuration);
      const { status, body } = await world.post('updateService', 'acme.t1.changed', {
        type: 'wallet2',
        description: 'Two',
      });
      expect(status).to.equal(200);
      expect(body).not.to.have.property('name');
      expect(body).to.deep.include({
        description: 'Two',
        dependencies: [],
        createdDateTime: made.body.createdDateTime,
      });
      expect(body.updatedDateTime > made.body.updatedDateTime).to.equal(true);
      expect((await at('getResource', 'acme.t1.changed')).body).to.deep.equal(body);
    });

    it('400: the type cannot change, and dependencies are checked as at creation', async () => {
      expect(fieldsOf(await world.post('updateService', ISSUER, { type: 'kms' }))).to.deep.equal(['/body/type']);
      const wrong = { type: 'issuer2', dependencies: [ISSUER] };
      expect(fieldsOf(await world.post('updateService', ISSUER, wrong))).to.deep.equal(['/body/dependencies/0']);
    });

    it('409: the last service of a needed type stays', async () => {
      await world.post('createService', 'acme.t1.status', { type: 'credential-status', dependencies: [KMS] });
      expect((await world.post('updateService', 'acme.t1.status', { type: 'credential-status' })).status).to.equal(409);
      expect((await world.post('removeDependency', 'acme.t1.status', { dependency: KMS })).status).to.equal(409);
      expect(await listed('acme.t1.status')).to.deep.equal([KMS]);
      await at('deleteResource', 'acme.t1.status');
    });
    changing('updateService', { type: 'issuer2' });
  });

  describe('addDependency', () => {
    it('200: as text, as an object and as a JSON text', async () => {
      const call = (more: object) =>
        world.server.call('addDependency', { path: { target: ISSUER }, token: world.root, ...more });
      expect((await call({ text: KMS })).body).to.deep.equal([KMS]);
      expect((await call({ json: { dependency: DID_STORE } })).body).to.deep.equal([KMS, DID_STORE]);
      expect((await call({ json: CREDENTIAL_STORE })).body).to.deep.equal([KMS, DID_STORE, CREDENTIAL_STORE]);
      for (const dependency of [KMS, DID_STORE, CREDENTIAL_STORE])
        await world.post('removeDependency', ISSUER, { dependency });
    });

    it('400: refuses the service itself and one of a type that it does not use', async () => {
      for (const dependency of [DID_STORE, CREDENTIAL_STORE])
        expect(fieldsOf(await world.post('addDependency', DID_STORE, { dependency }))).to.deep.equal([
          '/body/dependency',
        ]);
    });

    it('409: once; many others at the same time all succeed', async () => {
      const services = Array.from({ length: 8 }, (_, n) => `acme.t1.many${n}`);
      for (const target of services) await world.post('createService', target, { type: 'kms' });
      const answers = await Promise.all(
        [...services, ...services].map((dependency) => world.post('addDependency', ISSUER, { dependency })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array(8).fill(200), ...Array(8).fill(409)]);
      expect((await listed(ISSUER)).toSorted()).to.deep.equal(services);
      for (const dependency of services) await world.post('removeDependency', ISSUER, { dependency });
    });
    changing('addDependency', { dependency: KMS });
  });

  describe('removeDependency', () => {
    it('200: and the other service can be deleted then', async () => {
      await world.post('createService', 'acme.t1.kms9', { type: 'kms' });
      await world.post('addDependency', ISSUER, { dependency: 'acme.t1.kms9' });
      expect((await at('deleteResource', 'acme.t1.kms9')).status).to.equal(409);
      const answer = await world.post('removeDependency', ISSUER, { dependency: 'acme.t1.kms9' });
      expect(answer.body).to.deep.equal([]);
      expect((await at('deleteResource', 'acme.t1.kms9')).status).to.equal(204);
    });

    it('404: for a service that it does not depend on', async () => {
      expect((await world.post('removeDependency', ISSUER, { dependency: CREDENTIAL_STORE })).status).to.equal(404);
    });
    changing('removeDependency', { dependency: KMS });
  });

  describe('listDependencies', () => {
    it('200: the targets, in the order in which they were added', async () => {
      for (const dependency of [KMS, CREDENTIAL_STORE]) await world.post('addDependency', ISSUER, { dependency });
      expect(await listed(ISSUER)).to.deep.equal([KMS, CREDENTIAL_STORE]);
    });

    it('400, 401, 403, 404: as for every resource', async () => {
      expect(fieldsOf(await at('listDependencies', 'a..b'))).to.deep.equal(['/path/target']);
      expect((await at('listDependencies', ISSUER, 'x')).status).to.equal(401);
      const { token } = await world.member([may(ISSUER, 'list-keys')]);
      expect((await at('listDependencies', ISSUER, token)).status).to.equal(403);
      for (const target of ['acme', 'acme.t1.absent', 'absent'])
        expect((await at('listDependencies', target)).status).to.equal(404);
    });
  });

  for (const name of ['addServiceDependency', 'addServiceDependencyV2']) {
    const version = name.slice('addServiceDependency'.length);
    describe(name, () => {
      const call = (operationId: string, target: string, api: string, more: object = {}) =>
        world.server.call(`${operationId}${version}`, { path: { target, api }, token: world.root, ...more });
      const add = (dependency: string, api = 'issuer-service-api', more: object = {}) =>
        call('addServiceDependency', ISSUER, api, { json: { dependency }, ...more });

      it(`200: as addDependency; listServiceDependencies${version} 200: as listDependencies`, async () => {
        const list = () => call('listServiceDependencies', ISSUER, 'issuer-service-api');
        await world.server.call('updateService', {
          path: { target: ISSUER },
          json: { type: 'issuer2' },
          token: world.root,
        });
        expect((await add(KMS)).body).to.deep.equal([KMS]);
        const text = { path: { target: ISSUER, api: 'issuer-service-api' }, text: DID_STORE, token: world.root };
        expect((await world.server.call(`addServiceDependency${version}`, text)).body).to.deep.equal([KMS, DID_STORE]);
        expect([(await list()).body, await listed(ISSUER)]).to.deep.equal([
          [KMS, DID_STORE],
          [KMS, DID_STORE],
        ]);
        expect((await add(KMS)).status).to.equal(409);
      });

      it('200: below the API of every type of service, 404 below that of another', async () => {
        for (const [type, api] of Object.entries({
          kms: 'kms-service-api',
          'did-store': 'did-store-service-api',
          issuer2: 'issuer-service-api',
          verifier2: 'verifier2-service-api',
          'x509-store': 'x509-store-api',
          'trust-registry': 'trust-registry-api',
          'credential-store': 'credential-store-service-api',
          'policy-store': 'policy-store-service-api',
          wallet2: 'wallet-service-api',
          'did-service': 'did-service-api',
        })) {
          const target = `acme.t1.${type}-of-api`;
          await world.post('createService', target, { type });
          expect((await call('listServiceDependencies', target, api)).body, type).to.deep.equal([]);
          expect((await call('listServiceDependencies', target, 'vical-service-api')).status, type).to.equal(404);
        }
        expect((await add(KMS, 'kms-service-api')).status).to.equal(404);
      });

      it('400, 401, 403, 404: as addDependency and listDependencies', async () => {
        expect(fieldsOf(await add(ISSUER))).to.deep.equal(['/body/dependency']);
        const { token } = await world.member([may(ISSUER, 'list-keys')]);
        for (const [operationId, more] of [
          ['addServiceDependency', { json: { dependency: KMS } }],
          ['listServiceDependencies', {}],
        ] as const) {
          const api = 'issuer-service-api';
          expect(fieldsOf(await call(operationId, 'a..b', api, more))).to.deep.equal(['/path/target']);
          expect((await call(operationId, ISSUER, api, { ...more, token: 'x' })).status).to.equal(401);
          expect((await call(operationId, ISSUER, api, { ...more, token })).status).to.equal(403);
          expect((await call(operationId, 'acme.t1.absent', api, more)).status).to.equal(404);
        }
      });

      it('413, 415: a body that is too large, or of another media type', async () => {
        const path = { target: ISSUER, api: 'issuer-service-api' };
        for (const [body, status] of [
          [oversized, 413],
          [asForm, 415],
        ] as const) {
          const answer = await world.server.call(`addServiceDependency${version}`, {
            path,
            token: world.root,
            ...body,
          });
          expect(answer.status).to.equal(status);
        }
      });
    });
  }

  for (const operationId of ['listServiceDependencies', 'listServiceDependenciesV2'])
    describe(operationId, () => {
      it('200: nothing, of a service that depends on none', async () => {
        const path = { target: KMS, api: 'kms-service-api' };
        expect((await world.server.call(operationId, { path, token: world.root })).body).to.deep.equal([]);
      });
    });

  describe('deleteResource', () => {
    it('409: names a service that depends on it, to callers who may see that one', async () => {
      expect((await at('deleteResource', KMS)).body.message).to.contain('depends on');
      const { token } = await world.member([may('acme'), mayNot('acme.t1.issuer')]);
      await world.post('createService', 'acme.t1.used', { type: 'kms' });
      await world.post('addDependency', ISSUER, { dependency: 'acme.t1.used' });
      expect((await at('deleteResource', 'acme.t1.used')).body.message).to.contain(`${ISSUER} depends on used`);
      const { status, body } = await at('deleteResource', 'acme.t1.used', token);
      expect([status, body.message]).to.deep.equal([409, 'Other services depend on used']);
    });

    it('204: a deleted service depends on nothing any longer', async () => {
      await world.post('createService', 'acme.t1.kms8', { type: 'kms' });
      await world.post('createService', 'acme.t1.user', { type: 'issuer2', dependencies: ['acme.t1.kms8'] });
      expect((await at('deleteResource', 'acme.t1.user')).status).to.equal(204);
      expect((await at('deleteResource', 'acme.t1.kms8')).status).to.equal(204);
    });
  });
});
