import type pg from 'pg';
import { shared } from '../../domain/foundation/concurrency.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Log } from '../../ports/log.ts';
import { inTime } from '../system/deadline.ts';
import { describePostgres, type PostgresStoreSettings } from './address.ts';
import { explain, isEmptied, isKept, isReply, withoutValues } from './faults.ts';
import { openPool, type Pool, type SessionOptions } from './nodes.ts';
import { hasTables, makeSchema } from './schema.ts';
import type { Statement } from './statements.ts';

/** Rows of a statement, and how many rows it returned or changed. */
interface Result<R> {
  rows: R[];
  rowCount: number | null;
}

/** The time limits of a connection, in milliseconds. */
interface ConnectionOptions extends Partial<SessionOptions> {
  /** For a statement with the wait for a connection. */
  answerMs?: number;
}

/** The server ends a statement that waits longer for a lock, or that takes longer: a page far down a list does. */
const LOCK_MS = 800;
const STATEMENT_MS = 3500;
/** A statement with the wait for a connection, which may be opened for it. */
const ANSWER_MS = 1600;
/** The same for a page. */
const PAGE_MS = 4000;
/** While the database does not answer: a request that fails and cleans up afterwards still ends in three seconds. */
const DOWN_MS = 800;
/** How long the tables may take to be made or found, in milliseconds: a first start makes them, others wait for it. */
const SCHEMA_MS = 3000;
const CLOSE_MS = 1000;

/** The connections to a database. They are opened again without limit; every failure is `StoreUnavailable`. */
export class PostgresConnection {
  readonly #pool: Pool;
  readonly #name: string;
  readonly #answerMs: number;
  #hasSchema = false;
  readonly #findSchema = shared(() => this.#makeSchema());
  #isDown = false;

  constructor(
    private readonly settings: PostgresStoreSettings,
    private readonly log: Log,
    { answerMs = ANSWER_MS, statementMs = STATEMENT_MS, lockMs = LOCK_MS, isCopying = false }: ConnectionOptions = {},
  ) {
    this.#answerMs = answerMs;
    this.#name = describePostgres(settings);
    this.#pool = openPool(settings, { statementMs, lockMs, isCopying });
    // A connection broke while it was not used; the next use opens another.
    this.#pool.on('error', () => undefined);
  }

  /**
   * Runs a statement. Where the tables are gone they are made again, as on an empty database, and the statement is repeated.
   * @throws DomainError `StoreUnavailable`; a write may then have happened or not
   */
  async run<R>({ name, text }: Statement, values: unknown[], answerMs = this.#answerMs): Promise<Result<R>> {
    const query = (client: pg.PoolClient): Promise<Result<R>> =>
      client.query({ name, text, values }) as unknown as Promise<Result<R>>;
    if (!this.#hasSchema) await this.#findSchema();
    try {
      return await this.#attempt(query, answerMs);
    } catch (error) {
      if (!isEmptied(error)) throw this.#unavailable(error);
    }
    await this.#findSchema();
    return this.#attempt(query, answerMs).catch((error) => {
      throw this.#unavailable(error);
    });
  }

  /** Runs a statement that reads a page of a list, which may be far down. */
  runPage<R>(statement: Statement, values: unknown[]): Promise<Result<R>> {
    return this.run(statement, values, PAGE_MS);
  }

  /** Whether a first start has made the tables. @throws DomainError `StoreUnavailable` */
  async hasTables(): Promise<boolean> {
    return this.#attempt(hasTables, SCHEMA_MS).catch((error) => {
      throw this.#unavailable(error);
    });
  }

  async close(): Promise<void> {
    await inTime(this.#pool.end(), CLOSE_MS).catch(() => undefined);
  }

  async #makeSchema(): Promise<void> {
    try {
      await this.#attempt((client) => makeSchema(client, this.settings.schema), SCHEMA_MS);
      this.#hasSchema = true;
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** Runs work on a connection; one that is given up, or that fails in another way than by a reply, is closed. */
  async #attempt<R>(work: (client: pg.PoolClient) => Promise<R>, ms: number): Promise<R> {
    let isOver = false;
    let giveBack: ((error?: Error) => void) | undefined;
    const end = (error?: Error): void => {
      const release = giveBack;
      giveBack = undefined;
      isOver = true;
      release?.(error);
    };
    const run = async (): Promise<R> => {
      const client = await this.#connect();
      giveBack = (error) => client.release(error);
      if (isOver) {
        end();
        throw new Error('Nothing waits for this connection any more');
      }
      this.#markUp();
      const result = await work(client);
      end();
      return result;
    };
    try {
      return await inTime(run(), this.#isDown ? Math.min(ms, DOWN_MS) : ms);
    } catch (error) {
      if (!isReply(error)) this.#markDown(error);
      end(isKept(error) ? undefined : (error as Error));
      throw error;
    }
  }

  /** A connection to a node that takes writes; each node is tried once. */
  async #connect(): Promise<pg.PoolClient> {
    for (let left = this.settings.nodes.length; ; left -= 1)
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (left > 1) continue;
        this.#markDown(error);
        throw error;
      }
  }

  #markDown(error: unknown): void {
    if (this.#isDown) return;
    this.#isDown = true;
    this.log.warn('the store cannot be reached', { store: this.#name, reason: explain(withoutValues(error)) });
  }

  #markUp(): void {
    if (this.#isDown) this.log.info('the store answers again', { store: this.#name });
    this.#isDown = false;
  }

  #unavailable(error: unknown): unknown {
    if (error instanceof DomainError) return error;
    const cause = withoutValues(error);
    const detail = `${this.#name}: ${explain(cause)}`;
    return new DomainError('StoreUnavailable', 'The store cannot be reached', { cause, detail });
  }
}
