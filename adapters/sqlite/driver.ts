import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** Version 13 of better-sqlite3 needs Node 22; version 12 runs on Node 20 and aborts on Node 24.19 (nodejs/node#65446). */
const PACKAGE = Number.parseInt(process.versions.node, 10) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

/** The SQLite driver for the running version of Node. */
export const Sqlite: typeof BetterSqlite3 = createRequire(import.meta.url)(PACKAGE);

/** An open SQLite file. */
export type SqliteDatabase = BetterSqlite3.Database;

/** A prepared statement. */
export type SqliteStatement = BetterSqlite3.Statement;

/** What a statement that returns no rows did. */
export type RunResult = BetterSqlite3.RunResult;

/** Work that is done in one transaction. */
export type Transaction<F extends (...values: never[]) => unknown> = BetterSqlite3.Transaction<F>;
