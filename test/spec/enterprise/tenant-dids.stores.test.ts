import { expect } from 'chai';
import {
  asForm,
  DID_STORE,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  oversized,
  startEnterprise,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { belowRegistry, createDid, DID_SERVICE, key, SECOND_STORE, startDids } from '../../actors/tenant-dids.ts';

describe('DID services of tenants', () => {
  type Method = { id: string };

  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await startDids(world);
  });
  after(() => world.close());

  let names = 0;
  const freshPath = () => `people/p${++names}`;
  const create = (json: object, token?: string) => createDid(world, 'web', json, token);
  const web = (more: object = {}) => ({ keyId: key('one'), domain: 'dids.example.org', path: freshPath(), ...more });
  const created = async (more: object = {}): Promise<string> => (await ok(create(web(more)), 201)).did;
  const post = (operationId: string, json: object, token?: string) => world.post(operationId, DID_SERVICE, json, token);
  const rotate = (did: string, more: object = { keyId: key('two') }) => post('rotateServiceDid', { did, ...more });
  const deactivate = (did: string) => post('deactivateServiceDid', { did });
  const entries = (store: string) =>
    ok(world.server.call('listDids', { path: { target: store }, token: world.root, query: { limit: '100' } }));
  const stored = async (did: string) =>
    (await Promise.all([DID_STORE, SECOND_STORE].map(entries))).map((all) =>
      all.find((one: { did: string }) => one.did === did),
    );
  const idsIn = (methods: Method[]) => methods.map(({ id }) => id);
  const thumbprintOf = async (name: string) => {
    const { body } = await world.server.call('getTenantKey', { path: { target: key(name) }, token: world.root });
    return body.key.jwk.kid;
  };

  describe('createServiceDid', () => {
    it('201: the type `did` is a did-service', async () => {
      const { body } = await world.server.call('getResource', { path: { target: DID_SERVICE }, token: world.root });
      expect(body.type).to.equal('did-service');
      const again = { type: 'did', dependencies: [KMS, DID_STORE, SECOND_STORE] };
      const replaced = await ok(
        world.server.call('updateService', { path: { target: DID_SERVICE }, json: again, token: world.root }),
      );
      expect(replaced.type).to.equal('did-service');
      expect(await ok(world.post('createServices', 'acme.t1', { services: { did1: again } }), 201)).to.have.length(1);
    });

    for (const [method, json] of [
      ['key', { keyId: key('one') }],
      ['key', { keyId: key('two'), useJwkJcsPub: true, didId: 'jcs' }],
      ['jwk', { keyReference: key('one') }],
      ['web', { type: 'single_key_id', keyId: key('one'), domain: 'One.example.org' }],
    ] as const)
      it(`201: did:${method} with ${Object.keys(json).join(', ')} is in every store`, async () => {
        const { did, document } = await ok(createDid(world, method, json), 201);
        expect(did).to.match(new RegExp(`^did:${method}:`));
        expect(document.id).to.equal(did);
        for (const entry of await stored(did))
          expect(entry).to.deep.include({
            did,
            document,
            key: key(
              'jwk' in json
                ? 'one'
                : String(Object.values(json).find((one) => String(one).startsWith(KMS))).slice(KMS.length + 1),
            ),
          });
        expect((await createDid(world, method, json)).status).to.equal(409);
      });

    it('201: a did:web of several keys, each for everything or for what it is named for', async () => {
      const all = await ok(
        create(web({ keyId: undefined, type: 'key_id_set', keyIdSet: [key('one'), key('two')] })),
        201,
      );
      expect(all.document.verificationMethod).to.have.length(2);
      expect(all.document.assertionMethod).to.deep.equal(idsIn(all.document.verificationMethod));
      const verificationKeyIdSetConfiguration = {
        authentication: [key('two')],
        assertionMethod: [key('one')],
        keyAgreement: [key('three')],
      };
      const type = 'verification_key_id_set_config';
      const { document } = await ok(create(web({ keyId: undefined, type, verificationKeyIdSetConfiguration })), 201);
      const idOf = async (name: string) => `${document.id}#${await thumbprintOf(name)}`;
      expect(document.assertionMethod).to.deep.equal([await idOf('one')]);
      expect(document.authentication).to.deep.equal([await idOf('two')]);
      expect(document.keyAgreement).to.deep.equal([await idOf('three')]);
      expect(document).to.not.have.any.keys('capabilityInvocation', 'capabilityDelegation');
    });

    it('201: a DID on the host of the server is below a registry of the same stores', async () => {
      const { host } = new URL(world.server.url);
      const did = await created({ domain: host, path: belowRegistry('carol') });
      expect(did).to.equal(`did:web:${encodeURIComponent(host)}:${belowRegistry('carol').replaceAll('/', ':')}`);
    });

    it('400: names what is missing, too much or wrong', async () => {
      const { host } = new URL(world.server.url);
      const wrong: [string, object, string][] = [
        ['web', { domain: 'a.example' }, 'keyId'],
        ['web', web({ keyReference: key('two') }), 'keyReference'],
        ['web', web({ type: 'key_id_set' }), 'keyId'],
        ['web', web({ keyId: 'acme.t1.dids1.one' }), 'keyId'],
        ['web', web({ keyId: `${KMS}.absent` }), 'keyId'],
        ['web', web({ useJwkJcsPub: true }), 'useJwkJcsPub'],
        ['web', web({ domain: 'a.example/b' }), 'domain'],
        ['web', web({ path: 'a/../b' }), 'path'],
        ['web', web({ domain: host }), 'path'],
        ['web', web({ domain: host, path: belowRegistry('x').replace('registry1', 'dids1') }), 'path'],
        ['web', { keyIdSet: [key('one'), 'acme.t1.kms1.absent'], domain: 'a.example' }, 'keyIdSet/1'],
        [
          'web',
          { verificationKeyIdSetConfiguration: { keyAgreement: [key('edward')] } },
          'verificationKeyIdSetConfiguration/keyAgreement',
        ],
        ['jwk', web({ path: undefined }), 'domain'],
      ];
      for (const [method, json, field] of wrong) {
        const answer = await createDid(world, method, json);
        expect([answer.status, ...fieldsOf(answer)], JSON.stringify(json)).to.deep.equal([400, `/body/${field}`]);
      }
      expect(fieldsOf(await createDid(world, 'ion', { keyId: key('one') }))).to.deep.equal(['/path/method']);
    });

    it('409: with one store taken, none has it', async () => {
      await ok(
        world.post('addDid', `${SECOND_STORE}.taken`, {
          did: 'did:example:taken',
          document: { id: 'did:example:taken' },
        }),
        201,
      );
      const json = web({ didId: 'taken' });
      expect((await create(json)).status).to.equal(409);
      expect((await entries(DID_STORE)).filter((one: { _id: string }) => one._id.endsWith('.taken'))).to.deep.equal([]);
    });

    it('409: of ten at once one creates it, in every store', async () => {
      const json = web();
      const answers = await Promise.all(Array.from({ length: 10 }, () => create(json)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(9).fill(409)]);
      expect(await stored(`did:web:dids.example.org:${json.path.replaceAll('/', ':')}`)).to.not.include(undefined);
    });

    it('201: completes what a call that was cut off has begun', async () => {
      const json = web({ didId: 'cut' });
      const { did } = await ok(create(json), 201);
      await world.server.call('deleteTenantDid', { path: { target: `${SECOND_STORE}.cut` }, token: world.root });
      expect((await ok(create(json), 201)).did).to.equal(did);
      expect(await stored(did)).to.not.include(undefined);
    });

    it('409: without a store', async () => {
      const target = 'acme.t1.storeless';
      await ok(world.post('createService', target, { type: 'did-service', dependencies: [KMS] }), 201);
      const call = (json: object = { keyId: key('three') }) =>
        world.server.call('createServiceDid', { path: { target, method: 'jwk' }, json, token: world.root });
      const { status, body } = await call();
      expect([status, body.message]).to.deep.equal([
        409,
        `${target} needs a service of the type did-store: add it as a dependency`,
      ]);
      const answer = await world.server.fetch(`/v1/${target}/did-service-api/dids/dependencies/add`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.root}`, 'content-type': 'application/json' },
        body: JSON.stringify({ dependency: DID_STORE }),
      });
      expect(answer.body).to.deep.equal([KMS, DID_STORE]);
      const { did } = await ok(call({ keyId: key('three') }), 201);
      expect((await entries(DID_STORE)).map((one: { did: string }) => one.did)).to.include(did);
    });
  });

  describe('rotateServiceDid', () => {
    it('200: the new key is the one that the DID has; the earlier one stays for what it signed', async () => {
      const did = await created();
      const [one, two] = [await thumbprintOf('one'), await thumbprintOf('two')];
      const { document } = await ok(rotate(did));
      expect(idsIn(document.verificationMethod)).to.deep.equal([`${did}#${two}`, `${did}#${one}`]);
      expect(document.assertionMethod).to.deep.equal([`${did}#${two}`, `${did}#${one}`]);
      for (const use of ['authentication', 'capabilityInvocation', 'capabilityDelegation'])
        expect(document[use]).to.deep.equal([`${did}#${two}`]);
      for (const entry of await stored(did)) expect(entry).to.deep.include({ document, key: key('two'), version: 1 });
      expect((await ok(rotate(did))).document).to.deep.equal(document);
      for (const entry of await stored(did)) expect(entry.version).to.equal(1);
      const without = await ok(rotate(did, { keyId: key('two'), remove: [`${did}#${one}`] }));
      expect(idsIn(without.document.verificationMethod)).to.deep.equal([`${did}#${two}`]);
      expect(without.document.assertionMethod).to.deep.equal([`${did}#${two}`]);
    });

    it('200: both of two rotations at once are kept, in the same order everywhere', async () => {
      const did = await created();
      await Promise.all([ok(rotate(did)), ok(rotate(did, { keyId: key('three') }))]);
      const [first, second] = await stored(did);
      expect(first.document.verificationMethod).to.have.length(3);
      expect([second.document, second.version]).to.deep.equal([first.document, 2]);
    });

    it('400: names a DID that is not there, a key that is not, and what is no earlier method', async () => {
      const did = await created();
      expect(fieldsOf(await rotate('did:web:absent.example'))).to.deep.equal(['/body/did']);
      expect(fieldsOf(await rotate('did:jwk:abc'))).to.deep.equal(['/body/did']);
      expect(fieldsOf(await rotate(did, {}))).to.deep.equal(['/body/keyId']);
      const current = [`${did}#${await thumbprintOf('two')}`];
      expect(fieldsOf(await rotate(did, { keyId: key('two'), remove: current }))).to.deep.equal(['/body/remove/0']);
    });

    it('409: a document has at most 32 keys', async () => {
      const all = Array.from({ length: 32 }, (_, n) => key(`many${n}`));
      for (const one of all) await ok(world.post('generateKey', one, { keyType: 'Ed25519' }), 201);
      const did = await created({ keyId: undefined, keyIdSet: all.slice(0, 16) });
      const { document } = await ok(rotate(did, { keyIdSet: all.slice(16) }));
      expect(document.verificationMethod).to.have.length(32);
      expect((await rotate(did)).status).to.equal(409);
      const remove = [document.assertionMethod.at(-1)];
      const after = (await ok(rotate(did, { keyId: key('two'), remove }))).document;
      expect(after.assertionMethod).to.have.length(32).and.not.include(remove[0]);
    });
  });

  describe('deactivateServiceDid', () => {
    it('200: for good: no rotation, no document, no other entry', async () => {
      const did = await created({ didId: `gone${names}` });
      const first = await ok(deactivate(did));
      expect(await ok(deactivate(did))).to.deep.equal(first);
      for (const entry of await stored(did)) expect(entry.deactivatedDateTime).to.equal(first.deactivatedDateTime);
      expect((await rotate(did)).status).to.equal(409);
      const [entry] = await stored(did);
      const json = { did, document: { id: did } };
      expect(
        (await world.server.call('replaceTenantDid', { path: { target: entry._id }, json, token: world.root })).status,
      ).to.equal(409);
      expect((await world.post('addDid', DID_STORE, json)).status).to.equal(409);
      expect((await create(web({ path: did.split(':').slice(3).join('/'), didId: 'other' }))).status).to.equal(409);
    });

    it('400: names a DID that is not there', async () => {
      expect(fieldsOf(await deactivate('did:web:absent.example'))).to.deep.equal(['/body/did']);
    });
  });

  describe('every operation of a DID service', () => {
    const CALLS: [string, object][] = [
      ['createServiceDid', { keyId: key('one') }],
      ['rotateServiceDid', { did: 'did:web:a.example', keyId: key('one') }],
      ['deactivateServiceDid', { did: 'did:web:a.example' }],
    ];
    const call = (operationId: string, request: object, target = DID_SERVICE, token = world.root) =>
      world.server.call(operationId, {
        path: { target, ...(operationId === 'createServiceDid' && { method: 'jwk' }) },
        token,
        ...request,
      });

    for (const [operationId, json] of CALLS) {
      it(`${operationId}: 401, 403, 404, 413 and 415`, async () => {
        expect((await call(operationId, { json }, DID_SERVICE, 'x')).status).to.equal(401);
        const { token } = await world.member([may('acme', 'did-list')]);
        expect((await call(operationId, { json }, DID_SERVICE, token)).status).to.equal(403);
        for (const target of ['acme.t1.absent', DID_STORE, 'acme.t1'])
          expect((await call(operationId, { json }, target)).status, target).to.equal(404);
        const foreign = await world.member([may('acme.t1')]);
        expect((await call(operationId, { json }, 'other.t1.did1', foreign.token)).status).to.equal(404);
        expect((await call(operationId, oversized)).status).to.equal(413);
        expect((await call(operationId, asForm)).status).to.equal(415);
      });

      it(`${operationId}: a service of another organization uses nothing of this one`, async () => {
        await world.server.call('createOrganization', { json: { _id: 'other', profile: {} }, token: world.root });
        await world.post('createService', 'other.did1', { type: 'did-service' });
        const answer = await call(operationId, { json }, 'other.did1');
        expect(answer.status).to.equal(409);
      });
    }
  });
});
