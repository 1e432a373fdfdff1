import { expect } from 'chai';
import fc from 'fast-check';
import { LISTS } from '../../../domain/tenancy/services/lists.ts';
import { ATTESTER } from '../../actors/client-attester.ts';
import { CREDENTIAL_STORE, DID_STORE, KMS, may, mayNot, POLICY_STORE, VERIFIER } from '../../actors/tenant.ts';
import { STORE, TRUST, VICAL } from '../../actors/tenant-certificates.ts';
import { ISSUER } from '../../actors/tenant-issuer.ts';
import {
  COUNT,
  LIST_NAMES,
  type ListedTenant,
  type ListName,
  PLACES,
  SORTS,
  STATUS,
  startLists,
} from '../../actors/tenant-lists.ts';
import { operationOf } from '../../support/documents/contract.ts';
import { runs } from '../../support/runs/property-runs.ts';

describe('lists', () => {
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
    listCredentialTypes: (target) => `/v2/${target}/issuer-service-api/credential-types`,
    listIssuedCredentials: (target) => `/v2/${target}/issuer-service-api/issued`,
    listSavedChecks: (target) => `/v1/${target}/verifier2-service-api/checks/list`,
    listClientAttestations: (target) => `/v1/${target}/client-attester-api/attestations/list`,
    listStatusCredentials: (target) => `/v1/${target}/credential-status-service-api/status-credential/list`,
  };
  const idOf = (element: string | { _id: string }): string => (typeof element === 'string' ? element : element._id);
  const lastOf = (element: string | { _id: string }): string => idOf(element).split('.').at(-1) ?? '';

  /** The names of three elements that are apart from each other. */
  const someOf = (all: string[]): string[] => [8, 0, 3].map((place) => lastOf(all[place] ?? ''));

  let { world, get } = {} as ListedTenant;
  before(async () => {
    ({ world, get } = await startLists());
  });
  after(() => world.close());

  const RIGHT = ['', '?limit=1', '?limit=5', '?limit=20', '?offset=0', '?offset=9007199254740991', '?', '?&&'];

  it('rows: are at their paths', async () => {
    for (const list of LIST_NAMES) expect((await operationOf(list)).path).to.equal(PATHS[list]('{target}'));
  });

  for (const list of LIST_NAMES) {
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
            for (const limit of sizes) {
              const page = (await get(list, `?limit=${limit}&offset=${pages.length}${sort}`)).body.map(idOf);
              pages.push(...page);
              if (page.length === 0) break;
            }
            expect(pages).to.deep.equal((await get(list, `?limit=20${sort}`)).body.map(idOf));
          }),
          { numRuns: runs(4) },
        );
      });

      it('200: a caller who is denied some receives the others in full pages', async () => {
        const parent = PLACES[list];
        const all = (await get(list, '?limit=20')).body;
        const away = [...someOf(all), 'absent'];
        const { token } = await world.member([may('acme'), ...away.map((name) => mayNot(`${parent}.${name}`, action))]);
        const whole = all.filter((element: string) => !away.includes(lastOf(element)));
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
        const away = someOf((await get(list, '?limit=20')).body);
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
      const services = [
        ATTESTER,
        CREDENTIAL_STORE,
        DID_STORE,
        ISSUER,
        KMS,
        POLICY_STORE,
        STATUS,
        STORE,
        TRUST,
        VERIFIER,
        VICAL,
      ];
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
