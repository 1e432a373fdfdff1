import type { ClusterOptions, RedisOptions } from 'ioredis';

/** Address of the database: one node, or some nodes of a cluster from which the others are discovered. */
export interface RedisAddress {
  cluster: boolean;
  nodes: { host: string; port: number }[];
  /** '' for the default user. */
  user: string;
  /** '' for none. */
  password: string;
  /** Whether each node must present a certificate of a trusted authority for its name. */
  tls: boolean;
}

const CONNECT_TIMEOUT_MS = 1000;
/** A connection without an expected answer for this long is closed, so that a host that disappeared is detected. */
const SOCKET_TIMEOUT_MS = 2000;
const LONGEST_PAUSE_MS = 1000;
const pause = (attempts: number): number => Math.min(50 * 2 ** Math.min(attempts, 10), LONGEST_PAUSE_MS);

/**
 * Fails at once instead of queueing, and never resends a command whose answer was lost: retrying could report Conflict
 * to the caller whose first attempt succeeded.
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
    // A node that became a replica refuses writes: its name is resolved again.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    disableClientInfo: true,
  };
}

/** The same for every node of a cluster. Lost nodes are discovered again when the slots are refreshed. */
export function clusterOptions(address: RedisAddress): ClusterOptions {
  const { retryStrategy: _, reconnectOnError: __, ...redisOptions } = nodeOptions(address);
  return {
    redisOptions,
    lazyConnect: true,
    enableOfflineQueue: false,
    // The check would use a node that is still connecting; without a queue it fails, and connecting starts again.
    enableReadyCheck: false,
    scaleReads: 'master',
    maxRedirections: 5,
    retryDelayOnFailover: 0,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: LONGEST_PAUSE_MS,
    clusterRetryStrategy: pause,
  };
}
