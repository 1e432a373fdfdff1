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

describe('resources', () => {
  let world: EnterpriseFixture;
  let stranger: string;
  let keeper: string;
  before(async () => {
    world = await startEnterprise();
    await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
    await world.post('createTenant', 'other.t1', {});
    await world.post('createService', 'other.t1.kms1', { type: 'kms' });
    stranger = (await world.member([may('other')], 'other')).token;
    keeper = (await world.member([may(KMS, 'list-keys')])).token;
  });
  after(() => world.close());

  const at = (operationId: string, target: string, token = world.root) =>
    world.server.call(operationId, { path: { target }, token });

  /** The rules of every operation that creates a resource at a target. */
  function making(operationId: string, json: object, place: string): void {
    const make = (target: string, token?: string) => world.post(operationId, target, json, token);

    it('400: refuses malformed targets and unknown fields', async () => {
      for (const target of [
        'a..b',
        '.a',
        'a.',
        'a b',
        'a/b',
        'é',
        'a.*',
        'x'.repeat(129),
        Array(17).fill('a').join('.'),
      ])
        expect(fieldsOf(await make(target)), target).to.deep.equal(['/path/target']);
      if (operationId !== 'createService')
        expect((await world.post(operationId, place, { ...json, surprise: 1 })).status).to.equal(400);
    });

    it('401: without a login', async () => {
      for (const token of ['', 'x', 'a.b.c']) expect((await make(place, token)).status).to.equal(401);
    });

    it('403: without the permission', async () => {
      const { token } = await world.member([may('acme', 'resource-view')]);
      expect((await make(place, token)).status).to.equal(403);
      const denied = await world.member([may('acme'), mayNot('acme.t1')]);
      expect((await make(place, denied.token)).status).to.equal(404);
    });

    it('404: the same for a target of the wrong kind, an unknown one and one of another organization', async () => {
      for (const target of ['absent', 'acme', 'acme.absent.x', 'absent.x', `${KMS}.x.y`, `${CREDENTIAL_STORE}.x.y`])
        expect((await make(target)).status, target).to.equal(404);
      const [foreign, none] = [await make('acme.t1.kms1.x1', stranger), await make('acne.t1.kms1.x1', stranger)];
      expect(foreign.status).to.equal(404);
      expect(JSON.stringify(withoutRequestId(foreign)).replaceAll('acme', 'acne')).to.equal(
        JSON.stringify(withoutRequestId(none)),
      );
    });

    it('413: refuses a body over 1 MiB', async () => {
      const call = { ...oversized, path: { target: place }, token: world.root };
      expect((await world.server.call(operationId, call)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      const call = { ...asForm, path: { target: place }, token: world.root };
      expect((await world.server.call(operationId, call)).status).to.equal(415);
    });
  }

  describe('createOrganization', () => {
    const create = (json: unknown, token = world.root) => world.server.call('createOrganization', { json, token });

    it('201: creates an organization with its administrator role', async () => {
      const { status, body } = await create({ _id: 'third', profile: { name: 'Third' } });
      expect(status).to.equal(201);
      expect(body).to.deep.include({ _id: 'third', parent: '', type: 'organization', profile: { name: 'Third' } });
      expect(body.createdDateTime).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect((await world.post('createRole', 'third.admin', { name: 'A', permissions: [] })).status).to.equal(409);
    });

    it('400: names the field', async () => {
      for (const _id of ['a.b', '', 'a b', '*', 1])
        expect(fieldsOf(await create({ _id }))).to.deep.equal(['/body/_id']);
    });

    it('401: without a login', async () => {
      expect((await create({ _id: 'x' }, 'x')).status).to.equal(401);
    });

    it('403: for callers that are not superadmins', async () => {
      expect((await create({ _id: 'x' }, stranger)).status).to.equal(403);
    });

    it('409: an organization is created once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create({ _id: 'raced' })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(19).fill(409)]);
    });

    it('413: refuses a body over 1 MiB', async () => {
      expect((await world.server.call('createOrganization', { ...oversized, token: world.root })).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      expect((await world.server.call('createOrganization', { ...asForm, token: world.root })).status).to.equal(415);
    });
  });

  describe('createTenant', () => {
    it('201: creates tenants below organizations and tenants, with or without a name and a body', async () => {
      expect((await world.post('createTenant', 'acme.t2', { name: 'Two' })).body).to.include({
        type: 'tenant',
        _id: 'acme.t2',
        parent: 'acme',
        name: 'Two',
      });
      expect((await world.post('createTenant', 'acme.t2.sub', undefined)).body).to.include({ name: 'sub' });
    });

    it('409: a tenant is created once', async () => {
      expect((await world.post('createTenant', 'acme.t1', {})).status).to.equal(409);
    });
    making('createTenant', {}, 'acme.t1.new');
  });

  describe('createService', () => {
    it('201: stores its configuration; answers, lists and the log have no secret of it', async () => {
      const config = {
        type: 'issuer2',
        baseUrl: 'https://issuer.example.org',
        name: 'Server=db;Password=SECRET-1',
        supportedCredentialTypes: { Card: { format: 'dc+sd-jwt' } },
        profiles: {
          card: {
            name: 'Card',
            credentialConfigurationId: 'Card',
            credentialData: { level: 'SECRET-2, since nothing is known of this setting' },
            notifications: { webhook: { url: 'https://hook.example.org', bearerToken: 'SECRET-3' } },
          },
        },
      };
      const { status, body } = await world.post('createService', 'acme.t1.issuer1', config);
      expect(status).to.equal(201);
      expect(body).to.deep.include({
        _id: 'acme.t1.issuer1',
        parent: 'acme.t1',
        dependencies: [],
        traversable: true,
        baseUrl: 'https://issuer.example.org',
      });
      expect(body).not.to.have.any.keys('profiles', 'supportedCredentialTypes', 'name');
      const shown = [
        body,
        (await at('getResource', 'acme.t1.issuer1')).body,
        (await at('listResources', 'acme.t1')).body,
      ];
      expect(JSON.stringify([shown, world.server.lines])).not.to.contain('SECRET');
    });

    it('400: refuses unknown types', async () => {
      expect(fieldsOf(await world.post('createService', 'acme.t1.x', { type: 'nothing' }))).to.deep.equal([
        '/body/type',
      ]);
      expect(fieldsOf(await world.post('createService', 'acme.t1.x', {}))).to.deep.equal(['/body/type']);
    });

    it('409: a service is created once', async () => {
      expect((await world.post('createService', KMS, { type: 'kms' })).status).to.equal(409);
    });
    making('createService', { type: 'kms' }, 'acme.t1.new');
  });

  describe('getResource', () => {
    it('200: returns organizations, tenants, services and their records', async () => {
      await world.post('generateKey', `${KMS}.shown`, {});
      for (const target of ['acme', 'acme.t1', KMS, `${KMS}.shown`])
        expect((await at('getResource', target)).body).to.include({ _id: target });
    });

    it('400: refuses a malformed target', async () => {
      expect(fieldsOf(await at('getResource', 'a..b'))).to.deep.equal(['/path/target']);
    });

    it('401: without a login', async () => {
      expect((await at('getResource', 'acme', 'x')).status).to.equal(401);
    });

    it('403: without the permission at a visible target', async () => {
      for (const target of ['acme', 'acme.t1', KMS, `${KMS}.shown`, `${KMS}.absent`])
        expect((await at('getResource', target, keeper)).status, target).to.equal(403);
    });

    it('404: the same for a target of another organization and an unknown one', async () => {
      expect((await at('getResource', `${KMS}.absent`)).status).to.equal(404);
      for (const target of ['acme', 'acme.t1', KMS, `${KMS}.shown`]) {
        const [foreign, none] = [
          await at('getResource', target, stranger),
          await at('getResource', `x${target}`, stranger),
        ];
        expect(foreign.status, target).to.equal(404);
        expect(JSON.stringify(withoutRequestId(foreign))).to.equal(
          JSON.stringify(withoutRequestId(none)).replace(`x${target}`, target),
        );
      }
    });
  });

  describe('deleteResource', () => {
    it('204: removes from the leaves up; removed resources can be created again', async () => {
      await world.post('createTenant', 'acme.gone', {});
      await world.post('createService', 'acme.gone.kms', { type: 'kms' });
      await world.post('generateKey', 'acme.gone.kms.key', {});
      for (const target of ['acme.gone.kms.key', 'acme.gone.kms', 'acme.gone']) {
        expect((await at('deleteResource', target)).status).to.equal(204);
        expect((await at('getResource', target)).status).to.equal(404);
      }
      expect((await world.post('createTenant', 'acme.gone', {})).status).to.equal(201);
    });

    it('204: a tenant that is removed while resources are created in it leaves none without a parent', async () => {
      for (let round = 0; round < 10; round += 1) {
        await world.post('createTenant', 'acme.busy', {});
        const made = Array.from({ length: 5 }, (_, n) =>
          world.post('createService', `acme.busy.s${n}`, { type: 'kms' }),
        );
        const [removed] = await Promise.all([at('deleteResource', 'acme.busy'), ...made]);
        const left = await at('getResource', 'acme.busy');
        expect(left.status).to.equal(removed.status === 204 ? 404 : 200);
        for (let n = 0; n < 5; n += 1) {
          const child = await at('getResource', `acme.busy.s${n}`);
          if (removed.status === 204) expect(child.status).to.equal(404);
          if (child.status === 200) await at('deleteResource', `acme.busy.s${n}`);
        }
        if (removed.status !== 204) await at('deleteResource', 'acme.busy');
      }
    });

    it('400: refuses a malformed target', async () => {
      expect(fieldsOf(await at('deleteResource', 'a..b'))).to.deep.equal(['/path/target']);
    });

    it('401: without a login', async () => {
      expect((await at('deleteResource', 'acme', 'x')).status).to.equal(401);
    });

    it('403: without the permission', async () => {
      expect((await at('deleteResource', KMS, keeper)).status).to.equal(403);
    });

    it('404: for unknown targets and those of other organizations', async () => {
      expect((await at('deleteResource', 'acme.absent')).status).to.equal(404);
      expect((await at('deleteResource', KMS, stranger)).status).to.equal(404);
      expect((await at('getResource', KMS)).status).to.equal(200);
    });

    it('409: a resource with children is not removed', async () => {
      await world.post('generateKey', `${KMS}.stays`, {});
      for (const target of ['acme', 'acme.t1', KMS]) expect((await at('deleteResource', target)).status).to.equal(409);
      expect((await at('getResource', KMS)).status).to.equal(200);
    });
  });

  describe('generateKey', () => {
    it('201: under a name of the caller or of the service, without private members', async () => {
      const named = await world.post('generateKey', `${KMS}.mine`, { keyType: 'secp256r1' });
      expect(named.status).to.equal(201);
      expect(named.body).to.deep.include({ _id: `${KMS}.mine`, parent: KMS, type: 'key' });
      expect(Object.keys(named.body.key.jwk)).to.have.members(['kty', 'crv', 'kid', 'x', 'y']);
      const own = await world.post('generateKey', KMS, {});
      expect(own.body._id).to.match(/^acme\.t1\.kms1\.[0-9a-f-]{36}$/);
      expect(own.body.key).to.include({ type: 'jwk' });
    });

    it('400: refuses unsupported backends and configurations, naming the field', async () => {
      expect(fieldsOf(await world.post('generateKey', KMS, { backend: 'nothing' }))).to.deep.equal(['/body/backend']);
      expect(fieldsOf(await world.post('generateKey', KMS, { config: { a: 1 } }))).to.deep.equal(['/body/config/a']);
      expect(fieldsOf(await world.post('generateKey', KMS, { keyType: 'DSA' }))).to.deep.equal(['/body/keyType']);
    });

    it('403: a denial below the service applies to the key that would be created', async () => {
      const { token } = await world.member([may(KMS), mayNot(`${KMS}.*`, 'key-create')]);
      expect((await world.post('generateKey', KMS, {}, token)).status).to.equal(403);
    });

    it('409: of 20 concurrent calls with one name exactly one succeeds', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => world.post('generateKey', `${KMS}.raced`, {})),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(19).fill(409)]);
      const kept = (await at('getResource', `${KMS}.raced`)).body;
      expect(answers.find(({ status }) => status === 201)?.body).to.deep.equal(kept);
    });
    making('generateKey', {}, `${KMS}.new`);
  });

  const DID = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';

  describe('addDid', () => {
    it('201: derives the document of a DID that encodes its key, and stores the documents of others', async () => {
      const { status, body } = await world.post('addDid', DID_STORE, { did: DID });
      expect(status).to.equal(201);
      expect(body).to.include({ did: DID, parent: DID_STORE });
      expect(body.document.id).to.equal(DID);
      const web = { did: 'did:web:example.org', document: { id: 'did:web:example.org' } };
      expect((await world.post('addDid', `${DID_STORE}.web`, web)).body).to.deep.include({
        ...web,
        _id: `${DID_STORE}.web`,
      });
    });

    it('400: refuses values that are not DIDs, documents of another DID and private keys', async () => {
      const cases: [unknown, string][] = [
        [{ did: 'x' }, '/body/did'],
        [{ did: 'did:key:zzz' }, '/body/did'],
        [{ did: 'did:web:a.example' }, '/body/document'],
        [{ did: DID, document: { id: 'did:key:other' } }, '/body/document/id'],
        [{ did: DID, document: { id: DID, keys: [{ kty: 'EC', d: 'x' }] } }, '/body/document/keys/0/d'],
      ];
      for (const [json, field] of cases)
        expect(fieldsOf(await world.post('addDid', `${DID_STORE}.bad`, json)), field).to.deep.equal([field]);
    });

    it('409: a store has a DID once', async () => {
      expect((await world.post('addDid', DID_STORE, { did: DID })).status).to.equal(409);
    });
    making('addDid', { did: DID }, `${DID_STORE}.new`);
  });

  const credential = { type: 'vc-w3c_1_1', credentialData: { credentialSubject: { auth: 'kept' } }, signed: 'a.b.c' };

  describe('addCredential', () => {
    it('201: stores a credential unchanged, under a name of the caller or of the store', async () => {
      const { status, body } = await world.post('addCredential', CREDENTIAL_STORE, { credential });
      expect(status).to.equal(201);
      expect(body).to.deep.include({ parent: CREDENTIAL_STORE, credential });
      const named = await world.post('addCredential', `${CREDENTIAL_STORE}.one`, { credential });
      expect(named.body._id).to.equal(`${CREDENTIAL_STORE}.one`);
    });

    it('400: refuses private keys', async () => {
      const json = { credential: { ...credential, credentialData: { key: { kty: 'OKP', d: 'x' } } } };
      expect(fieldsOf(await world.post('addCredential', CREDENTIAL_STORE, json))).to.deep.equal([
        '/body/credential/credentialData/key/d',
      ]);
    });

    it('409: a name is used once', async () => {
      expect((await world.post('addCredential', `${CREDENTIAL_STORE}.one`, { credential })).status).to.equal(409);
    });
    making('addCredential', { credential }, `${CREDENTIAL_STORE}.new`);
  });
});
