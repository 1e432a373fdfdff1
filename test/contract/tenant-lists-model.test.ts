import { expect } from 'chai';
import fc from 'fast-check';
import { systemIds } from '../../adapters/system/system.ts';
import { Access } from '../../domain/tenancy/access/access.ts';
import { Principals } from '../../domain/tenancy/access/principals.ts';
import { LISTS, type List, Lists } from '../../domain/tenancy/services/lists.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../domain/tenancy/tree/resource-kinds.ts';
import { ResourceRepository } from '../../domain/tenancy/tree/resource-repository.ts';
import { ResourceTree } from '../../domain/tenancy/tree/resource-tree.ts';
import { childrenOf } from '../../domain/tenancy/tree/service-types.ts';
import { runs } from '../support/runs/property-runs.ts';
import { type ChangedRows, issuanceRows, verificationRows } from '../support/stores/session-rows.ts';
import { openStore } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

type ListName = keyof typeof LISTS;

/** Lists whose rows are not written one by one here; test/contract/issued-records.test.ts has the other one. */
const UNCHANGED: readonly ListName[] = ['listCredentialTypes', 'listIssuedCredentials', 'listClientAttestations'];

/** The source of a list that is not of this test. */
const NONE = { page: async () => [] };

type Step =
  | { do: 'create' | 'update' | 'delete'; name: string }
  | { do: 'wait'; ms: number }
  | { do: 'list'; sort?: Sort; offset: number; limit: number };

const SORTS = ['createdDateTime', 'createdDateTime+', 'updatedDateTime', 'updatedDateTime+'] as const;
type Sort = (typeof SORTS)[number];

/** An element as the model has it; its times are those of a clock that counts the changes. */
interface Row {
  name: string;
  version: string;
  createdDateTime: number;
  updatedDateTime: number;
}

/** A list in memory. */
class Model {
  rows: Row[] = [];
  #changes = 0;

  take(step: Exclude<Step, { do: 'wait' | 'list' }>): string {
    this.#changes += 1;
    const { name } = step;
    const row = this.rows.find((each) => each.name === name);
    if (step.do === 'create' && row) return 'Conflict';
    if (step.do !== 'create' && !row) return 'NotFound';
    const changed = { version: `v${this.#changes}`, updatedDateTime: this.#changes };
    if (step.do === 'create') this.rows.push({ name, createdDateTime: this.#changes, ...changed });
    else if (step.do === 'delete') this.rows = this.rows.filter((each) => each !== row);
    else Object.assign(row ?? {}, changed);
    return `v${this.#changes}`;
  }

  page(caller: Caller, sort: Sort | undefined, { offset, limit }: { offset: number; limit: number }): Row[] {
    const visible = this.rows.filter(({ name }) => caller === 'root' || !HIDDEN.includes(name));
    const byName = (a: Row, b: Row): number => (a.name < b.name ? -1 : 1);
    if (sort === undefined) return visible.toSorted(byName).slice(offset, offset + limit);
    const member = sort.replace('+', '') as 'createdDateTime' | 'updatedDateTime';
    const up = visible.toSorted((a, b) => a[member] - b[member]);
    return (sort.endsWith('+') ? up : up.toReversed()).slice(offset, offset + limit);
  }
}

const RUNNER = { clear: async () => undefined, mayName: () => true };

/** What the caller who does not see all rows does not see. */
const HIDDEN = ['a1', '0'];
const CALLERS = ['root', 'member'] as const;
type Caller = (typeof CALLERS)[number];

/** A list of the table on a store: its rows are children of a service, services of a tenant, or sessions. */
class Subject {
  readonly #lists: Lists;
  readonly #access: Access;
  readonly #list: List<unknown>;
  readonly #parent: string;
  readonly #rows: ChangedRows;
  #changes = 0;

  private constructor(parts: { lists: Lists; access: Access; list: List<unknown>; parent: string; rows: ChangedRows }) {
    this.#lists = parts.lists;
    this.#access = parts.access;
    this.#list = parts.list;
    this.#parent = parts.parent;
    this.#rows = parts.rows;
  }

  static async start({ store, clock }: StoreUnderTest, name: ListName, run: number): Promise<Subject> {
    clock.time = 1_000_000;
    const list: List<unknown> = LISTS[name];
    const principals = new Principals(store, systemIds);
    const access = new Access(principals);
    const resources = new ResourceRepository(store, systemIds);
    const tree = new ResourceTree(resources);
    const parent = `${name}${run}.service`;
    const add = (target: string, type: string) =>
      tree.add(RESOURCE_KINDS.resources, target, { content: { type }, secret: { type } });
    await add(`${name}${run}`, 'organization');
    await add(parent, list.serviceType ?? 'tenant');
    await addCallers(principals, { parent, role: `${name}${run}.role` });
    const sessions = { store, clock: { now: () => clock.time }, tree };
    const [verification, issuance] = [verificationRows(sessions), issuanceRows(sessions)];
    const ofSessionsOnly = { issuanceSessions: issuance.source, verificationSessions: verification.source };
    const others = { credentialTypes: NONE, issuedCredentials: NONE, clientAttestations: NONE };
    const sources = { resources, ...ofSessionsOnly, ...others };
    const lists = new Lists({ tree, sources, limits: { defaultLimit: 100, maxLimit: 100 } });
    const kind = childrenOf(list.serviceType ?? '')?.kind ?? RESOURCE_KINDS.resources;
    const ofSessions: Partial<Record<ListName, ChangedRows>> = {
      listVerificationSessions: verification.rows,
      tenantListIssuanceSessions: issuance.rows,
    };
    const rows = ofSessions[name] ?? treeRows(tree, kind);
    return new Subject({ lists, access, list, parent, rows });
  }

  async take(step: Exclude<Step, { do: 'wait' | 'list' }>): Promise<string> {
    this.#changes += 1;
    const change = { create: 'add', update: 'change', delete: 'remove' } as const;
    const target = `${this.#parent}.${step.name}`;
    return this.#rows[change[step.do]](target, `v${this.#changes}`).then(
      () => `v${this.#changes}`,
      (error) => error.code,
    );
  }

  async page(caller: Caller, sort: Sort | undefined, { offset, limit }: { offset: number; limit: number }) {
    const account = caller === 'root' ? 'root' : `${caller} ${this.#parent}`;
    const query = { offset: String(offset), limit: String(limit), ...(sort && { sort }) };
    const request = {
      rights: await this.#access.require(account, [this.#list.action], this.#parent),
      target: this.#parent,
      query: async <T>(read: (texts: object) => T) => read(query),
    };
    return this.#lists.page(this.#list, request);
  }
}

/** The rows of a list of resources. */
const treeRows = (tree: ResourceTree, kind: ResourceKind<object>): ChangedRows => ({
  add: (target, name) => tree.add(kind, target, { content: { type: 'wallet2', name } }),
  change: (target, name) => tree.change(kind, target, { content: { type: 'wallet2', name } }),
  remove: (target) => tree.remove(target, RUNNER),
});

/** Adds a caller who sees everything, and one who does not see some rows. */
async function addCallers(principals: Principals, { parent, role }: { parent: string; role: string }): Promise<void> {
  await principals.add('root', { superadmin: true, roles: [], profile: {} }).catch(() => undefined);
  const hidden = HIDDEN.map((name) => ({ target: `${parent}.${name}`, action: 'all', operation: 'REMOVE' as const }));
  const permissions = [{ target: parent, action: 'all', operation: 'ADD' as const }, ...hidden];
  await principals.addRole(role, { name: 'Role', permissions });
  await principals.add(`member ${parent}`, { superadmin: false, roles: [], profile: {} });
  await principals.assign(`member ${parent}`, role);
}

/** What a list shows of a row of the model: the name, and the version where its elements have one. */
const shown = (element: unknown): unknown => {
  if (typeof element === 'string') return element.split('.').at(-1);
  const { _id, name } = element as { _id: string; name?: string };
  return name === undefined ? _id.split('.').at(-1) : [_id.split('.').at(-1), name];
};
const expected = (row: Row, sample: unknown): unknown =>
  Array.isArray(shown(sample)) ? [row.name, row.version] : row.name;

const names = fc.constantFrom('a', 'a1', 'B', 'b', '_', '-', '0', 'z');
const STEPS = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('create'), name: names }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('update', 'delete'), name: names }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.integer({ min: -3, max: 3 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('list'),
        sort: fc.option(fc.constantFrom(...SORTS), { nil: undefined }),
        offset: fc.nat(9),
        limit: fc.integer({ min: 1, max: 9 }),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 8, maxLength: 30 },
);

for (const name of ['memory', 'SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'])
  describe(`The lists of tenants on ${name}`, () => {
    let under: StoreUnderTest;
    let run = 0;
    before(async () => {
      under = await openStore(name);
    });
    after(() => under.close());

    // Credential types are one record, whose pages are the same on every store.
    for (const list of (Object.keys(LISTS) as ListName[]).filter((name) => !UNCHANGED.includes(name))) {
      const { sortable }: List<unknown> = LISTS[list];
      it(`${list}: equals the model after any steps, with equal times and clocks that step back`, () =>
        fc.assert(
          fc.asyncProperty(STEPS, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), async (steps, split) => {
            run += 1;
            const model = new Model();
            const subject = await Subject.start(under, list, run);
            const compare = async (sort: Sort | undefined, at: { offset: number; limit: number }) => {
              for (const caller of CALLERS) {
                const page = await subject.page(caller, sort, at);
                const rows = model.page(caller, sort, at);
                expect(page.map(shown)).to.deep.equal(rows.map((row) => expected(row, page[0])));
              }
            };
            for (const step of steps)
              if (step.do === 'wait') under.clock.time += step.ms;
              else if (step.do === 'list') await compare(sortable ? step.sort : undefined, step);
              else expect(await subject.take(step)).to.equal(model.take(step));
            const all = { offset: 0, limit: 100 };
            for (const sort of [undefined, ...(sortable ? SORTS : [])]) {
              await compare(sort, all);
              const whole = await subject.page('member', sort, all);
              const pages: unknown[] = [];
              for (let offset = 0; offset < whole.length; offset = pages.length)
                pages.push(
                  ...(await subject.page('member', sort, { offset, limit: split[offset % split.length] ?? 1 })),
                );
              expect(pages, 'the pages together').to.deep.equal(whole);
            }
            if (!sortable) return;
            for (const up of ['createdDateTime+', 'updatedDateTime+'] as const) {
              const rising = await subject.page('root', up, all);
              expect(await subject.page('root', up.slice(0, -1) as Sort, all)).to.deep.equal(rising.toReversed());
            }
          }),
          { numRuns: runs(name === 'memory' ? 40 : 2) },
        ));
    }
  });
