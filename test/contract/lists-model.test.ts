import { expect } from 'chai';
import fc from 'fast-check';
import type { Collection, Order } from '../../ports/store.ts';
import { runs } from '../support/runs/property-runs.ts';
import { openStore } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

type Step =
  | { do: 'create'; parent: string; id: string; lives?: number }
  | { do: 'update' | 'delete'; parent: string; id: string }
  | { do: 'list'; parent: string; order: Order; offset: number; limit: number }
  | { do: 'wait'; ms: number };

interface Row {
  parent: string;
  id: string;
  n: number;
  createdAt: number;
  updatedAt: number;
  expiresAt?: number;
}

const ORDERS: Order[] = ['id', 'created+', 'created-', 'updated+', 'updated-'];
const DATABASES = ['memory', 'SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'];

/** A model of a list. */
class Model {
  time = 1_000_000;
  rows: Row[] = [];
  #writes = 0;
  /** The time of the last write to each parent. */
  readonly #last = new Map<string, number>();

  /** The visible outcome of a step. */
  take(step: Step): unknown {
    if (step.do === 'wait') this.time += step.ms;
    this.rows = this.rows.filter(({ expiresAt = Infinity }) => expiresAt > this.time);
    if (step.do === 'wait') return undefined;
    if (step.do === 'list') return this.list(step);
    const { parent, id } = step;
    const row = this.rows.find((each) => each.parent === parent && each.id === id);
    this.#writes += 1;
    if (step.do === 'create') {
      if (row) return 'Conflict';
      const at = this.#stamp(parent);
      const times = { createdAt: at, updatedAt: at };
      const expiry = step.lives === undefined ? {} : { expiresAt: this.time + step.lives };
      this.rows.push({ parent, id, n: this.#writes, ...times, ...expiry });
      return this.#writes;
    }
    if (step.do === 'delete') this.rows = this.rows.filter((each) => each !== row);
    else if (row) Object.assign(row, { n: this.#writes, updatedAt: this.#stamp(parent) });
    return row ? this.#writes : 'nothing';
  }

  /** Each write to a parent is later than all previous ones, with any clock. */
  #stamp(parent: string): number {
    const at = Math.max(this.time, (this.#last.get(parent) ?? 0) + 1);
    this.#last.set(parent, at);
    return at;
  }

  list({ parent, order, offset, limit }: { parent: string; order: Order; offset: number; limit: number }): Row[] {
    const key = { i: () => 0, c: (row: Row) => row.createdAt, u: (row: Row) => row.updatedAt }[order.charAt(0)];
    const bytes = (a: Row, b: Row) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
    const all = this.rows.filter((row) => row.parent === parent);
    all.sort((a, b) => (key?.(a) ?? 0) - (key?.(b) ?? 0) || bytes(a, b));
    return (order.endsWith('-') ? all.toReversed() : all).slice(offset, offset + limit).map((row) => ({ ...row }));
  }
}

/** The same steps on a real store. */
class Subject {
  readonly #under: StoreUnderTest;
  #items: Collection<{ n: number }>;
  #writes = 0;

  constructor(under: StoreUnderTest, run: number) {
    this.#under = under;
    under.clock.time = 1_000_000;
    this.#items = under.store.collection({ name: `model-${run}`, listed: true, sealed: false, afterRestore: 'kept' });
  }

  async take(step: Step): Promise<unknown> {
    if (step.do === 'wait') {
      this.#under.clock.time += step.ms;
      return undefined;
    }
    if (step.do === 'list') return this.#list(step);
    this.#writes += 1;
    const key = { parent: step.parent, id: step.id };
    const value = { n: this.#writes };
    if (step.do === 'create') {
      const expiresAt = step.lives === undefined ? undefined : this.#under.clock.time + step.lives;
      return this.#items.insert({ ...key, value, expiresAt }).then(
        () => this.#writes,
        (error) => error.code,
      );
    }
    if (step.do === 'delete') return (await this.#items.remove(key)) ? this.#writes : 'nothing';
    const before = await this.#items.get(key);
    if (!before) return 'nothing';
    await this.#items.replace({ ...key, value }, before.revision);
    return this.#writes;
  }

  async #list(page: { parent: string; order: Order; offset: number; limit: number }): Promise<unknown> {
    const records = await this.#items.list(page);
    expect(await this.#items.ids(page)).to.deep.equal(records.map(({ id }) => id));
    return records.map(({ parent, id, value, createdAt, updatedAt, expiresAt }) => ({
      parent,
      id,
      n: value.n,
      createdAt,
      updatedAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    }));
  }
}

const place = {
  parent: fc.constantFrom('p', 'q'),
  id: fc.constantFrom('a', 'a1', 'B', 'b', 'é', '�', '😀'),
};

const steps = (waits: fc.Arbitrary<number>, lives: fc.Arbitrary<{ lives?: number }>): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.tuple(fc.record(place), lives).map(([at, life]) => ({ do: 'create', ...at, ...life })),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('update'), ...place }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), ...place }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: waits }) },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('list'),
          parent: place.parent,
          order: fc.constantFrom(...ORDERS),
          offset: fc.integer({ min: 0, max: 4 }),
          limit: fc.integer({ min: 0, max: 8 }),
        }),
      },
    ) as fc.Arbitrary<Step>,
    { minLength: 5, maxLength: 40 },
  );

describe('Lists on every store', () => {
  let stores: StoreUnderTest[];
  let run = 0;
  before(async () => {
    stores = await Promise.all(DATABASES.map(openStore));
  });
  after(() => Promise.all(stores.map((store) => store.close())));

  async function agree(trace: Step[]): Promise<void> {
    run += 1;
    const model = new Model();
    const subjects = stores.map((store) => new Subject(store, run));
    const whole = ORDERS.map((order): Step => ({ do: 'list', parent: 'p', order, offset: 0, limit: 100 }));
    for (const step of [...trace, ...whole]) {
      const expected = model.take(step);
      const outcomes = await Promise.all(subjects.map((subject) => subject.take(step)));
      for (const [index, outcome] of outcomes.entries()) expect(outcome, DATABASES[index]).to.deep.equal(expected);
    }
  }

  it('equal the model after any steps, with equal times and clocks that step back', () =>
    fc.assert(fc.asyncProperty(steps(fc.integer({ min: -3, max: 3 }), fc.constant({})), agree), { numRuns: runs(40) }));

  it('equal the model while records expire', () => {
    const lives = fc.option(fc.record({ lives: fc.integer({ min: 0, max: 4 }) }), { nil: {} });
    return fc.assert(fc.asyncProperty(steps(fc.integer({ min: 0, max: 3 }), lives), agree), { numRuns: runs(40) });
  });

  it('no step changes the order of the records that it does not change', () =>
    fc.assert(
      fc.asyncProperty(steps(fc.integer({ min: -3, max: 3 }), fc.constant({})), async (trace) => {
        run += 1;
        for (const [index, store] of stores.entries()) {
          const subject = new Subject(store, run);
          const items = store.store.collection({
            name: `model-${run}`,
            listed: true,
            sealed: false,
            afterRestore: 'kept',
          });
          for (const step of trace.filter((each) => each.do !== 'list')) {
            const touched = 'id' in step ? step.id : '';
            const others = async (order: Order): Promise<string[]> =>
              (await items.ids({ parent: 'p', order, offset: 0, limit: 100 })).filter((id) => id !== touched);
            const before = await Promise.all(ORDERS.map(others));
            await subject.take(step);
            expect(await Promise.all(ORDERS.map(others)), DATABASES[index]).to.deep.equal(before);
          }
        }
      }),
      { numRuns: runs(12) },
    ));
});
