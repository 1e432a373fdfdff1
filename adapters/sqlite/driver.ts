import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const require = createRequire(import.meta.url);
const MAJOR = Number.parseInt(process.versions.node, 10);

/** Version 13 of better-sqlite3 needs Node 22; version 12 runs on Node 20 and aborts on Node 24.19 (nodejs/node#65446). */
const PACKAGE = MAJOR < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

/** How an operator gets a driver that is not there, or not compiled. */
const ADVICE =
  MAJOR < 22
    ? 'npm install better-sqlite3-node20@npm:better-sqlite3@12 --ignore-scripts=false compiles it, with Python and a C++ ' +
      'compiler; Node 22 and newer need neither'
    : 'install again with npm install or npm ci, for this system and this version of Node';

/** Opens a file with the SQLite driver for the running version of Node. @throws Error that says how to get the driver */
export function openSqlite(file: string, options: BetterSqlite3.Options = {}): SqliteDatabase {
  try {
    const Sqlite: typeof BetterSqlite3 = require(PACKAGE);
    return new Sqlite(file, options);
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error(`The SQLite driver for Node ${MAJOR} is missing: ${ADVICE}`, { cause });
  }
}

/** Whether there is no package, or none with a binary for this system and this version of Node. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  (['MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'].includes(String(Object(error).code)) ||
    error.message.startsWith('Could not locate the bindings file'));

/** An open SQLite file. */
export type SqliteDatabase = BetterSqlite3.Database;

/** A prepared statement. */
export type SqliteStatement = BetterSqlite3.Statement;

/** What a statement that returns no rows did. */
export type RunResult = BetterSqlite3.RunResult;

/** Work that is done in one transaction. */
export type Transaction<F extends (...values: never[]) => unknown> = BetterSqlite3.Transaction<F>;
