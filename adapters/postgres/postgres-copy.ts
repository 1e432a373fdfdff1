import { bodyOf, bytesOf } from '../../domain/foundation/bodies.ts';
import { type Pause, retried } from '../../domain/migration/retries.ts';
import type { Log } from '../../ports/log.ts';
import type { BodyChange, RawKey, RawRecord, RawStore } from '../../ports/store-copy.ts';
import type { PostgresStoreSettings } from './address.ts';
import { copyStatements } from './copy-statements.ts';
import { columnsOf, keyValues, partOf, textOf } from './keys.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { type Statement, type Table, tableOf } from './statements.ts';

/** Dependencies of a copy. */
interface CopySurroundings {
  log: Log;
  pause: Pause;
}

interface Row {
  collection: string;
  parent: Buffer;
  id: Buffer;
  whole_parent: Buffer | null;
  whole_id: Buffer | null;
  body: Buffer;
  revision: number;
  created: number;
  updated: number;
  expires: number | null;
}

/** The time limit of a page, in milliseconds. */
const PAGE_MS = 10_000;
/** A copy works on one page after the other, and two are compared at once. */
const CONNECTIONS = 2;

const TABLES: readonly Table[] = ['records', 'listed_records'];
const STATEMENTS = { records: copyStatements('records'), listed_records: copyStatements('listed_records') };

/** A PostgreSQL as the source or target of a copy. */
export class PostgresCopy implements RawStore {
  readonly #link: PostgresConnection;
  readonly #pause: Pause;

  constructor(settings: PostgresStoreSettings, { log, pause }: CopySurroundings) {
    this.#link = new PostgresConnection({ ...settings, connections: CONNECTIONS }, log, {
      answerMs: PAGE_MS,
      statementMs: PAGE_MS,
      lockMs: PAGE_MS,
      isCopying: true,
    });
    this.#pause = pause;
  }

  async ping(): Promise<void> {
    await this.#link.run({ name: 'ping', text: 'SELECT 1' }, []);
  }

  records(size: number): AsyncGenerator<RawRecord[]> {
    return allRecords((statement, values) => this.#run(statement, values), size);
  }

  async get(keys: RawKey[]): Promise<(RawRecord | undefined)[]> {
    const found = new Map<string, RawRecord>();
    for (const [table, own] of byTable(keys, (key) => key)) {
      const rows = await this.#run<Row>(STATEMENTS[table].get, columnsOf(own.map(rawKeyValues)));
      for (const row of rows) {
        const record = toRaw(row, table);
        found.set(nameOf(record), record);
      }
    }
    return keys.map((key) => found.get(nameOf(key)));
  }

  async put(records: RawRecord[]): Promise<number> {
    // A statement writes a row once: of a record that appears twice the last form is the one to be written.
    const last = [...new Map(records.map((record) => [nameOf(record), record])).values()];
    return this.#change(
      'put',
      last,
      (record) => record,
      (record) => {
        const { body, revision, createdAt, updatedAt, expiresAt = null, parent, id } = record;
        const whole = [partOf(parent).whole, partOf(id).whole];
        return [...rawKeyValues(record), bytesOf(body), revision, createdAt, updatedAt, expiresAt, ...whole];
      },
    );
  }

  async delete(keys: RawKey[]): Promise<void> {
    await this.#change('delete', keys, (key) => key, rawKeyValues);
  }

  async swap(changes: BodyChange[]): Promise<number> {
    return this.#change(
      'swap',
      changes,
      ({ record }) => record,
      ({ record, body }) => [...rawKeyValues(record), record.revision, bytesOf(record.body), bytesOf(body)],
    );
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  /** Runs one statement for the items of each table; returns how many rows it changed. */
  async #change<I>(
    form: 'put' | 'delete' | 'swap',
    items: I[],
    keyOf: (item: I) => RawKey,
    valuesOf: (item: I) => unknown[],
  ): Promise<number> {
    let changed = 0;
    for (const [table, own] of byTable(items, keyOf)) {
      const statement = STATEMENTS[table][form];
      const values = columnsOf(own.map(valuesOf));
      const { rowCount } = await retried(() => this.#link.run(statement, values), this.#pause);
      changed += rowCount ?? 0;
    }
    return changed;
  }

  async #run<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    return (await retried(() => this.#link.run<R>(statement, values), this.#pause)).rows;
  }
}

/** All records, in pages that `run` reads. */
export async function* allRecords(
  run: (statement: Statement, values: unknown[]) => Promise<Row[]>,
  size: number,
): AsyncGenerator<RawRecord[]> {
  for (const table of TABLES) {
    let last: [string, Buffer, Buffer] = ['', Buffer.alloc(0), Buffer.alloc(0)];
    for (;;) {
      const rows = await run(STATEMENTS[table].page, [...last, size]);
      const end = rows.at(-1);
      if (!end) break;
      last = [end.collection, end.parent, end.id];
      yield rows.map((row) => toRaw(row, table));
    }
  }
}

const rawKeyValues = (key: RawKey): unknown[] => keyValues(key.collection, key);

const nameOf = ({ collection, listed, parent, id }: RawKey): string => JSON.stringify([collection, listed, parent, id]);

/** The items of each table that has some. */
const byTable = <I>(items: I[], keyOf: (item: I) => RawKey): [Table, I[]][] =>
  TABLES.map((table): [Table, I[]] => [table, items.filter((item) => tableOf(keyOf(item)) === table)]).filter(
    ([, own]) => own.length > 0,
  );

function toRaw(row: Row, table: Table): RawRecord {
  const { collection, parent, id, body, revision, created, updated, expires } = row;
  const record = {
    collection,
    listed: table === 'listed_records',
    parent: textOf(parent, row.whole_parent),
    id: textOf(id, row.whole_id),
    body: bodyOf(body),
    revision,
    createdAt: created,
    updatedAt: updated,
  };
  return expires === null ? record : { ...record, expiresAt: expires };
}
