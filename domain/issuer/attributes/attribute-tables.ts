import type { Collection, RecordKey, Store } from '../../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../../ports/system.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { DomainError, invalidField } from '../../foundation/errors.ts';
import { busy, LEASE_MS, underLease } from '../../foundation/lease.ts';
import { update, upsert } from '../../foundation/records.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import {
  bucketOf,
  type KeyedRow,
  type ReadTable,
  readTable,
  type TableImport,
  type TableReading,
} from './attribute-table.ts';

/** What a table is, without its rows. */
export interface TableFacts extends Omit<ReadTable, 'buckets'> {
  /** Milliseconds since the epoch. */
  importedAt: number;
}

/** The rows of one import. */
interface TableRows {
  /** Names the import. */
  importId: string;
  /** How many records they are in. */
  buckets: number;
}

/** The rows that are used, and others: those of a running import with the end of its lease, and with 0 those to be removed. */
interface TableRecord {
  current?: TableFacts & TableRows;
  others: (TableRows & { until: number })[];
}

/** What a table says about a key. */
type TableAnswer = { kind: 'attributes'; attributes: Record<string, string> } | { kind: 'unknown' };

type Owner = Pick<CredentialIssuer, 'target'>;

const MAX_TABLES = 100;
const AT_ONCE = 8;
/** How often a table is read whose rows are being replaced. */
const TRIES = 3;

/**
 * The tables of attributes of issuers, sealed at rest. An import writes its rows beside those in use and becomes the table
 * in one write, so that a row is of one import, and an import that fails changes nothing. One runs at a time.
 */
export class AttributeTables {
  readonly #tables: Collection<TableRecord>;
  readonly #rows: Collection<{ rows: KeyedRow[] }>;

  constructor(private readonly parts: { store: Store; clock: Clock; timers: Timers; ids: Ids } & TableReading) {
    this.#tables = parts.store.collection({ name: 'attribute-tables', listed: true, afterRestore: 'kept' });
    this.#rows = parts.store.collection({ name: 'attribute-rows', afterRestore: 'kept' });
  }

  /**
   * Replaces a table as a whole, or creates it. @throws DomainError `BadRequest` naming `csv`, `key` or, with
   * too many tables, `id`; `Busy` while another import of the table runs
   */
  async replace({ target: parent }: Owner, id: string, written: TableImport): Promise<TableFacts> {
    const { clock, timers, ids } = this.parts;
    const { buckets, ...read } = await readTable(written, this.parts);
    const key = { parent, id };
    await this.#checkCount(key);
    const own = { importId: ids.uuid(), buckets: buckets.length };
    await upsert({ collection: this.#tables, key, change: (record) => this.#begun(own, record) });
    const facts = { ...read, importedAt: clock.now() };
    try {
      await underLease(
        timers,
        () => this.#renew(key, own),
        () => this.#write(own, buckets),
      );
      const change = (record: TableRecord) => committed(record, { ...facts, ...own });
      if (!(await update({ collection: this.#tables, key, change }))) throw busy();
    } catch (error) {
      await this.#abandon(key, own).catch(() => undefined);
      throw error;
    }
    await this.#clean(key);
    return facts;
  }

  /** @throws DomainError `NotFound` */
  async get({ target: parent }: Owner, id: string): Promise<TableFacts> {
    const table = (await this.#tables.get({ parent, id }))?.value.current;
    if (!table) throw noTable();
    const { importId: _, buckets: __, ...facts } = table;
    return facts;
  }

  /** @throws DomainError `NotFound` */
  async remove({ target: parent }: Owner, id: string): Promise<void> {
    const taken = await this.#tables.take({ parent, id });
    if (!taken) throw noTable();
    await this.#removeAllRows(taken.value);
  }

  /** Removes all tables of an issuer. */
  async removeAll(parent: string): Promise<void> {
    const query = { parent, order: 'id', offset: 0, limit: MAX_TABLES } as const;
    for (let ids = await this.#tables.ids(query); ids.length > 0; ids = await this.#tables.ids(query))
      for (const id of ids) {
        const taken = await this.#tables.take({ parent, id });
        if (taken) await this.#removeAllRows(taken.value);
      }
  }

  /** The row of a key; its empty cells are left out. @throws DomainError `UpstreamFailed` without such a table */
  async find({ target: parent }: Owner, id: string, key: string): Promise<TableAnswer> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const table = (await this.#tables.get({ parent, id }))?.value.current;
      if (!table) throw new DomainError('UpstreamFailed', 'The table was not imported');
      const bucket = await this.#rows.get({ id: rowsId(table, bucketOf(key, table.buckets)) });
      if (!bucket) continue;
      const [, cells] = bucket.value.rows.find(([own]) => own === key) ?? [];
      if (!cells) return { kind: 'unknown' };
      const named = table.columns.map((name, index): [string, string] => [name, cells[index] ?? '']);
      return { kind: 'attributes', attributes: Object.fromEntries(named.filter(([, cell]) => cell !== '')) };
    }
    throw new DomainError('UpstreamFailed', 'The table was replaced while it was read');
  }

  async #checkCount({ parent, id }: Required<RecordKey>): Promise<void> {
    if (await this.#tables.get({ parent, id })) return;
    const ids = await this.#tables.ids({ parent, order: 'id', offset: 0, limit: MAX_TABLES });
    if (ids.length === MAX_TABLES)
      throw invalidField(['id'], `cannot be another table: the issuer has ${MAX_TABLES}, remove one first`);
  }

  #begun(own: TableRows, { current, others }: TableRecord = { others: [] }): TableRecord {
    const now = this.parts.clock.now();
    if (others.some(({ until }) => now < until)) throw busy();
    const ended = others.map((one) => ({ ...one, until: 0 }));
    return { current, others: [...ended, { ...own, until: now + LEASE_MS }] };
  }

  #renew(key: RecordKey, { importId }: TableRows): Promise<unknown> {
    const until = this.parts.clock.now() + LEASE_MS;
    const change = (record: TableRecord) => ({
      ...record,
      others: record.others.map((one) => (one.importId === importId && one.until > 0 ? { ...one, until } : one)),
    });
    return update({ collection: this.#tables, key, change });
  }

  /** Ends an import that failed, unless its rows are in use after all. */
  async #abandon(key: RecordKey, own: TableRows): Promise<void> {
    const change = (record: TableRecord) => ({
      ...record,
      others: record.others.filter(({ importId }) => importId !== own.importId),
    });
    const left = await update({ collection: this.#tables, key, change });
    if (left?.value.current?.importId !== own.importId) await this.#removeRows(own);
  }

  async #write(own: TableRows, buckets: readonly KeyedRow[][]): Promise<void> {
    await mapBounded(buckets, AT_ONCE, (rows, index) => this.#rows.insert({ id: rowsId(own, index), value: { rows } }));
  }

  /** Removes the rows that no import writes and no reader finds any more. */
  async #clean(key: RecordKey): Promise<void> {
    const ended = (await this.#tables.get(key))?.value.others.filter(({ until }) => until === 0) ?? [];
    for (const rows of ended) await this.#removeRows(rows);
    const names = new Set(ended.map(({ importId }) => importId));
    const change = (record: TableRecord) => ({
      ...record,
      others: record.others.filter(({ importId }) => !names.has(importId)),
    });
    if (names.size > 0) await update({ collection: this.#tables, key, change });
  }

  async #removeAllRows({ current, others }: TableRecord): Promise<void> {
    for (const rows of [...(current ? [current] : []), ...others]) await this.#removeRows(rows);
  }

  async #removeRows(rows: TableRows): Promise<void> {
    const numbers = [...Array(rows.buckets).keys()];
    await mapBounded(numbers, AT_ONCE, (index) => this.#rows.remove({ id: rowsId(rows, index) }));
  }
}

/** The record with the rows of an import in use. @throws DomainError `Busy` when its lease ended and another one began */
function committed({ current, others }: TableRecord, next: TableFacts & TableRows): TableRecord {
  if (!others.some(({ importId, until }) => importId === next.importId && until > 0)) throw busy();
  const rest = others.filter(({ importId }) => importId !== next.importId);
  const replaced = current ? [{ importId: current.importId, buckets: current.buckets, until: 0 }] : [];
  return { current: next, others: [...rest, ...replaced] };
}

const rowsId = ({ importId }: TableRows, index: number): string => `${importId}.${index}`;

const noTable = (): DomainError => new DomainError('NotFound', 'There is no such table');
