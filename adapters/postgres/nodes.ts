import { createRequire } from 'node:module';
import type pg from 'pg';
import type { PostgresStoreSettings } from './address.ts';
import { STANDBY } from './faults.ts';
import { COPYING } from './schema.ts';

/** Loads the library, which a server without PostgreSQL does not need. */
const loadLibrary = (): typeof pg => createRequire(import.meta.url)('pg');

/** A pool, as far as it is used. */
export type Pool = pg.Pool;

/** What differs between the connections of a store and those of a copy. */
export interface SessionOptions {
  /** The server ends a statement that takes longer, or waits longer for a lock, in milliseconds. */
  statementMs: number;
  lockMs: number;
  /** Deletions leave no time of a last write behind. */
  isCopying: boolean;
}

/** How long a connection may take to be opened, in milliseconds. */
const CONNECT_MS = 3000;
/** After so long without use a connection is closed, in milliseconds. */
const IDLE_MS = 30_000;
const KEEP_ALIVE_MS = 5000;

const INT8 = 20;

/**
 * What holds for each connection, regardless of the server's settings. Each statement has an index that gives its rows in
 * their order, so no plan reads a table as a whole or sorts it; `plan_cache_mode` can then stay as it is.
 */
const sessionOf = (
  { schema }: PostgresStoreSettings,
  { statementMs, lockMs, isCopying }: SessionOptions,
): [string, string][] => [
  ['search_path', `"${schema}"`],
  ['statement_timeout', String(statementMs)],
  ['lock_timeout', String(lockMs)],
  ['default_transaction_isolation', 'read committed'],
  ['bytea_output', 'hex'],
  [COPYING, isCopying ? 'on' : 'off'],
  ['jit', 'off'],
  ...['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin'].map((plan): [string, string] => [
    `enable_${plan}`,
    'off',
  ]),
];

const BEGIN_SESSION = `SELECT pg_is_in_recovery() AS "isStandby", count(set_config(name, value, false)) AS settings
  FROM unnest($1::text[], $2::text[]) AS s (name, value)`;

/** A connection that knows its node. */
interface NodeClient extends pg.Client {
  /** Later connections go to the next node, unless another one has seen to it. */
  skip(): void;
}

type NodeClients = new (config: pg.ClientConfig) => NodeClient;

/** Connections to the nodes: one that cannot be opened makes the next one try the node after it. */
function clientsOf({ nodes, password }: PostgresStoreSettings, { Client }: typeof pg): NodeClients {
  let at = 0;
  return class extends Client implements NodeClient {
    readonly place = at;

    constructor(config: pg.ClientConfig) {
      // A function, so that neither the environment nor a file of passwords is asked for an empty one.
      super({ ...config, ...nodes[at], password: () => password });
      // The statement under way fails with it too.
      this.on('error', () => undefined);
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback: (error: Error) => void = () => undefined): Promise<this> {
      const outcome: unknown = super.connect((error: Error) => {
        if (error) this.skip();
        callback(error);
      });
      return outcome as Promise<this>;
    }

    skip(): void {
      if (at === this.place) at = (at + 1) % nodes.length;
    }
  };
}

/** A bounded pool of connections to the node that takes writes; those to a standby are closed again. */
export function openPool(settings: PostgresStoreSettings, options: SessionOptions): Pool {
  const library = loadLibrary();
  const session = sessionOf(settings, options);
  const begin = async (client: NodeClient): Promise<void> => {
    const values = [session.map(([name]) => name), session.map(([, value]) => value)];
    const { rows } = await client.query({ text: BEGIN_SESSION, values, query_timeout: CONNECT_MS } as pg.QueryConfig);
    if (!rows[0]?.isStandby) return;
    client.skip();
    throw new Error(STANDBY);
  };
  const { user, database, tls, connections } = settings;
  return new library.Pool({
    user,
    database,
    ssl: tls,
    application_name: 'credenza',
    max: connections,
    min: 1,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: (oid: number) => (oid === INT8 ? Number : library.types.getTypeParser(oid, 'text')) },
    Client: clientsOf(settings, library),
    onConnect: begin,
  } as unknown as pg.PoolConfig);
}
