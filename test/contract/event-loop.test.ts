import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Dispatcher, request } from 'undici';
import type { Operation } from '../../adapters/http/messages/document.ts';
import { onboard } from '../../demo/actors/issuer.ts';
import { type AuditEvent, linked, ZERO_HASH } from '../../domain/tenancy/audit/audit-event.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../domain/tenancy/tree/resource-kinds.ts';
import type { Store } from '../../ports/store.ts';
import { attest, createAttester } from '../actors/client-attester.ts';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import {
  accountRequest,
  CREDENTIAL_STORE,
  DID_STORE,
  type EnterpriseFixture,
  KMS,
  may,
  POLICY_STORE,
  VERIFIER,
} from '../actors/tenant.ts';
import { ISSUER, offerOf, startIssuer } from '../actors/tenant-issuer.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import { contract, operationOf } from '../support/documents/contract.ts';
import { longestHold } from '../support/runs/cpu.ts';
import { inTurn } from '../support/runs/tier.ts';
import type { Answer, Call } from '../support/servers/server.ts';
import { LAST, NO_LISTS, PAGE, RECORDS, ROWS, type Row } from '../support/stores/list-calls.ts';
import { ManyRecords, type Seed } from '../support/stores/many-records.ts';

const LONGEST_MS = 100;
/** A collection of garbage may fall into one try. */
const TRIES = 3;

const numbers = (count: number, before = ''): string[] => Array.from({ length: count }, (_, n) => `${before}${n}`);
const ENDS = [...numbers(PAGE, 'a-'), ...numbers(2 * LAST, 'z-')];
const PAGES: Pick<Seed, 'ids' | 'between'> = { ids: ENDS, between: RECORDS - PAGE - 2 * LAST };

const child = ({ name, sealed }: ResourceKind<object, unknown>, parent: string, content: object): Seed => ({
  collection: name,
  spec: { name, listed: true, sealed, afterRestore: 'kept' },
  parent,
  value: { content },
  ...PAGES,
});
const service = (type: string): Seed => {
  const name = type.replaceAll('-', '');
  return { collection: 'enterprise-resources', parent: 'acme.t1', ids: [name], value: { content: { type, name } } };
};

/** The records of the tenant. */
const OF_TENANT: Seed[] = [
  ...['x509-store', 'vical-service', 'trust-registry', 'credential-status'].map(service),
  child(RESOURCE_KINDS.resources, 'acme.t1', { type: 'tenant' }),
  child(RESOURCE_KINDS.resources, '', { type: 'organization', profile: {} }),
  child(RESOURCE_KINDS.keys, KMS, { type: 'key', key: { type: 'jwk', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' } } }),
  child(RESOURCE_KINDS.dids, DID_STORE, { did: 'did:web:issuer.example.org', document: { id: 'did:web:a.example' } }),
  child(RESOURCE_KINDS.credentials, CREDENTIAL_STORE, { credential: { type: 'vc-w3c_1_1', credentialData: {} } }),
  child(RESOURCE_KINDS.certificates, 'acme.t1.x509store', { data: { type: 'base', pem: '' } }),
  child(RESOURCE_KINDS.vicalVersions, 'acme.t1.vicalservice', { vicalProvider: 'A', entryCount: 1 }),
  child(RESOURCE_KINDS.trustedIssuers, 'acme.t1.trustregistry', { type: 'did', issuer: 'did:web:a.example' }),
  child(RESOURCE_KINDS.policies, POLICY_STORE, { name: 'Adults', policy: { policy: 'signature' } }),
  child(RESOURCE_KINDS.checks, VERIFIER, { setup: {} }),
  child(RESOURCE_KINDS.statusCredentials, 'acme.t1.credentialstatus', { kid: `${KMS}.key1`, listId: 'a' }),
];
/** Those that are copies of the last record that the server wrote. */
const COPIES: Seed[] = [
  ...[
    'issuance-sessions',
    'client-attestations',
    'presentation-sessions',
    'enterprise-accounts',
    'enterprise-roles',
    'enterprise-role-members',
    'api-key-list',
    'invitations',
    'host-aliases',
    'did-registry',
    'status-lists-of-targets',
    'issued-status-names',
  ].map((collection) => ({ collection, ...PAGES })),
  { collection: 'enterprise-principals', ids: ENDS },
  {
    collection: 'issued-status-entries',
    ...PAGES,
    ids: [...numbers(10 * PAGE, '100').slice(-PAGE), ...numbers(2 * LAST, 'z')],
  },
  // As many as one search looks through; their ids say when they were issued.
  ...['issued-records', 'issued-record-index'].map((collection) => ({
    collection,
    ids: numbers(5000, '5000000000000-'),
  })),
  { collection: 'wallet-keys', ids: numbers(1000 - 1) },
  { collection: 'wallet-dids', ids: numbers(1000 - 2, 'did:web:a.example:') },
  { collection: 'wallet-issuers', ids: numbers(200 - 1) },
  { collection: 'wallet-credentials', ids: numbers(10_000 - 1) },
  { collection: 'wallet-activity', ids: numbers(10_000) },
];

interface Schema {
  type?: string;
  oneOf?: Schema[];
}

const isList = ({ type, oneOf = [] }: Schema): boolean => type === 'array' || oneOf.some(isList);
const queryOf = ({ parameters }: Operation): string[] =>
  parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));

/** Whether an operation answers a list or pages, or is named as those that read many records. */
function readsMany(operation: Operation): boolean {
  const { operationId, mounted = operationId, method, responses } = operation;
  if (/^(list|find|search|query|check|export|match|describe)[A-Z]/.test(mounted)) return true;
  const media = Object.values(responses[200]?.content ?? {}) as { schema?: Schema }[];
  return method === 'GET' && (queryOf(operation).includes('limit') || media.some(({ schema = {} }) => isList(schema)));
}

/** The queries of a row: those of the first and the last page, of each order, and its own. */
function queriesOf(operation: Operation, { queries = [] }: Row): string[] {
  const parameters = queryOf(operation);
  const pages = [`limit=${PAGE}`, `limit=${LAST}&offset=${RECORDS - LAST - 10}`];
  const sorted = parameters.includes('sort') ? [`limit=${PAGE}&sort=createdDateTime-`] : [];
  // What is found by a name has no list without one.
  const own = parameters.includes('offset') && operation.operationId !== 'findStatusEntries' ? pages : [];
  const all = [...own, ...sorted, ...queries];
  return all.length > 0 ? all : [''];
}

describe('the operations that read many records', () => {
  it('rows: are measured, for every list, check, filter and export of the documents, with every filter', async () => {
    const { operations } = await contract;
    const many = operations.filter(readsMany);
    const unknown = many.flatMap((operation) => {
      const names = [operation.operationId, operation.mounted ?? ''];
      const mounts = operations.filter(({ mounted }) => mounted === operation.operationId);
      const known = [...names, ...mounts.map(({ operationId }) => operationId)];
      return known.some((name) => name in ROWS || name in NO_LISTS) ? [] : [operation.operationId];
    });
    expect(unknown, 'neither measured nor without a list').to.deep.equal([]);
    const ids = new Set(many.map(({ operationId }) => operationId));
    expect(Object.keys({ ...ROWS, ...NO_LISTS }).filter((name) => !ids.has(name))).to.deep.equal([]);
    expect(Object.keys(ROWS).filter((name) => name in NO_LISTS)).to.deep.equal([]);
    for (const [name, row] of Object.entries(ROWS)) {
      const operation = await operationOf(name);
      const sent = new Set(queriesOf(operation, row).flatMap((query) => [...new URLSearchParams(query).keys()]));
      expect(
        queryOf(operation).filter((parameter) => !sent.has(parameter)),
        name,
      ).to.deep.equal([]);
    }
  });
});

describe('the event loop over stored records', () => {
  let folder: string;
  let world: EnterpriseFixture;
  let user: WalletUser;
  let listId: string;
  let link: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-loop-'));
    const records = new ManyRecords(folder);
    world = await startIssuer({}, { store: 'sqlite', dataDir: folder, wrapStore: (store) => records.wrap(store) });
    await writeOneOfEach();
    await records.fill(world.server, [...OF_TENANT, ...COPIES], writeEvents);
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const done = async (operationId: string, call: Call): Promise<Answer['body']> => {
    const { status, body } = await world.server.call(operationId, { token: world.root, ...call });
    expect(status, `${operationId}: ${JSON.stringify(body)}`).to.be.below(300);
    return body;
  };

  /** The records that are copied. */
  async function writeOneOfEach(): Promise<void> {
    const { server } = world;
    const acme = { target: 'acme' };
    await done('createRole', { path: { target: 'acme.guests' }, json: { name: 'Guests', permissions: [] } });
    const { _id: accountId } = await done('registerEnterpriseAccount', { json: accountRequest('guest@example.org') });
    await done('assignRole', { path: { accountId, org: 'acme', roleId: 'guests' } });
    await done('createApiKey', { path: acme, json: { name: 'CI', permissions: [may('acme')] } });
    await done('createInvitation', { path: acme, json: { email: 'a@example.org', role: 'acme.guests' } });
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    ({ listId } = await done('createStatusList', { json: { ...issuer, type: 'TokenStatusList' } }));
    await done('allocateStatusEntry', { path: { listId }, json: { session: 's' } });
    user = await newWalletUser(server);
    await user.call('createWalletDid', { path: { method: 'web' }, query: {} });
    await user.call('addWalletIssuer', {
      json: { name: 'One', description: '', uiEndpoint: '', configurationEndpoint: `${server.url}/issuer` },
    });
    const offer = { path: { target: ISSUER }, json: offerOf({ expiresInSeconds: -1 }) };
    const { credentialOffer } = await done('tenantCreateCredentialOffer', offer);
    const accepted = await user.call('acceptCredentialOffer', { text: credentialOffer });
    expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
    link = (await (await Openid4vp.with(server)).create()).bootstrapAuthorizationRequestUrl;
    await done('tenantCreateVerificationSession', {
      path: { target: VERIFIER },
      json: crossDevice({ sessionId: 'known' }),
    });
    await createAttester(world, {}, 'acme.t1.clientattester');
    await attest(world, { target: 'acme.t1.clientattester' });
    // Last, since the links of the organization then lead to its domain.
    await done('createHostAlias', { path: acme, json: { domain: 'tenant.example.org' } });
  }

  /** The recorded calls of the organization and of the installation, linked as the server links them. */
  async function writeEvents(store: Pick<Store, 'collection'>): Promise<void> {
    const spec = { name: 'audit-events', listed: true, sealed: true, afterRestore: 'kept' } as const;
    const events = store.collection<AuditEvent>(spec);
    for (const [parent, count] of Object.entries({ acme: RECORDS, '': PAGE })) {
      const [last] = await events.list({ parent, order: 'id-', offset: 0, limit: 1 });
      let end = last?.value ?? { sequence: 0, hash: ZERO_HASH, time: '' };
      for (let n = 0; n < count; n += 1) {
        const event = linked(end, FACTS, world.server.clock.now());
        await events.insert({ parent, id: String(event.sequence).padStart(16, '0'), value: event });
        end = event;
      }
    }
  }

  /** The longest time in milliseconds for which a call keeps all other work waiting: the least of several tries. */
  async function holdOf(operation: Operation, { target = '', json, text }: Row, query: string): Promise<number> {
    const { method, path } = operation;
    const isOfWallet = path.includes('{wallet}');
    const places = { target, listId, wallet: user.wallet };
    const url = Object.entries(places).reduce((whole, [name, value]) => whole.replace(`{${name}}`, value), path);
    const body = json === undefined ? text && link : JSON.stringify(json);
    const headers = {
      authorization: `Bearer ${isOfWallet ? user.token : world.root}`,
      ...(body !== undefined && { 'content-type': json === undefined ? 'text/plain' : 'application/json' }),
    };
    const isFull = queryOf(operation).includes('offset');
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > LONGEST_MS; tries += 1) {
      let status = 0;
      const chunks: Buffer[] = [];
      const hold = await longestHold(async () => {
        const sent = { method: method as Dispatcher.HttpMethod, headers, body };
        const answer = await request(`${world.server.url}${url}?${query}`, sent);
        status = answer.statusCode;
        for await (const chunk of answer.body) chunks.push(chunk);
      });
      const text = String(Buffer.concat(chunks));
      expect(status, `${url}?${query}: ${text.slice(0, 1000)}`).to.equal(200);
      if (query === `limit=${PAGE}` && isFull) expect(JSON.parse(text).below ?? JSON.parse(text)).to.have.length(PAGE);
      least = Math.min(least, hold);
    }
    return least;
  }

  for (const [turn, [operationId, row]] of Object.entries(ROWS).entries())
    it(`${operationId} leaves other work its turn`, async () => {
      const operation = await operationOf(operationId);
      for (const query of inTurn(queriesOf(operation, row), turn, 3))
        expect(await holdOf(operation, row, query), query).to.be.at.most(LONGEST_MS);
    });
});

const FACTS = {
  outcome: 'succeeded',
  status: 201,
  action: 'generateKey',
  target: 'acme.t1',
  parameters: {},
  account: 'a1',
  source: '192.0.2.7',
  requestId: 'r1',
} as const;
