/** Where the database is and who logs in. */
export interface PostgresStoreSettings {
  /** A primary and its standbys in any order; a host that begins with / is the folder of a Unix socket. */
  nodes: { host: string; port: number }[];
  database: string;
  /** The schema that holds the tables. */
  schema: string;
  user: string;
  /** '' for none. */
  password: string;
  /** Whether a node must present a certificate of a trusted authority for its name. */
  tls: boolean;
  /** The most that one process opens. */
  connections: number;
}

/** The name of a database in the log: kind, nodes and database, without the user. */
export function describePostgres({ nodes, database }: PostgresStoreSettings): string {
  const places = nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `PostgreSQL ${places.join(', ')} (${database})`;
}
