import { expect } from 'chai';
import fc from 'fast-check';
import { strictCsv } from '../../../adapters/csv/csv-tables.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemIds } from '../../../adapters/system/system.ts';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { AttributeTables } from '../../../domain/issuer/attributes/attribute-tables.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { until } from '../../support/runs/waiting.ts';

const OWNER = { target: 'acme.t1.issuer1' };
const PEOPLE = 'case,name\r\n7,Ada\r\n8,"Hopper, ""Grace"""\r\n';

/** Tables on a store whose rows a test can hold up, count and fail. */
class Trial {
  now = 1000;
  failing = false;
  gate: Promise<unknown> = Promise.resolve();
  /** How many rows came to the gate. */
  waiting = 0;
  readonly rows = new Set<string>();
  readonly tables: AttributeTables;

  constructor() {
    const clock = { now: () => this.now };
    const inner = new MemoryStore(clock);
    const store = Object.assign(Object.create(inner) as Store, {
      collection: <T>(spec: CollectionSpec<T>) => this.#watched(inner.collection(spec), spec.name),
    });
    this.tables = new AttributeTables({
      store,
      clock,
      timers: { every: () => () => {} } as never,
      ids: systemIds,
      csv: strictCsv,
      turns: { next: setImmediate },
    });
  }

  replace(csv: string, keyColumn?: string) {
    return this.tables.replace(OWNER, 'people', { csv, keyColumn });
  }

  find(key: string) {
    return this.tables.find(OWNER, 'people', key);
  }

  #watched<T>(inner: Collection<T>, name: string): Collection<T> {
    if (name !== 'attribute-rows') return inner;
    return Object.assign(Object.create(inner) as Collection<T>, {
      insert: async (record: Parameters<Collection<T>['insert']>[0]) => {
        this.waiting += 1;
        await this.gate;
        if (this.failing) throw new Error('The disk is full');
        this.rows.add(record.id);
        return inner.insert(record);
      },
      get: inner.get.bind(inner),
      remove: (key: { id: string }) => {
        this.rows.delete(key.id);
        return inner.remove(key);
      },
    });
  }
}

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => error.code ?? error.message,
  );

describe('tables of attributes', () => {
  it('find each key in its row and no other, in tables of any size and text', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 40 });
    const people = fc.uniqueArray(fc.tuple(cell, cell, cell), { selector: ([key]) => key, maxLength: 60 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const check = fc.asyncProperty(people, cell, fc.nat(3000), async (all, other, padding) => {
      const rows = all.filter(([key]) => key !== '');
      const trial = new Trial();
      const lines = [['name', 'case', 'note'], ...rows.map(([key, name, note]) => [name, key, note])];
      const csv = lines.map((line) => line.map(quoted).join(',')).join('\r\n');
      const pad = `\r\n"${'x'.repeat(padding)}","the last one",""`;
      expect(await trial.replace(csv + pad, 'case')).to.include({ rows: rows.length + 1, keyColumn: 'case' });
      for (const [key, name, note] of rows) {
        const said = Object.entries({ name, case: key, note }).filter(([, text]) => text !== '');
        expect(await trial.find(key)).to.deep.equal({ kind: 'attributes', attributes: Object.fromEntries(said) });
      }
      if (!rows.some(([key]) => key === other) && other !== 'the last one')
        expect(await trial.find(other)).to.deep.equal({ kind: 'unknown' });
    });
    await fc.assert(check, { numRuns: 30 });
  });

  it('name the line that is wrong, and nothing of it', async () => {
    const wrong: [string, RegExp][] = [
      ['', /names of the columns/],
      ['case,\r\n', /column 2/],
      ['case,case\r\n', /column 2/],
      ['case,name\r\n7\r\n', /line 2/],
      ['case,name\r\n7,Ada\r\n,Eve\r\n', /line 3 has no key/],
      ['case,name\r\n7,Ada\r\n7,Eve\r\n', /line 3 has the key of line 2/],
      ['case,name\r\n7,"Ada\r\n', /not closed/],
      ['case,name\r\n7,"Ada"Eve\r\n', /line 2 is not CSV/],
      [`case,name\r\n7,${'x'.repeat(70_000)}\r\n`, /65536 characters/],
      [`case\r\n${[...Array(20_001).keys()].join('\r\n')}\r\n`, /20000 rows/],
      [[...Array(101).keys()].join(','), /100 columns/],
    ];
    for (const [csv, why] of wrong) {
      const error = await new Trial().replace(csv).catch((cause) => cause);
      expect(error.message, csv.slice(0, 40)).to.match(why);
      expect(error.message).not.to.match(/Ada|Eve|xxx/);
    }
    expect(await outcomeOf(new Trial().replace(PEOPLE, 'person'))).to.equal('BadRequest');
  });

  it('are replaced as a whole, and leave no rows of before', async () => {
    const trial = new Trial();
    await trial.replace(PEOPLE);
    expect(await trial.find('8')).to.deep.include({ attributes: { case: '8', name: 'Hopper, "Grace"' } });
    await trial.replace('case,name\r\n9,Ann\r\n');
    expect([await trial.find('8'), trial.rows.size]).to.deep.equal([{ kind: 'unknown' }, 1]);
    await trial.tables.removeAll(OWNER.target);
    expect([await outcomeOf(trial.find('9')), trial.rows.size]).to.deep.equal(['UpstreamFailed', 0]);
  });

  it('stay as they are when an import fails, and what it wrote is removed', async () => {
    const trial = new Trial();
    await trial.replace(PEOPLE);
    trial.failing = true;
    expect(await outcomeOf(trial.replace('case\r\n1\r\n'))).to.equal('The disk is full');
    trial.failing = false;
    expect([(await trial.find('7')).kind, trial.rows.size]).to.deep.equal(['attributes', 1]);
    expect(await outcomeOf(trial.replace(PEOPLE))).to.equal('done');
  });

  it('take one import at a time; one whose process died is forgotten after its lease', async () => {
    const trial = new Trial();
    let open = (): void => undefined;
    trial.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = outcomeOf(trial.replace('case,name\r\n1,First\r\n'));
    await until(() => trial.waiting === 1);
    expect(await outcomeOf(trial.replace(PEOPLE))).to.equal('Busy');
    trial.now += LEASE_MS;
    const second = outcomeOf(trial.replace(PEOPLE));
    await until(() => trial.waiting === 2);
    open();
    expect([await first, await second]).to.deep.equal(['Busy', 'done']);
    expect([(await trial.find('7')).kind, trial.rows.size]).to.deep.equal(['attributes', 1]);
  });
});
