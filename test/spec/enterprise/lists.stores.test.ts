import { expect } from 'chai';
import fc from 'fast-check';
import { LISTS } from '../../../domain/tenancy/services/lists.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import {
  CREDENTIAL_STORE,
  DID_STORE,
  type EnterpriseFixture,
  fieldsOf,
  jwkDid,
  KMS,
  may,
  mayNot,
  POLICY_STORE,
  startEnterprise,
  VERIFIER,
  withoutRequestId,
} from '../../actors/tenant.ts';
import { IACA_DATA, STORE, TRUST, VICAL } from '../../actors/tenant-certificates.ts';
import { CARDS, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

describe('lists', () => {
  type ListName = keyof typeof LISTS;
  const names = Object.keys(LISTS) as ListName[];

  const PATHS: Record<ListName, (target: string) => string> = {
    listResources: (target) => `/v1/${target}/resource-api/resources/list`,
    listKeys: (target) => `/v1/${target}/kms-service-api/keys/list`,
    listDids: (target) => `/v1/${target}/did-store-service-api/dids`,
    listDidIds: (target) => `/v1/${target}/did-store-service-api/dids/list-did-ids`,
    listCredentials: (target) => `/v1/${target}/credential-store-service-api/credentials/list`,
    listCredentialIds: (target) => `/v1/${target}/credential-store-service-api/credentials/list-ids`,
    tenantListIssuanceSessions: (target) => `/v2/${target}/issuer-service-api/sessions`,
    listStoredPolicies: (target) => `/v1/${target}/policy-store-service-api/policies/list`,
    listStoredPolicyIds: (target) => `/v1/${target}/policy-store-service-api/policies/list-ids`,
    listCertificates: (target) => `/v1/${target}/x509-store-api/certificates`,
    listCertificateIds: (target) => `/v1/${target}/x509-store-api/certificates/ids`,
    listVicalVersionIds: (target) => `/v1/${target}/vical-service-api/versions/ids`,
    listTrustedIssuers: (target) => `/v1/${target}/trust-registry-api/issuers/list`,
    listVerificationSessions: (target) => `/v1/${target}/verifier2-service-api/sessions`,
    listSavedChecks: (target) => `/v1/${target}/verifier2-service-api/checks/list`,
    listStatusCredentials: (target) => `/v1/${target}/credential-status-service-api/status-credential/list`,
  };
  const STATUS = 'acme.t1.status1';
  const PLACES: Record<ListName, string> = {
    listResources: 'acme.t2',
    listKeys: KMS,
    listDids: DID_STORE,
    listDidIds: DID_STORE,
    listCredentials: CREDENTIAL_STORE,
    listCredentialIds: CREDENTIAL_STORE,
    tenantListIssuanceSessions: ISSUER,
    listStoredPolicies: POLICY_STORE,
    listStoredPolicyIds: POLICY_STORE,
    listCertificates: STORE,
    listCertificateIds: STORE,
    listVicalVersionIds: VICAL,
    listTrustedIssuers: TRUST,
    listVerificationSessions: VERIFIER,
    listSavedChecks: VERIFIER,
    listStatusCredentials: STATUS,
  };
  const COUNT = 12;
  const idOf = (element: string | { _id: string }): string => (typeof element === 'string' ? element : element._id);
  const lastOf = (element: string | { _id: string }): string => idOf(element).split('.').at(-1) ?? '';

  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise({ pagination: { defaultLimit: 5, maxLimit: 20 } });
    await world.post('createTenant', 'acme.t2', {});
    await world.post('createService', ISSUER, { type: 'issuer2', ...CARDS });
    await world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] });
    await world.post('createService', STORE, { type: 'x509-store' });
    await world.post('createService', TRUST, { type: 'trust-registry' });
    await startLocalVical();
    for (let n = 0; n < COUNT; n += 1) {
      // The order of the names differs from the order of creation.
      const name = `e${(n * 7) % COUNT}`.padEnd(2 + (n % 2), '_');
      await world.post('createService', `acme.t2.${name}`, { type: 'kms' });
      const key = (await world.post('generateKey', `${KMS}.${name}`, {})).body;
      const did = `did:web:${name.replace('_', '-x')}.example.org`;
      await world.post('addDid', `${DID_STORE}.${name}`, { did, document: { id: did } });
      await world.post('addCredential', `${CREDENTIAL_STORE}.${name}`, { credential: { type: 'vc-w3c_1_1' } });
      await world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ sessionId: name }));
      await world.post('addStoredPolicy', `${POLICY_STORE}.${name}`, { name, policy: { policy: 'signature' } });
      const { pem: certificatePem } = makeCertificate({ subject: `CN=${name}`, keys: testKeys('P-256') });
      await world.post('addCertificate', `${STORE}.${name}`, { type: 'base', certificatePem });
      await world.post('addTrustedIssuer', `${TRUST}.${name}`, { type: 'did', issuer: did });
      await world.post('publishVical', `${VICAL}.${name}`, { vicalProvider: 'Acme' });
      await world.post('tenantCreateVerificationSession', VERIFIER, crossDevice({ sessionId: name }));
      await world.post('createSavedCheck', `${VERIFIER}.${name}`, { name, setup: crossDevice() });
      const status = { kid: key._id, issuerDid: jwkDid(key.key.jwk), config: { type: 'TokenStatusList' } };
      await world.post('createStatusCredential', `${STATUS}.${name}`, status);
      world.server.clock.advance(n % 3);
    }
  });
  after(() => world.close());

  /** A VICAL service whose key and certificate are in services of their own. */
  async function startLocalVical(): Promise<void> {
    const [kms, store, x509] = ['kms', 'store', 'x509'].map((name) => `acme.t3.${name}`) as [string, string, string];
    await world.post('createTenant', 'acme.t3', {});
    await world.post('createService', kms, { type: 'kms' });
    await world.post('createService', store, { type: 'x509-store' });
    await world.post('createService', x509, { type: 'x509-service', dependencies: [kms, store] });
    const kid = `${kms}.key1`;
    await world.post('generateKey', kid, { keyType: 'secp256r1' });
    const { body } = await world.post('createTenantIaca', x509, { kid, certificateData: IACA_DATA });
    const config = { type: 'vical-service', dependencies: [kms, store], kid, x5Chain: [body.certificate.data.pem] };
    await world.post('createService', VICAL, config);
  }

  /** Sends the query unchanged. */
  const get = (list: ListName, query = '', { target = PLACES[list], token = world.root } = {}) =>
    world.server.fetch(`${PATHS[list](target)}${query}`, { headers: { authorization: `Bearer ${token}` } });

  const RIGHT = ['', '?limit=1', '?limit=5', '?limit=20', '?offset=0', '?offset=9007199254740991', '?', '?&&'];
  /** What no whole number is written as, after the name of the parameter. */
  const NO_NUMBERS = [
    ...['=', '', '=%205', '=5%20', '=+5', '=%2B5', '=05', '=-0', '=00', '=1.0', '=1e2', '=0x10', '=5_0', '=%D9%A5'],
    ...['=-1', '=9007199254740992', '=99999999999999999999', '=abc', '=true', '=null', '=NaN', '=5%00', '=%EF%BC%95'],
  ];
  const WRONG: Record<string, string[]> = {
    '/query/limit': [...NO_NUMBERS.map((text) => `limit${text}`), 'limit=0', 'limit=21', 'limit=5&limit=5'],
    '/query/offset': [...NO_NUMBERS.map((text) => `offset${text}`), 'offset=0&offset=0'],
    '/query/offset[]': ['offset[]=1'],
    '/query/limit[]': ['limit[]=1'],
    '/query/Limit': ['Limit=1'],
    '/query/surprise': ['surprise=1'],
  };
  const SORTS = ['createdDateTime', 'createdDateTime-', 'createdDateTime%2D', 'createdDateTime%2B', 'updatedDateTime'];
  const WRONG_SORTS = ['sort=', 'sort', 'sort=createdDateTime+', 'sort=createdDateTime%20', 'sort=CREATEDDATETIME'];
  const MORE_WRONG_SORTS = [
    'sort=createddatetime',
    'sort=name',
    'sort=createdDateTime&sort=createdDateTime',
    'sort=toString',
  ];

  for (const list of names) {
    const { sortable, action } = LISTS[list];
    describe(list, () => {
      it('200: accepts every valid limit and offset', async () => {
        for (const query of RIGHT) expect((await get(list, query)).status, query).to.equal(200);
        expect((await get(list)).body).to.have.length(5);
        expect((await get(list, '?offset=12')).body).to.deep.equal([]);
      });

      it('200: property: its pages together are the whole list for any page sizes, in every order', async () => {
        const whole = (await get(list, '?limit=20')).body.map(idOf);
        expect(whole).to.have.length(COUNT);
        expect(whole).to.deep.equal(whole.toSorted((a: string, b: string) => (a < b ? -1 : 1)));
        const limits = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 12, maxLength: 12 });
        const order = fc.constantFrom('', ...(sortable ? SORTS.map((sort) => `&sort=${sort}`) : []));
        await fc.assert(
          fc.asyncProperty(limits, order, async (sizes, sort) => {
            const pages: string[] = [];
            for (const limit of sizes)
              pages.push(...(await get(list, `?limit=${limit}&offset=${pages.length}${sort}`)).body.map(idOf));
            expect(pages).to.deep.equal((await get(list, `?limit=20${sort}`)).body.map(idOf));
          }),
          { numRuns: 10 },
        );
      });

      it('200: a caller who is denied some receives the others in full pages', async () => {
        const parent = PLACES[list];
        const away = ['e3_', 'e0', 'e11', 'absent'];
        const { token } = await world.member([may('acme'), ...away.map((name) => mayNot(`${parent}.${name}`, action))]);
        const whole = (await get(list, '?limit=20')).body.filter((element: string) => !away.includes(lastOf(element)));
        expect(whole).to.have.length(COUNT - 3);
        const pages: unknown[] = [];
        for (let offset = 0; offset < whole.length; offset += 2) {
          const { body } = await get(list, `?limit=2&offset=${offset}`, { token });
          expect(body).to.have.length(Math.min(2, whole.length - offset));
          pages.push(...body);
        }
        expect(pages).to.deep.equal(whole);
        const none = await world.member([may('acme'), mayNot(`${parent}.*`, action)]);
        expect((await get(list, '', { token: none.token })).body).to.deep.equal([]);
      });

      it('400: refuses every other limit, offset and parameter, naming it', async () => {
        for (const [path, queries] of Object.entries(WRONG))
          for (const query of queries) expect(fieldsOf(await get(list, `?${query}`)), query).to.deep.equal([path]);
        expect((await get(list, '?limit=%zz')).status).to.equal(400);
      });

      it('400: reports all invalid parameters together', async () => {
        const answer = await get(list, '?limit=0&offset=x&sort=&surprise=1');
        expect(fieldsOf(answer)).to.have.members(['/query/limit', '/query/offset', '/query/sort', '/query/surprise']);
      });

      it('400: states what each parameter must be', async () => {
        const { details } = (await get(list, '?surprise=1&offset=x&limit=5&limit=5&sort=name')).body;
        const sort =
          'createdDateTime, createdDateTime-, createdDateTime+, updatedDateTime, updatedDateTime-, updatedDateTime+';
        expect(details).to.deep.equal([
          { path: '/query/limit', message: 'must be a whole number from 1 to 20, written in digits' },
          { path: '/query/offset', message: 'must be a whole number from 0, written in digits' },
          {
            path: '/query/sort',
            message: sortable ? `must be one of ${sort} (with + written as %2B)` : 'this list cannot be sorted',
          },
          { path: '/query/surprise', message: 'is not a known field' },
        ]);
      });

      it('400: refuses an unknown sort, and any sort on a list that cannot be sorted', async () => {
        const wrong = [...WRONG_SORTS, ...MORE_WRONG_SORTS, ...(sortable ? [] : SORTS.map((sort) => `sort=${sort}`))];
        for (const query of wrong) expect(fieldsOf(await get(list, `?${query}`)), query).to.deep.equal(['/query/sort']);
        const plus = await get(list, '?sort=createdDateTime+');
        if (sortable) expect(plus.body.message).to.contain('%2B');
      });

      it('400: refuses malformed targets, with any parameters', async () => {
        for (const target of ['a..b', '.a', 'a%20b', 'a.*', 'x'.repeat(129), 'a%2Fb', '%C3%A9'])
          expect(fieldsOf(await get(list, '?limit=0', { target })), target).to.deep.equal(['/path/target']);
      });

      it('401: without a login, before any other check', async () => {
        for (const token of ['', 'x', 'a.b.c'])
          expect((await get(list, '?limit=0', { target: 'a..b', token })).status).to.equal(401);
      });

      it('403: without the permission, before the parameters are validated', async () => {
        const { token } = await world.member([may('acme', 'something-else')]);
        expect((await get(list, '?limit=0', { token })).status).to.equal(403);
        expect((await get(list, '', { token, target: `${PLACES[list]}x` })).status).to.equal(403);
      });

      it('404: for a service of another type and one that does not exist, before the parameters are validated', async () => {
        const others = Object.values(PLACES).filter((place) => list !== 'listResources' && place !== PLACES[list]);
        for (const target of [...others, 'absent', 'acme.absent', `${PLACES[list]}.e0.x`])
          expect((await get(list, '?limit=0', { target })).status, target).to.equal(404);
      });

      it('404: the answers for targets of other organizations and for unknown ones are the same', async () => {
        await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
        const { token } = await world.member([may('other')], 'other');
        const target = PLACES[list];
        const foreign = await get(list, '', { token });
        const none = await get(list, '', { token, target: target.replace('acme', 'acne') });
        expect(foreign.status).to.equal(404);
        expect(JSON.stringify(withoutRequestId(foreign))).to.equal(
          JSON.stringify(withoutRequestId(none)).replace('acne', 'acme'),
        );
      });

      if (!sortable) return;
      it('200: sorts by both times, and ascending is the exact reverse of descending', async () => {
        for (const field of ['createdDateTime', 'updatedDateTime']) {
          const up = (await get(list, `?limit=20&sort=${field}%2B`)).body;
          const times = up.map((element: Record<string, string>) => element[field]);
          expect(times).to.deep.equal(times.toSorted());
          for (const down of [field, `${field}-`])
            expect((await get(list, `?limit=20&sort=${down}`)).body).to.deep.equal(up.toReversed());
        }
      });

      it('200: a caller who is denied some receives full sorted pages', async () => {
        const away = ['e3_', 'e0', 'e11'];
        const { token } = await world.member([
          may('acme'),
          ...away.map((it) => mayNot(`${PLACES[list]}.${it}`, action)),
        ]);
        for (const sort of SORTS) {
          const whole = (await get(list, `?limit=20&sort=${sort}`)).body.map(idOf);
          const visible = whole.filter((id: string) => !away.includes(lastOf(id)));
          const pages: string[] = [];
          for (let offset = 0; offset < 9; offset += 4)
            pages.push(...(await get(list, `?limit=4&offset=${offset}&sort=${sort}`, { token })).body.map(idOf));
          expect(pages, sort).to.deep.equal(visible);
        }
      });
    });
  }

  describe('listResources', () => {
    it('200: lists the records of a service only for callers with the permission', async () => {
      const keys = (await get('listKeys', '?limit=20')).body;
      expect((await get('listResources', '?limit=20', { target: KMS })).body).to.deep.equal(keys);
      expect((await get('listResources', '', { target: `${KMS}.${lastOf(keys[0])}` })).status).to.equal(404);
      const { token } = await world.member([may('acme'), mayNot(KMS, 'list-keys')]);
      expect((await get('listResources', '', { target: KMS, token })).status).to.equal(403);
      const some = await world.member([may('acme'), mayNot(`${KMS}.${lastOf(keys[0])}`, 'list-keys')]);
      expect((await get('listResources', '?limit=1', { target: KMS, token: some.token })).body).to.deep.equal([
        keys[1],
      ]);
    });

    it('200: lists the tenants of an organization and the services of a tenant, children only', async () => {
      const ids = async (target: string) => (await get('listResources', '?limit=20', { target })).body.map(idOf);
      expect(await ids('acme')).to.deep.equal(['acme.t1', 'acme.t2', 'acme.t3']);
      const services = [CREDENTIAL_STORE, DID_STORE, ISSUER, KMS, POLICY_STORE, STATUS, STORE, TRUST, VERIFIER, VICAL];
      expect(await ids('acme.t1')).to.deep.equal(services);
    });
  });

  describe('listKeys', () => {
    it('200: lists no secret of any kind of key', async () => {
      for (const keyType of ['Ed25519', 'secp256k1', 'secp256r1', 'RSA'])
        await world.post('generateKey', `acme.t2.e0.${keyType}`, { keyType });
      const { body } = await get('listKeys', '', { target: 'acme.t2.e0' });
      expect(body).to.have.length(4);
      for (const { key } of body)
        for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key.jwk).not.to.have.property(member);
    });
  });

  describe('listDidIds', () => {
    it('200: returns the last parts of the targets, with which each entry can be read', async () => {
      const [first] = (await get('listDidIds', '?limit=1')).body;
      const { body } = await world.server.call('getResource', {
        path: { target: `${DID_STORE}.${first}` },
        token: world.root,
      });
      expect(body).to.deep.equal((await get('listDids', '?limit=1')).body[0]);
    });
  });
});
