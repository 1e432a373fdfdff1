import { expect } from 'chai';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import { login, registration, SUPERADMIN, TOKEN } from '../../actors/tenant.ts';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

const { pem: certificatePem } = makeCertificate({ subject: 'CN=Certificate', keys: testKeys('P-256', 1) });

describe('a store that fails at the n-th call', () => {
  const faults = new StoreFaults();
  const server = useServer({
    settings: { superadminRegistration: { tokens: { [TOKEN]: registration() } } },
    wrapStore: (store) => new FaultyStore(store, faults),
  });
  let token: string;
  before(async () => {
    await server.call('createSuperadmin', { text: TOKEN });
    token = await login(server, SUPERADMIN);
    await server.call('createOrganization', { json: { _id: 'acme' }, token });
    await call('createTenant', 'acme.t1', {});
    await call('createService', 'acme.t1.kms', { type: 'kms' });
  });
  const call = (operationId: string, target: string, json?: unknown) =>
    server.call(operationId, { path: { target }, json, token });

  it('stores a key completely or not at all, and the next attempt succeeds', async () => {
    let failed = 0;
    for (let n = 1; n <= 14; n += 1) {
      const target = `acme.t1.kms.key${n}`;
      faults.failIn = n;
      const { status } = await call('generateKey', target, {});
      faults.failIn = 0;
      failed += status === 503 ? 1 : 0;
      expect([201, 503]).to.include(status);
      const seen = await call('getResource', target);
      expect(seen.status).to.be.oneOf(status === 201 ? [200] : [200, 404]);
      expect((await call('generateKey', target, {})).status).to.equal(seen.status === 200 ? 409 : 201);
      expect((await call('deleteResource', target)).status).to.equal(204);
    }
    expect(failed).to.be.within(5, 13);
  });

  it('removes a key completely or not at all', async () => {
    for (let n = 1; n <= 14; n += 1) {
      const target = `acme.t1.kms.old${n}`;
      const made = (await call('generateKey', target, {})).body;
      faults.failIn = n;
      const { status } = await call('deleteResource', target);
      faults.failIn = 0;
      expect([204, 503]).to.include(status);
      const seen = await call('getResource', target);
      if (status === 204) expect(seen.status).to.equal(404);
      else if (seen.status === 200) expect(seen.body.key).to.deep.equal(made.key);
      await call('deleteResource', target);
      expect((await call('generateKey', target, {})).status).to.equal(201);
    }
  });

  it('replaces a configuration with its dependencies completely or not at all', async () => {
    await call('createService', 'acme.t1.user', { type: 'issuer2', name: 'v0' });
    for (let n = 1; n <= 16; n += 1) {
      const [target, used] = ['acme.t1.user', `acme.t1.used${n}`];
      await call('createService', used, { type: 'kms' });
      const before = (await call('getResource', target)).body;
      faults.failIn = n;
      const { status } = await call('updateService', target, { type: 'issuer2', name: `v${n}`, dependencies: [used] });
      faults.failIn = 0;
      expect([200, 503]).to.include(status);
      const { body } = await call('getResource', target);
      const isNew = body.name === `v${n}`;
      expect(status === 503 || isNew).to.equal(true);
      expect(body.dependencies).to.deep.equal(isNew ? [used] : before.dependencies);
      expect((await call('deleteResource', used)).status).to.equal(isNew ? 409 : 204);
    }
  });

  it('adds a dependency completely or not at all, and the next attempt succeeds', async () => {
    await call('createService', 'acme.t1.adder', { type: 'issuer2' });
    for (let n = 1; n <= 14; n += 1) {
      const [target, dependency] = ['acme.t1.adder', `acme.t1.added${n}`];
      await call('createService', dependency, { type: 'kms' });
      faults.failIn = n;
      const { status } = await call('addDependency', target, { dependency });
      faults.failIn = 0;
      expect([200, 503]).to.include(status);
      const isThere = (await call('listDependencies', target)).body.includes(dependency);
      expect(status === 503 || isThere).to.equal(true);
      expect((await call('addDependency', target, { dependency })).status).to.equal(isThere ? 409 : 200);
      expect((await call('deleteResource', dependency)).status).to.equal(409);
      expect((await call('removeDependency', target, { dependency })).status).to.equal(200);
      expect((await call('deleteResource', dependency)).status).to.equal(204);
    }
  });

  it('createServices: cut off at any call, the same call again completes it, and another one is answered with what differs', async () => {
    const body = (tenant: string, name = 'Keys') => ({
      services: {
        keys: { type: 'kms', name },
        dids: { type: 'did-store', dependencies: [`${tenant}.keys`] },
        shop: { type: 'issuer2', kms: `${tenant}.keys`, dependencies: [`${tenant}.dids`] },
      },
    });
    const left = new Set<number>();
    let early503 = 0;
    for (let n = 1, isDone = false; !isDone; n += 1) {
      const tenant = `acme.cut${n}`;
      await call('createTenant', tenant, {});
      Object.assign(faults, { failIn: n, isDeadly: true });
      const { status } = await call('createServices', tenant, body(tenant));
      isDone = faults.failIn > 0;
      faults.end();
      expect(status).to.be.oneOf(isDone ? [201] : [201, 503]);
      const targets = ['keys', 'dids', 'shop'].map((name) => `${tenant}.${name}`);
      const found = await Promise.all(
        targets.map(async (target) => (await call('getResource', target)).status === 200),
      );
      left.add(found.filter((is) => is).length);
      if (found[0]) {
        const early = await call('createServices', tenant, body(tenant, 'Other'));
        expect(early.status === 409 || early.headers.get('retry-after') === '1', JSON.stringify(early)).to.equal(true);
        early503 += early.status === 503 ? 1 : 0;
        server.clock.advance(LEASE_MS);
        const { status: refused, body: problem } = await call('createServices', tenant, body(tenant, 'Other'));
        expect([refused, problem.details]).to.deep.equal([
          409,
          [{ path: '/body/services/keys/name', message: 'differs from the service that exists' }],
        ]);
      }
      const again = await call('createServices', tenant, body(tenant));
      expect(again.status, `call ${n}: ${JSON.stringify(again.body)}`).to.equal(201);
      expect(again.body.map(({ _id }: { _id: string }) => _id)).to.deep.equal(targets);
      expect((await call('listDependencies', targets[2] ?? '')).body).to.deep.equal([targets[1], targets[0]]);
      for (const target of targets.toReversed()) expect((await call('deleteResource', target)).status).to.equal(204);
      expect(n).to.be.below(200);
    }
    expect([...left].sort()).to.deep.equal([0, 1, 2, 3]);
    expect(early503).to.be.above(0);
  });

  const did = 'did:web:a.example';
  for (const [operationId, { store, add, ...json }] of Object.entries({
    replaceCertificate: { store: 'x509-store', add: 'addCertificate', type: 'base', certificatePem },
    replaceTenantDid: { store: 'did-store', add: 'addDid', did, document: { id: did } },
    replaceTenantCredential: { store: 'credential-store', add: 'addCredential', credential: { type: 'vc-sd_jwt' } },
    replaceSavedCheck: { store: 'verifier2', add: 'createSavedCheck', name: 'x', setup: crossDevice() },
    replaceStoredPolicy: { store: 'policy-store', add: 'addStoredPolicy', name: 'x', policy: { policy: 'signature' } },
  }))
    it(`${operationId} 409: once its removal is decided, until it is removed again`, async () => {
      await call('createService', `acme.t1.${store}`, { type: store });
      const statuses = new Set<number>();
      for (let n = 1; n <= 18; n += 1) {
        const target = `acme.t1.${store}.x${n}`;
        expect((await call(add, target, json)).status).to.equal(201);
        faults.failIn = n;
        const removal = await call('deleteResource', target);
        faults.failIn = 0;
        const { status } = await call(operationId, target, json);
        statuses.add(status);
        if (removal.status === 204) expect(status).to.equal(404);
        expect((await call('deleteResource', target)).status).to.equal(status === 404 ? 404 : 204);
      }
      expect([...statuses].sort()).to.deep.equal([200, 404, 409]);
    });
});
