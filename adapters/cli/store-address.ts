/** A store as the command line names it. */
export type StoreAddress =
  | { kind: 'sqlite'; folder: string }
  | {
      kind: 'redis';
      cluster: boolean;
      nodes: { host: string; port: number }[];
      user: string;
      password: string;
      tls: boolean;
      keyPrefix: string;
    };

/** `rediss` is Redis over TLS, as everywhere. */
const URL_FORM =
  /^(?:redis(s?)|kvstore)(-cluster)?:\/\/(?:([^@/?]*)@)?([^@/?]+)\/?(?:\?prefix=([A-Za-z0-9._:-]{1,100}))?$/;
const NODE_FORM = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([1-9]\d{0,4})$/;

/** The forms `parseStoreAddress` takes, for people. */
const STORE_FORMS =
  'sqlite:<folder>, redis://[user[:password]@]host:port or redis-cluster://[user[:password]@]host:port,host:port (rediss for TLS)';

/** @throws Error that shows the forms, never the text: it may hold a password */
export function parseStoreAddress(text: string): StoreAddress {
  const [, folder] = /^sqlite:(.+)$/.exec(text) ?? [];
  if (folder !== undefined) return { kind: 'sqlite', folder };
  const [, secure = '', several = '', login = '', places = '', keyPrefix = 'credenza:'] = URL_FORM.exec(text) ?? [];
  const cluster = several !== '';
  const nodes = places.split(',').map(readNode);
  const known = nodes.flatMap((node) => node ?? []);
  if (known.length !== nodes.length || (!cluster && known.length !== 1))
    throw new Error(`A store is written as ${STORE_FORMS}`);
  const [user = '', ...password] = login.split(':').map(decode);
  return { kind: 'redis', cluster, nodes: known, user, password: password.join(':'), tls: secure !== '', keyPrefix };
}

/** The address without who logs in. */
export function describeStore(address: StoreAddress): string {
  if (address.kind === 'sqlite') return `sqlite:${address.folder}`;
  const nodes = address.nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `redis${address.tls ? 's' : ''}${address.cluster ? '-cluster' : ''}://${nodes.join(',')}?prefix=${address.keyPrefix}`;
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
