import type { ClusterOptions, RedisOptions } from 'ioredis';

/** Where the database is: exactly one node, or some nodes of a cluster that know the others. */
export interface RedisAddress {
  cluster: boolean;
  nodes: { host: string; port: number }[];
  /** '' for the default user. */
  user: string;
  /** '' for none. */
  password: string;
  /** Whether each node must show a certificate of a known authority for its name. */
  tls: boolean;
}

const CONNECT_TIMEOUT_MS = 1000;
/** A connection that owes an answer for so long is given up, so that a host that vanished is noticed. */
const SOCKET_TIMEOUT_MS = 2000;
const LONGEST_PAUSE_MS = 1000;
const pause = (attempts: number): number => Math.min(50 * 2 ** Math.min(attempts, 10), LONGEST_PAUSE_MS);

/**
 * Fails at once instead of queueing, and never sends a command again whose answer was lost: it may have been carried
 * out, and a second run would tell a winner that somebody else won.
 */
export function nodeOptions({ user, password, tls }: RedisAddress): RedisOptions {
  return {
    ...(user === '' ? {} : { username: user }),
    ...(password === '' ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    retryStrategy: pause,
    // A node that was made a replica refuses writes: whoever has its name now is asked for anew.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    disableClientInfo: true,
  };
}

/** The same for every node of a cluster; nodes that are lost are looked for whenever the slots are read again. */
export function clusterOptions(address: RedisAddress): ClusterOptions {
  const { retryStrategy: _, reconnectOnError: __, ...redisOptions } = nodeOptions(address);
  return {
    redisOptions,
    lazyConnect: true,
    enableOfflineQueue: false,
    // It would ask a node that is still being connected, and without a queue that fails and starts all over again.
    enableReadyCheck: false,
    scaleReads: 'master',
    maxRedirections: 5,
    retryDelayOnFailover: 0,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: LONGEST_PAUSE_MS,
    clusterRetryStrategy: pause,
  };
}
