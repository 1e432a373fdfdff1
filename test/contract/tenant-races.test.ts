import { expect } from 'chai';
import { crossDevice } from '../actors/openid4vp.ts';
import {
  accountRequest,
  CREDENTIAL_STORE,
  DID_STORE,
  ENTERPRISE_SETTINGS,
  type EnterpriseFixture,
  enterpriseOn,
  jwkDid,
  KMS,
  POLICY_STORE,
  VERIFIER,
} from '../actors/tenant.ts';
import {
  CERTIFIER,
  newIaca,
  newSigner,
  STORE,
  startCertificates,
  startVical,
  TRUST,
  VICAL,
} from '../actors/tenant-certificates.ts';
import { createIssuer, ISSUER, MEMBER, offerOf } from '../actors/tenant-issuer.ts';
import { contract } from '../support/documents/contract.ts';
import { inTurn } from '../support/runs/tier.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import type { Answer, Call, TestServer, TestStore } from '../support/servers/server.ts';
import { makeCertificate, testKeys } from '../support/trust/certificates.ts';
import { jsonList } from '../support/trust/trust-list-makers.ts';

const STATUS = 'acme.t1.status1';
/** RFC 8037 appendix A.1. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const { d: _, ...PUBLIC_JWK } = JWK;
const DID_SERVICE = 'acme.t1.did1';
const SIGNER = `${KMS}.signer`;
const BASE = { type: 'base', certificatePem: makeCertificate({ subject: 'CN=Raced', keys: testKeys('P-256') }).pem };
type Jwk = Parameters<typeof jwkDid>[0];

/** Calls of both instances at once. */
const AT_ONCE = 6;

/** A call of every operation that creates something under a name; the same each time. */
const CREATIONS: Record<string, (signer: Jwk) => Call> = {
  createOrganization: () => ({ json: { _id: 'raced' } }),
  registerEnterpriseAccount: () => ({ json: accountRequest('raced@example.org') }),
  createRole: () => ({ path: { target: 'acme.raced' }, json: { name: 'Raced', permissions: [] } }),
  createTenant: () => ({ path: { target: 'acme.racedtenant' }, json: {} }),
  createService: () => ({ path: { target: 'acme.t1.raced' }, json: { type: 'issuer2', dependencies: [KMS] } }),
  addDependency: () => ({ path: { target: DID_STORE }, json: { dependency: KMS } }),
  generateKey: () => ({ path: { target: `${KMS}.raced` }, json: {} }),
  importTenantKey: () => ({ path: { target: `${KMS}.imported` }, json: JWK }),
  addDid: () => ({ path: { target: DID_STORE }, json: { did: jwkDid(PUBLIC_JWK) } }),
  createServiceDid: () => ({ path: { target: DID_SERVICE, method: 'key' }, json: { keyId: `${KMS}.dids` } }),
  createTenantDid: () => ({ path: { target: DID_STORE }, json: { method: 'key', key: SIGNER } }),
  addCredential: () => ({ path: { target: `${CREDENTIAL_STORE}.raced` }, json: { credential: { type: 'vc' } } }),
  addStoredPolicy: () => ({
    path: { target: `${POLICY_STORE}.raced` },
    json: { name: 'Raced', policy: { policy: 'signature' } },
  }),
  addNamedPolicy: () => ({
    path: { target: POLICY_STORE },
    json: { _id: 'racednamed', policy: { priority: 1, action: 'BLOCK' } },
  }),
  createTenantProfile: () => ({
    path: { target: ISSUER, profileId: 'raced' },
    json: { name: 'Raced', credentialConfigurationId: 'Card', credentialData: {} },
  }),
  createCredentialType: () => ({ path: { target: ISSUER }, json: { ...MEMBER, id: 'raced' } }),
  createSavedCheck: () => ({
    path: { target: `${VERIFIER}.raced` },
    json: { name: 'Raced', setup: crossDevice() },
  }),
  createStatusCredential: (signer) => ({
    path: { target: `${STATUS}.raced` },
    json: { kid: SIGNER, issuerDid: jwkDid(signer), config: { type: 'TokenStatusList' } },
  }),
  addCertificate: () => ({ path: { target: `${STORE}.raced` }, json: BASE }),
  createTenantIaca: () => ({ path: { target: CERTIFIER }, json: newIaca('racediaca') }),
  createTenantSigner: () => ({ path: { target: CERTIFIER }, json: newSigner('racedsigner') }),
  publishVical: () => ({ path: { target: `${VICAL}.raced` }, json: { vicalProvider: 'Acme' } }),
  addTrustedIssuer: () => ({
    path: { target: `${TRUST}.raced` },
    json: { type: 'did', issuer: 'did:web:raced.example' },
  }),
  loadTrustSource: () => ({
    path: { target: TRUST },
    json: { sourceId: 'raced', acceptancePolicy: 'ALLOW_UNSIGNED', content: JSON.stringify(jsonList()) },
  }),
  tenantCreateCredentialOffer: () => ({ path: { target: ISSUER }, json: offerOf({ sessionId: 'raced' }) }),
  createHostAlias: () => ({ path: { target: 'acme.t1' }, json: { domain: 'raced.example.org' } }),
};

/** What shows the things that are no resources. */
const SHOWN: Record<string, [operationId: string, path: Record<string, string>]> = {
  createCredentialType: ['getTenantCredentialType', { target: ISSUER, typeId: 'raced' }],
};

/** A call that takes what exists as it describes it: all of the same at once succeed. */
const SERVICES: Call = {
  path: { target: 'acme.t1' },
  json: { services: { racedkms: { type: 'kms' }, raceddids: { type: 'did-store' } } },
};

describe('The creations of the tree', () => {
  it('rows: are all raced, and nothing else is', async () => {
    const creating = (await contract).operations.filter(
      ({ realm, method, responses }) =>
        realm === 'enterprise' && method === 'POST' && '201' in responses && '409' in responses,
    );
    const known = new Set([...Object.keys(CREATIONS), 'createServices']);
    expect(creating.map(({ operationId }) => operationId).filter((id) => !known.has(id))).to.deep.equal([]);
  });
});

// A single Redis does what a cluster does (collection.contract.ts), with the same client.
// One of the two each day, the other one than that of rotation.test.ts.
for (const store of inTurn(['sqlite', 'redis-cluster'] satisfies TestStore[], 1))
  describe(`Two instances on one ${store} that create the same at once`, () => {
    let instances: Instances;
    let world: EnterpriseFixture;
    let signer: Jwk;
    before(async () => {
      instances = await startInstances({ store, settings: ENTERPRISE_SETTINGS });
      world = await enterpriseOn(instances.servers[0]);
      await world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] });
      await world.post('createService', DID_SERVICE, { type: 'did-service', dependencies: [KMS, DID_STORE] });
      await world.post('generateKey', `${KMS}.dids`, { keyType: 'Ed25519' });
      await startCertificates(world);
      await startVical(world);
      await createIssuer(world);
      signer = (await world.server.call('getResource', { path: { target: SIGNER }, token: world.root })).body.key.jwk;
    });
    after(() => instances.close());

    const calls = (count: number, call: (server: TestServer) => Promise<Answer>): Promise<Answer[]> =>
      Promise.all(Array.from({ length: count }, (_, n) => call(instances.servers[n % 2 === 0 ? 0 : 1])));
    const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort((a, b) => a - b);

    for (const [operationId, callOf] of Object.entries(CREATIONS))
      it(`${operationId}: exactly one succeeds, and both instances show what it made`, async () => {
        const call = { ...callOf(signer), token: world.root };
        const answers = await calls(AT_ONCE, (server) => server.call(operationId, call));
        const [won, ...lost] = statuses(answers);
        expect(won, JSON.stringify(answers[0]?.body)).to.be.within(200, 201);
        expect(lost).to.deep.equal(Array(AT_ONCE - 1).fill(409));
        const made = answers.find(({ status }) => status === won)?.body;
        if (typeof made?.createdDateTime !== 'string' || typeof made._id !== 'string') return;
        const [shows, path] = SHOWN[operationId] ?? ['getResource', { target: made._id }];
        for (const server of instances.servers)
          expect((await server.call(shows, { path, token: world.root })).body).to.deep.equal(made);
      });

    it('createServices: each service is made once, and every call returns it', async () => {
      const call = { ...SERVICES, token: world.root };
      const answers = await calls(12, (server) => server.call('createServices', call));
      expect(statuses(answers), JSON.stringify(answers.map(({ body }) => body))).to.deep.equal(Array(12).fill(201));
      for (const { body } of answers) expect(body).to.deep.equal(answers[0]?.body);
      for (const made of answers[0]?.body ?? [])
        for (const server of instances.servers)
          expect(
            (await server.call('getResource', { path: { target: made._id }, token: world.root })).body,
          ).to.deep.equal(made);
    });

    it('createServices: of calls with two bodies those with one succeed, and the others name what differs', async () => {
      for (let round = 0; round < 2; round += 1) {
        const [one, two] = [`left${round}`, `right${round}`];
        const bodies = [
          { [one]: { type: 'kms' }, [two]: { type: 'kms' } },
          { [two]: { type: 'did-store' }, [one]: { type: 'kms' } },
        ];
        const send = (server: TestServer, services: object) =>
          server.call('createServices', { path: { target: 'acme.t1' }, json: { services }, token: world.root });
        let count = 0;
        await calls(8, (server) => send(server, bodies[Math.floor(count++ / 2) % 2] as object));
        const [first, second] = await Promise.all(
          bodies.map((services) => settled(() => send(world.server, services))),
        );
        expect([first?.status, second?.status].sort(), JSON.stringify([first, second])).to.deep.equal([201, 409]);
        const [won, lost] = first?.status === 201 ? [first, second] : [second, first];
        expect(lost?.body.details.map(({ path }: { path: string }) => path)).to.deep.equal([
          `/body/services/${two}/type`,
        ]);
        for (const made of won?.body ?? [])
          expect(
            (await world.server.call('deleteResource', { path: { target: made._id }, token: world.root })).status,
          ).to.equal(204);
      }
    });

    /** Sends again what another call was in the way of. */
    async function settled(send: () => Promise<Answer>): Promise<Answer> {
      for (;;) {
        const answer = await send();
        if (answer.status !== 503) return answer;
        expect(answer.headers.get('retry-after')).to.equal('1');
      }
    }

    it('deleting a service and depending on it: exactly one succeeds', async () => {
      for (let round = 0; round < 4; round += 1) {
        const [used, user] = [`acme.t1.used${round}`, `acme.t1.user${round}`];
        await world.post('createService', used, { type: 'kms' });
        await world.post('createService', user, { type: 'issuer2' });
        const [one, other] = instances.servers;
        const [removed, added] = await Promise.all([
          one.call('deleteResource', { path: { target: used }, token: world.root }),
          other.call('addDependency', { path: { target: user }, json: { dependency: used }, token: world.root }),
        ]);
        expect([removed.status === 204, added.status === 200].filter(Boolean)).to.have.length(1);
        const { body } = await one.call('listDependencies', { path: { target: user }, token: world.root });
        expect(body).to.deep.equal(added.status === 200 ? [used] : []);
      }
    });

    it('a configuration that is replaced many times at once is one of them', async () => {
      await world.post('createService', 'acme.t1.replaced', { type: 'wallet2', name: 'none' });
      let count = 0;
      const replaced = await calls(20, (server) => {
        count += 1;
        const json = { type: 'wallet2', name: `n${count}`, dependencies: count % 3 === 0 ? [KMS] : [] };
        return server.call('updateService', { path: { target: 'acme.t1.replaced' }, json, token: world.root });
      });
      expect(statuses(replaced)).to.deep.equal(Array(20).fill(200));
      const path = { target: 'acme.t1.replaced' };
      const { body } = await world.server.call('getResource', { path, token: world.root });
      expect(replaced.map((answer) => answer.body)).to.deep.include(body);
    });

    // The last one, since logins end while its clocks go on.
    it('getTenantCrl and revokeTenantCertificate: one list at a time, with all that were revoked', async () => {
      const { crlDistributionPointUri: _, ...certificateData } = newSigner('').certificateData;
      const revoked: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const made = await world.post(
          'createTenantSigner',
          CERTIFIER,
          newSigner(`listed${round}`, { certificateData }),
        );
        revoked.push(made.body.certificate._id);
      }
      const revoking = revoked.map((certificate) => ({ certificate, iaca: `${STORE}.iaca1` }));
      let next = 0;
      const answers = await calls(revoked.length, (server) =>
        server.call('revokeTenantCertificate', {
          path: { target: CERTIFIER },
          json: revoking[next++],
          token: world.root,
        }),
      );
      expect(statuses(answers)).to.deep.equal([200, 200, 200]);
      const { crl } = answers[0]?.body ?? {};
      instances.servers.forEach(({ clock }) => void clock.advance(25 * 3_600_000));
      const lists = await calls(12, async (server) => {
        const answer = await fetch(server.url + new URL(crl).pathname);
        return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('hex') } as Answer;
      });
      expect(new Set(lists.map(({ status, body }) => `${status} ${body}`)).size).to.equal(1);
      for (const { body } of answers) expect(lists[0]?.body).to.include(body.serialNumber);
    });
  });
