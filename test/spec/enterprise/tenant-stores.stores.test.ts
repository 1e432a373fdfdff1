import { expect } from 'chai';
import { compactVerify, importJWK } from 'jose';
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
  POLICY_STORE,
  startEnterprise,
  withoutRequestId,
} from '../../actors/tenant.ts';

describe('tenant stores', () => {
  /** RFC 8037 appendix A.1. */
  const JWK = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  };
  const THUMBPRINT = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
  const KEY = `${KMS}.mine`;

  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
    await world.post('generateKey', KEY, { keyType: 'secp256r1' });
  });
  after(() => world.close());

  const at = (operationId: string, target: string, token = world.root) =>
    world.server.call(operationId, { path: { target }, token });

  interface Rules {
    /** The body, where the operation has one. */
    json?: object;
    /** Where it works, and where there is no such thing. */
    place(): Promise<string> | string;
    wrong: readonly string[];
  }

  /** The rules of every operation at a target. */
  function bounded(operationId: string, { json, place, wrong }: Rules): void {
    const call = (target: string, token = world.root) => world.post(operationId, target, json, token);

    it('400: refuses a malformed target', async () => {
      expect(fieldsOf(await call('a..b'))).to.deep.equal(['/path/target']);
    });

    it('401: without a login', async () => {
      expect((await call(await place(), 'x')).status).to.equal(401);
    });

    it('403: without the permission', async () => {
      const { token } = await world.member([may('acme', 'something-else')]);
      expect((await call(await place(), token)).status).to.equal(403);
    });

    it('404: the same for another type of service, an unknown target and one of another organization', async () => {
      for (const target of wrong) expect((await call(target)).status, target).to.equal(404);
      const { token } = await world.member([may('other')], 'other');
      const target = await place();
      const [foreign, none] = [await call(target, token), await call(target.replace('acme', 'acne'), token)];
      expect(foreign.status).to.equal(404);
      expect(JSON.stringify(withoutRequestId(foreign))).to.equal(
        JSON.stringify(withoutRequestId(none)).replace('acne', 'acme'),
      );
    });

    if (json === undefined) return;
    it('413: refuses a body over 1 MiB', async () => {
      const sent = { ...oversized, path: { target: await place() }, token: world.root };
      expect((await world.server.call(operationId, sent)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      const sent = { ...asForm, path: { target: await place() }, token: world.root };
      expect((await world.server.call(operationId, sent)).status).to.equal(415);
    });
  }

  const NOT_STORES = ['acme', 'acme.t1', 'acme.absent', `${KMS}.absent.x`];
  const noChild = (store: string, other: string) => [...NOT_STORES, store, `${store}.absent`, `${other}.absent`];

  describe('createService', () => {
    it('400: refuses what a store does not take', async () => {
      for (const type of ['kms', 'did-store', 'credential-store', 'policy-store'])
        expect(fieldsOf(await world.post('createService', 'acme.t1.x', { type, surprise: 1 })), type).to.deep.equal([
          '/body/surprise',
        ]);
    });
  });

  describe('importTenantKey', () => {
    it('201: shows the public part of a key that signs from then on', async () => {
      const { status, body } = await world.post('importTenantKey', `${KMS}.imported`, JWK);
      expect(status).to.equal(201);
      const { d: _, ...publicPart } = JWK;
      expect(body).to.deep.include({ _id: `${KMS}.imported`, type: 'key' });
      expect(body.key).to.deep.equal({ type: 'jwk', jwk: { ...publicPart, kid: THUMBPRINT } });
      expect((await world.post('signWithTenantKey', `${KMS}.imported`, { sub: 'alice' })).status).to.equal(200);
    });

    it('400: names what is wrong with the key', async () => {
      const { d: _, ...publicPart } = JWK;
      for (const jwk of [publicPart, { ...JWK, x: THUMBPRINT }, { ...JWK, crv: 'X' }, { kty: 'oct', k: 'AA' }])
        expect(fieldsOf(await world.post('importTenantKey', `${KMS}.bad`, jwk))[0]).to.match(/^\/body/);
      expect((await at('getTenantKey', `${KMS}.bad`)).status).to.equal(404);
    });

    it('409: once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => world.post('importTenantKey', `${KMS}.raced`, JWK)),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(7).fill(409)]);
    });
    bounded('importTenantKey', { json: JWK, place: () => `${KMS}.new`, wrong: [...NOT_STORES, `${DID_STORE}.x`] });
  });

  describe('signWithTenantKey', () => {
    it('200: signs claims, and with a header of the caller', async () => {
      const { jwk } = (await at('getTenantKey', KEY)).body.key;
      const headerOf = async (content: object) => {
        const { body } = await world.post('signWithTenantKey', KEY, content);
        return (await compactVerify(body, await importJWK(jwk, 'ES256'))).protectedHeader;
      };
      expect(await headerOf({ sub: 'alice' })).to.deep.equal({ alg: 'ES256', typ: 'JWT', kid: jwk.kid });
      const header = { typ: 'dc+sd-jwt', kid: KEY };
      expect(await headerOf({ protected: header, payload: {} })).to.deep.equal({ alg: 'ES256', ...header });
    });

    it('400: refuses a header of another key or algorithm, naming the member', async () => {
      const sign = async (header: object) =>
        fieldsOf(await world.post('signWithTenantKey', KEY, { protected: header, payload: {} }));
      expect(await sign({ kid: 'other' })).to.deep.equal(['/body/protected/kid']);
      expect(await sign({ alg: 'none' })).to.deep.equal(['/body/protected/alg']);
    });
    bounded('signWithTenantKey', { json: {}, place: () => KEY, wrong: noChild(KMS, DID_STORE) });
  });

  describe('getTenantKey', () => {
    it('200: as the list shows it', async () => {
      const { body } = await at('getTenantKey', KEY);
      expect(body).to.deep.equal((await at('getResource', KEY)).body);
      expect(body.key.jwk).not.to.have.property('d');
    });
    bounded('getTenantKey', { place: () => KEY, wrong: noChild(KMS, DID_STORE) });
  });

  let made = 0;
  const fresh = async (operationId: string, store: string, json: object): Promise<string> => {
    made += 1;
    const { body } = await world.post(operationId, `${store}.fresh${made}`, json);
    return body._id;
  };

  /** The rules of every operation that deletes a child. */
  function deleting(operationId: string, rules: Rules): void {
    it('204: deletes it once', async () => {
      const target = await rules.place();
      const answers = await Promise.all(Array.from({ length: 5 }, () => at(operationId, target)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404, 404, 404]);
      expect((await at('getResource', target)).status).to.equal(404);
    });
    bounded(operationId, rules);
  }

  describe('deleteTenantKey', () => {
    deleting('deleteTenantKey', { place: () => fresh('generateKey', KMS, {}), wrong: noChild(KMS, DID_STORE) });
  });

  const WEB = { did: 'did:web:a.example', document: { id: 'did:web:a.example' } };

  describe('createTenantDid', () => {
    before(() => world.post('addDependency', DID_STORE, { dependency: KMS }));

    it('201: of every method, with the key in its document', async () => {
      const { jwk } = (await at('getTenantKey', KEY)).body.key;
      const create = async (json: object) =>
        (await world.post('createTenantDid', DID_STORE, { key: KEY, ...json })).body;
      expect((await create({ method: 'key' })).did).to.match(/^did:key:z/);
      expect((await create({ method: 'jwk' })).did).to.match(/^did:jwk:/);
      const web = await create({ method: 'web', config: { domain: 'issuer.example.org' } });
      expect(web.did).to.equal('did:web:issuer.example.org');
      expect(web.document.verificationMethod[0].publicKeyJwk).to.include({ x: jwk.x, y: jwk.y });
      expect((await at('listDids', web._id)).body).to.deep.equal(web);
    });

    it('400: names what is wrong; the key is one of a service that the store depends on', async () => {
      await world.post('createService', 'acme.t1.kms2', { type: 'kms' });
      await world.post('generateKey', 'acme.t1.kms2.key', {});
      const create = async (json: object) => fieldsOf(await world.post('createTenantDid', `${DID_STORE}.bad`, json));
      for (const key of ['acme.t1.kms2.key', `${KMS}.absent`, KMS, 'absent'])
        expect(await create({ method: 'key', key }), key).to.deep.equal(['/body/key']);
      expect(await create({ method: 'web', key: KEY })).to.deep.equal(['/body/config/domain']);
      expect(await create({ method: 'cheqd', key: KEY })).to.deep.equal(['/body/method']);
    });

    it('409: a store has a DID once', async () => {
      expect((await world.post('createTenantDid', DID_STORE, { method: 'key', key: KEY })).status).to.equal(409);
    });
    const wrong = [...NOT_STORES, `${CREDENTIAL_STORE}.x`, KMS];
    bounded('createTenantDid', { json: { method: 'jwk', key: KEY }, place: () => `${DID_STORE}.new`, wrong });
  });

  describe('listDids', () => {
    it('200: shows the one entry at its target; parameters are checked', async () => {
      const target = await fresh('addDid', DID_STORE, WEB);
      const get = (query = '') =>
        world.server.fetch(`/v1/${target}/did-store-service-api/dids${query}`, {
          headers: { authorization: `Bearer ${world.root}` },
        });
      expect((await get()).body).to.deep.include({ _id: target, ...WEB });
      expect(fieldsOf(await get('?limit=0'))).to.deep.equal(['/query/limit']);
      expect((await at('listDids', KEY)).status).to.equal(404);
    });
  });

  /** What replacing a child has in common. */
  function replacing(
    operationId: string,
    { store, add, ...rules }: Rules & { store: string; add: string; json: object },
  ): void {
    it('200: keeps when it was created, and changes when it was updated', async () => {
      const target = await rules.place();
      const before = (await at('getResource', target)).body;
      const { status, body } = await world.post(operationId, target, rules.json);
      expect(status).to.equal(200);
      expect(body).to.deep.include({ ...rules.json, _id: target, createdDateTime: before.createdDateTime });
      expect(body.updatedDateTime > before.updatedDateTime).to.equal(true);
      expect((await at('getResource', target)).body).to.deep.equal(body);
      expect((await world.post(add, target, rules.json)).status).to.equal(409);
    });
    bounded(operationId, { ...rules, wrong: noChild(store, KMS) });
  }

  describe('replaceTenantDid', () => {
    const json = { ...WEB, document: { ...WEB.document, alsoKnownAs: ['https://a.example'] } };
    const place = () => fresh('addDid', DID_STORE, WEB);
    replacing('replaceTenantDid', { json, place, store: DID_STORE, add: 'addDid', wrong: [] });

    it('400: another DID is another entry, and keys stay out of documents', async () => {
      const target = await place();
      const replace = async (body: object) => fieldsOf(await world.post('replaceTenantDid', target, body));
      const other = { did: 'did:web:b.example', document: { id: 'did:web:b.example' } };
      expect(await replace(other)).to.deep.equal(['/body/did']);
      expect(await replace({ ...WEB, document: { ...WEB.document, keys: [JWK] } })).to.deep.equal([
        '/body/document/keys/0/d',
      ]);
    });
  });

  describe('deleteTenantDid', () => {
    deleting('deleteTenantDid', { place: () => fresh('addDid', DID_STORE, WEB), wrong: noChild(DID_STORE, KMS) });
  });

  const credentialData = { type: ['VerifiableCredential'], credentialSubject: { id: 'did:example:holder' } };
  const credential = { type: 'vc-w3c_1_1', credentialData };
  const credentialPlace = () => fresh('addCredential', CREDENTIAL_STORE, { credential });

  describe('getTenantCredential', () => {
    it('200: as it was stored', async () => {
      expect((await at('getTenantCredential', await credentialPlace())).body).to.deep.include({ credential });
    });
    bounded('getTenantCredential', { place: credentialPlace, wrong: noChild(CREDENTIAL_STORE, KMS) });
  });

  describe('replaceTenantCredential', () => {
    const json = { credential: { type: 'vc-sd_jwt', signed: 'd.e.f~' } };
    const parts = { json, place: credentialPlace, store: CREDENTIAL_STORE, add: 'addCredential', wrong: [] };
    replacing('replaceTenantCredential', parts);
  });

  describe('deleteTenantCredential', () => {
    deleting('deleteTenantCredential', { place: credentialPlace, wrong: noChild(CREDENTIAL_STORE, KMS) });
  });

  describe('deleteTenantCredentials', () => {
    const STORE = 'acme.t1.emptied';
    before(() => world.post('createService', STORE, { type: 'credential-store' }));

    it('200: how many it deleted; what the caller may not delete stays', async () => {
      for (const name of ['a', 'b', 'c']) await world.post('addCredential', `${STORE}.${name}`, { credential });
      const { token } = await world.member([may(STORE, 'resource-delete'), mayNot(`${STORE}.b`, 'resource-delete')]);
      expect((await at('deleteTenantCredentials', STORE, token)).body).to.deep.equal({ deleted: 2 });
      expect((await at('getTenantCredential', `${STORE}.b`)).status).to.equal(200);
      for (const deleted of [1, 0])
        expect((await at('deleteTenantCredentials', STORE)).body).to.deep.equal({ deleted });
    });
    bounded('deleteTenantCredentials', { place: () => STORE, wrong: [...NOT_STORES, KMS, `${STORE}.x`] });
  });

  const args = { type: 'object', required: ['birth_date'] };
  const policy = { name: 'Adults', description: 'Old enough', policy: { policy: 'schema', args } };
  const policyPlace = () => fresh('addStoredPolicy', POLICY_STORE, policy);

  describe('addStoredPolicy', () => {
    it('201: with a name and a description; the secrets of its argument are not shown', async () => {
      const { status, body } = await world.post('addStoredPolicy', POLICY_STORE, policy);
      expect(status).to.equal(201);
      expect(body).to.deep.include({ ...policy, parent: POLICY_STORE });
      const args = { url: 'https://policy.example.org/x', bearerauth_token: 'SECRET' };
      const named = { name: 'Asks', policy: { policy: 'webhook', args } };
      const hook = await world.post('addStoredPolicy', `${POLICY_STORE}.hook`, named);
      expect(hook.status, JSON.stringify(hook.body)).to.equal(201);
      const shown = [hook.body, (await at('listStoredPolicies', POLICY_STORE)).body];
      expect(JSON.stringify([shown, world.server.lines])).not.to.contain('SECRET');
    });

    it('400: names an unknown policy, a wrong argument and one too many', async () => {
      const add = async (one: object) =>
        fieldsOf(await world.post('addStoredPolicy', `${POLICY_STORE}.bad`, { name: 'x', policy: one }));
      expect(await add({ policy: 'absent' })).to.deep.equal(['/body/policy']);
      expect(await add({ policy: 'schema', args: 5 })).to.deep.equal(['/body/policy/args']);
      expect(await add({ policy: 'signature', args: 5 })).to.deep.equal(['/body/policy/args']);
      expect(await add({})).to.deep.equal(['/body/policy/policy']);
    });

    it('409: once', async () => {
      expect((await world.post('addStoredPolicy', await policyPlace(), policy)).status).to.equal(409);
    });
    const wrong = [...NOT_STORES, KMS, `${CREDENTIAL_STORE}.x`];
    bounded('addStoredPolicy', { json: policy, place: () => `${POLICY_STORE}.new`, wrong });
  });

  const mine = {
    priority: 1,
    description: 'No degrees',
    direction: 'PRESENT',
    apply: { type: 'all' },
    check: { type: 'basic', format: 'jwt_vc_json', claims_values: { 'credentialSubject.degree.type': 'BSc' } },
    action: 'BLOCK',
  };

  describe('addNamedPolicy', () => {
    it('201: a policy of a holder, at the target or below it, as it is shown and listed', async () => {
      const places = [
        [POLICY_STORE, 'own1'],
        [POLICY_STORE, `${POLICY_STORE}.own2`],
        [`${POLICY_STORE}.own3`, 'own3'],
        [`${POLICY_STORE}.own4`, `${POLICY_STORE}.own4`],
      ] as const;
      for (const [index, [target, _id]] of places.entries()) {
        const { status, body } = await world.post('addNamedPolicy', target, { _id, policy: mine });
        expect([status, body._id, body.policy], _id).to.deep.equal([201, `${POLICY_STORE}.own${index + 1}`, mine]);
        expect((await at('getStoredPolicy', body._id)).body).to.deep.equal(body);
        expect((await at('listStoredPolicies', POLICY_STORE)).body).to.deep.include(body);
      }
      const verifying = { _id: 'old', name: 'Old', policy: { policy: 'signature' } };
      expect((await world.post('addNamedPolicy', POLICY_STORE, verifying)).status).to.equal(201);
    });

    it('400: names what is wrong', async () => {
      const add = async (changes: object, more: object = {}) =>
        fieldsOf(
          await world.post('addNamedPolicy', POLICY_STORE, { _id: 'bad', policy: { ...mine, ...changes }, ...more }),
        );
      expect(await add({}, { _id: 'other.store.bad' })).to.deep.equal(['/body/_id']);
      expect(await add({ priority: 'high' })).to.deep.equal(['/body/policy/priority']);
      expect(await add({ action: 'PERHAPS' })).to.deep.equal(['/body/policy/action']);
      expect(await add({ direction: 'BOTH' })).to.deep.equal(['/body/policy/direction']);
      expect(await add({ surprise: 1 })).to.deep.equal(['/body/policy/surprise']);
      expect(await add({ check: { type: 'regex' } })).to.deep.equal(['/body/policy/check/type']);
      expect(await add({ apply: { type: 'basic', format: 'pdf' } })).to.deep.equal(['/body/policy/apply/format']);
      expect(await add({ check: { type: 'schema', schema: { type: 'x' } } })).to.deep.equal([
        '/body/policy/check/schema',
      ]);
      expect(await add({}, { policy: { policy: 'signature' } })).to.deep.equal(['/body/name']);
    });

    it('400: no verifier runs a policy of a holder', async () => {
      const held = `${POLICY_STORE}.held`;
      expect((await world.post('addNamedPolicy', POLICY_STORE, { _id: 'held', policy: mine })).status).to.equal(201);
      const verifier = { type: 'verifier2', dependencies: [POLICY_STORE], vcPolicies: [held] };
      const { status, body } = await world.post('createService', 'acme.t1.verifying', verifier);
      expect([status, body.message]).to.deep.equal([
        400,
        `vcPolicies[0]: ${held} is a policy of holders, which verifiers do not run`,
      ]);
    });

    it('409: once', async () => {
      const again = { _id: 'again', policy: mine };
      expect((await world.post('addNamedPolicy', POLICY_STORE, again)).status).to.equal(201);
      expect((await world.post('addNamedPolicy', POLICY_STORE, again)).status).to.equal(409);
    });
    const wrong = [...NOT_STORES, KMS, `${CREDENTIAL_STORE}.x`];
    bounded('addNamedPolicy', { json: { _id: 'new', policy: mine }, place: () => `${POLICY_STORE}.new`, wrong });
  });

  describe('getStoredPolicy', () => {
    it('200: as it was stored', async () => {
      expect((await at('getStoredPolicy', await policyPlace())).body).to.deep.include(policy);
    });
    bounded('getStoredPolicy', { place: policyPlace, wrong: noChild(POLICY_STORE, KMS) });
  });

  describe('replaceStoredPolicy', () => {
    const json = { name: 'Signed', policy: { policy: 'signature' } };
    const parts = { json, place: policyPlace, store: POLICY_STORE, add: 'addStoredPolicy', wrong: [] };
    replacing('replaceStoredPolicy', parts);
  });

  describe('deleteStoredPolicy', () => {
    deleting('deleteStoredPolicy', { place: policyPlace, wrong: noChild(POLICY_STORE, KMS) });
  });
});
