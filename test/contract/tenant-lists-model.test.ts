import { expect } from 'chai';
import fc from 'fast-check';
import { systemIds } from '../../adapters/system/system.ts';
import { Access } from '../../domain/tenancy/access.ts';
import { LISTS, type List, Lists } from '../../domain/tenancy/lists.ts';
import { Principals } from '../../domain/tenancy/principals.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../domain/tenancy/resource-kinds.ts';
import { ResourceRepository } from '../../domain/tenancy/resource-repository.ts';
import { ResourceTree } from '../../domain/tenancy/resource-tree.ts';
import { childrenOf } from '../../domain/tenancy/service-types.ts';
import { openStore } from '../support/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

type ListName = keyof typeof LISTS;

/** Lists of what is no resource of the tree, with the tests of their pages. */
const OWN_SOURCES: Record<string, string> = {
  listVerificationSessions: 'test/spec/enterprise/lists.test.ts',
  tenantListIssuanceSessions: 'test/spec/enterprise/lists.test.ts',
};

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

  page(sort: Sort | undefined, offset: number, limit: number): Row[] {
    const byName = (a: Row, b: Row): number => (a.name < b.name ? -1 : 1);
    if (sort === undefined) return this.rows.toSorted(byName).slice(offset, offset + limit);
    const member = sort.replace('+', '') as 'createdDateTime' | 'updatedDateTime';
    const up = this.rows.toSorted((a, b) => a[member] - b[member]);
    return (sort.endsWith('+') ? up : up.toReversed()).slice(offset, offset + limit);
  }
}

const RUNNER = { clear: async () => undefined, mayName: () => true };

/** A list of the table on a store: its rows are children of a service, or services of a tenant. */
class Subject {
  readonly #tree: ResourceTree;
  readonly #lists: Lists;
  readonly #list: List<unknown>;
  readonly #kind: ResourceKind<object>;
  readonly #parent: string;
  #changes = 0;

  private constructor(under: StoreUnderTest, list: List<unknown>, parent: string) {
    const resources = new ResourceRepository(under.store, systemIds);
    const access = new Access(new Principals(under.store, systemIds));
    this.#tree = new ResourceTree(resources);
    const limits = { defaultLimit: 100, maxLimit: 100 };
    this.#lists = new Lists({
      access,
      tree: this.#tree,
      sources: { resources } as ConstructorParameters<typeof Lists>[0]['sources'],
      limits,
    });
    this.#list = list;
    this.#kind = childrenOf(list.serviceType ?? '')?.kind ?? RESOURCE_KINDS.resources;
    this.#parent = parent;
  }

  static async start(under: StoreUnderTest, name: ListName, run: number): Promise<Subject> {
    under.clock.time = 1_000_000;
    const principals = new Principals(under.store, systemIds);
    await principals.add('root', { superadmin: true, roles: [], profile: {} }).catch(() => undefined);
    const list: List<unknown> = LISTS[name];
    const subject = new Subject(under, list, `${name}${run}.service`);
    const add = (target: string, type: string) =>
      subject.#tree.add(RESOURCE_KINDS.resources, target, { content: { type } });
    await add(`${name}${run}`, 'organization');
    await add(`${name}${run}.service`, list.serviceType ?? 'tenant');
    return subject;
  }

  async take(step: Exclude<Step, { do: 'wait' | 'list' }>): Promise<string> {
    this.#changes += 1;
    const target = `${this.#parent}.${step.name}`;
    const content = { type: 'wallet', name: `v${this.#changes}` };
    const work = {
      create: () => this.#tree.add(this.#kind, target, { content }),
      update: () => this.#tree.change(this.#kind, target, { content }),
      delete: () => this.#tree.remove(target, RUNNER),
    }[step.do];
    return work().then(
      () => `v${this.#changes}`,
      (error) => error.code,
    );
  }

  page(sort: Sort | undefined, offset: number, limit: number): Promise<unknown[]> {
    const query = { offset: String(offset), limit: String(limit), ...(sort && { sort }) };
    const request = {
      caller: 'root',
      target: this.#parent,
      query: async <T>(read: (texts: object) => T) => read(query),
    };
    return this.#lists.page(this.#list, request);
  }
}

/** What a list shows of a row of the model: the name, and the version where it shows elements. */
const shown = (element: unknown): unknown => {
  if (typeof element === 'string') return element.split('.').at(-1);
  const { _id, name } = element as { _id: string; name: string };
  return [_id.split('.').at(-1), name];
};
const expected = (row: Row, sample: unknown): unknown =>
  typeof sample === 'string' ? row.name : [row.name, row.version];

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

for (const name of ['memory', 'SQLite', 'Redis', 'Redis Cluster'])
  describe(`The lists of tenants on ${name}`, function () {
    this.timeout(60_000);
    let under: StoreUnderTest;
    let run = 0;
    before(async () => {
      under = await openStore(name);
    });
    after(() => under.close());

    for (const list of Object.keys(LISTS) as ListName[]) {
      const { serviceType, sortable }: List<unknown> = LISTS[list];
      if (serviceType !== undefined && childrenOf(serviceType) === undefined) {
        it(`${list}: lists what is tested elsewhere`, () => expect(OWN_SOURCES).to.have.property(list));
        continue;
      }

      it(`${list}: equals the model after any steps, with equal times and clocks that step back`, () =>
        fc.assert(
          fc.asyncProperty(STEPS, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), async (steps, split) => {
            run += 1;
            const model = new Model();
            const subject = await Subject.start(under, list, run);
            const compare = async (sort: Sort | undefined, offset: number, limit: number) => {
              const page = await subject.page(sort, offset, limit);
              const rows = model.page(sort, offset, limit);
              expect(page.map(shown)).to.deep.equal(rows.map((row) => expected(row, page[0])));
            };
            for (const step of steps)
              if (step.do === 'wait') under.clock.time += step.ms;
              else if (step.do === 'list') await compare(sortable ? step.sort : undefined, step.offset, step.limit);
              else expect(await subject.take(step)).to.equal(model.take(step));
            for (const sort of [undefined, ...(sortable ? SORTS : [])]) {
              const whole = await subject.page(sort, 0, 100);
              await compare(sort, 0, 100);
              const pages: unknown[] = [];
              for (let at = 0; at < whole.length; at = pages.length)
                pages.push(...(await subject.page(sort, at, split[at % split.length] ?? 1)));
              expect(pages, 'the pages together').to.deep.equal(whole);
            }
            if (!sortable) return;
            for (const up of ['createdDateTime+', 'updatedDateTime+'] as const) {
              const rising = await subject.page(up, 0, 100);
              expect(await subject.page(up.slice(0, -1) as Sort, 0, 100)).to.deep.equal(rising.toReversed());
            }
          }),
          { numRuns: name === 'memory' ? 60 : 6 },
        ));
    }
  });
