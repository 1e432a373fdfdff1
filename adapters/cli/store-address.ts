/** Who logs in where, as the command line says it. */
interface Servers {
  nodes: { host: string; port: number }[];
  user: string;
  password: string;
  tls: boolean;
}

/** A store as the command line names it. */
export type StoreAddress =
  | { kind: 'sqlite'; folder: string }
  | ({ kind: 'redis'; cluster: boolean; keyPrefix: string } & Servers)
  | ({ kind: 'postgres'; database: string; schema: string; connections: number } & Servers);

/** `rediss` is Redis over TLS, as everywhere. */
const REDIS_FORM =
  /^(?:redis(s?)|kvstore)(-cluster)?:\/\/(?:([^@/?]*)@)?([^@/?]+)\/?(?:\?prefix=([A-Za-z0-9._:-]{1,100}))?$/;
/** As the tools of PostgreSQL write it; `verify-full` is the only mode with TLS. */
const POSTGRES_FORM =
  /^postgres(?:ql)?:\/\/([^@/?]+)@([^@/?]+)\/([^/?&]{1,63})(?:\?schema=([a-z][a-z0-9_]{0,62}))?(?:[?&]sslmode=(disable|verify-full))?$/;
const NODE_FORM = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([1-9]\d{0,4})$/;

/** The forms `parseStoreAddress` takes, for people. */
const STORE_FORMS =
  'sqlite:<folder>, redis://[user[:password]@]host:port, redis-cluster://[user[:password]@]host:port,host:port ' +
  '(rediss for TLS) or postgresql://user[:password]@host:port[,host:port]/database';

/** A copy opens few connections. */
const CONNECTIONS = 2;

/** @throws Error that shows the forms, never the text: it may hold a password */
export function parseStoreAddress(text: string): StoreAddress {
  const [, folder] = /^sqlite:(.+)$/.exec(text) ?? [];
  const address = folder === undefined ? (readRedis(text) ?? readPostgres(text)) : { kind: 'sqlite' as const, folder };
  if (address) return address;
  throw new Error(`A store is written as ${STORE_FORMS}`);
}

function readRedis(text: string): StoreAddress | undefined {
  const [all, secure = '', several = '', login = '', places = '', keyPrefix = 'credenza:'] =
    REDIS_FORM.exec(text) ?? [];
  const nodes = readNodes(places);
  const cluster = several !== '';
  if (all === undefined || !nodes || (!cluster && nodes.length !== 1)) return undefined;
  return { kind: 'redis', cluster, nodes, ...readLogin(login), tls: secure !== '', keyPrefix };
}

function readPostgres(text: string): StoreAddress | undefined {
  const [all, login = '', places = '', database = '', schema = 'credenza', mode = ''] = POSTGRES_FORM.exec(text) ?? [];
  const nodes = readNodes(places);
  if (all === undefined || !nodes) return undefined;
  const tls = mode === 'verify-full';
  const server = { nodes, ...readLogin(login), tls };
  return { kind: 'postgres', ...server, database: decode(database), schema, connections: CONNECTIONS };
}

function readLogin(login: string): Pick<Servers, 'user' | 'password'> {
  const [user = '', ...password] = login.split(':').map(decode);
  return { user, password: password.join(':') };
}

/** The address without who logs in. */
export function describeStore(address: StoreAddress): string {
  if (address.kind === 'sqlite') return `sqlite:${address.folder}`;
  const nodes = address.nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  if (address.kind === 'postgres') return `postgresql://${nodes}/${address.database}?schema=${address.schema}`;
  return `redis${address.tls ? 's' : ''}${address.cluster ? '-cluster' : ''}://${nodes}?prefix=${address.keyPrefix}`;
}

/** Undefined unless each of them is one. */
function readNodes(places: string): Servers['nodes'] | undefined {
  const nodes = places.split(',').map(readNode);
  const known = nodes.flatMap((node) => node ?? []);
  return known.length === nodes.length ? known : undefined;
}

function readNode(text: string): { host: string; port: number } | undefined {
  const [, host = '', port = ''] = NODE_FORM.exec(text) ?? [];
  return host !== '' && Number(port) <= 65535 ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) } : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
