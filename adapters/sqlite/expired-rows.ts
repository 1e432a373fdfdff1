import type { Clock } from '../../ports/system.ts';
import type { SqliteDatabase, SqliteStatement } from './driver.ts';

/** Rows or pages of one step, which blocks the process for a few milliseconds. */
export const STEP = { rows: 256, pages: 64 };
/** Free pages that remain in the file for the next writes: 1 MiB. */
export const SPARE_PAGES = 256;
/** The pause after a step that did work, and after one that found none. */
const PAUSE_MS = { busy: 20, idle: 1000 };

const INCREMENTAL = 2;

/** Deletes expired rows of all tables in small steps and returns their space to the file system. */
export class ExpiredRows {
  readonly #statements = new Map<string, SqliteStatement>();
  #timer: NodeJS.Timeout | undefined;
  /** The table of the last step. */
  #last = '';

  constructor(
    private readonly database: SqliteDatabase,
    private readonly clock: Clock,
  ) {}

  /** Runs steps until `stop`; they do not keep the process alive. */
  start(): void {
    this.#after(PAUSE_MS.idle);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Deletes expired rows of one table or, when there are none, returns free pages. Returns whether it did work. */
  step(): boolean {
    const now = this.clock.now();
    const tables = this.#tables();
    const next = tables.findIndex((table) => table > this.#last);
    const order = next < 0 ? tables : [...tables.slice(next), ...tables.slice(0, next)];
    // Reading takes no write lock.
    const table = order.find((name) => this.#prepare(deadIn(name, 1)).get({ now }) !== undefined);
    if (table === undefined) return this.#shrink();
    this.#last = table;
    this.#prepare(`DELETE FROM "${table}" WHERE rowid IN (${deadIn(table, STEP.rows)})`).run({ now });
    return true;
  }

  #after(ms: number): void {
    this.#timer = setTimeout(() => this.#after(this.#tryStep() ? PAUSE_MS.busy : PAUSE_MS.idle), ms).unref();
  }

  /** A step that fails, because another process writes or the disk is full, is repeated later. */
  #tryStep(): boolean {
    try {
      return this.step();
    } catch {
      return false;
    }
  }

  /** A file without a page map keeps its size: only VACUUM could add the map. */
  #shrink(): boolean {
    const read = (name: string): number => Number(this.database.pragma(name, { simple: true }));
    if (read('freelist_count') <= SPARE_PAGES || read('auto_vacuum') !== INCREMENTAL) return false;
    this.database.pragma(`incremental_vacuum(${STEP.pages})`);
    return true;
  }

  #tables(): string[] {
    const sql = `SELECT tbl_name AS name FROM sqlite_schema WHERE type = 'index' AND name LIKE '%\\_by\\_expires' ESCAPE '\\'
      ORDER BY name`;
    return (this.#prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

const deadIn = (table: string, limit: number): string =>
  `SELECT rowid FROM "${table}" WHERE expires <= @now LIMIT ${limit}`;
