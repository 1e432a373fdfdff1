import { createRequire } from 'node:module';
import type { Cluster, Command, Redis } from 'ioredis';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Log } from '../../ports/log.ts';
import { inTime, startDeadline } from '../system/deadline.ts';
import { clusterOptions, nodeOptions, type RedisAddress } from './connection-options.ts';
import { describeRedis, explain, isReply, withoutArguments } from './faults.ts';
import { evictionWarnings, isCluster } from './node-checks.ts';
import type { Script, ScriptRun } from './scripts.ts';

/** Time limit of a command. A request that fails and cleans up afterwards still ends in two seconds. */
const ANSWER_MS = 800;
/** How long the first command waits for the first connection, in milliseconds. */
const START_WAIT_MS = 3000;

/** Loads the library, which a server without Redis does not need. */
const loadLibrary = (): typeof import('ioredis') => createRequire(import.meta.url)('ioredis');

/** The connection to a node or a cluster. It reconnects without limit; every failure is `StoreUnavailable`. */
export class RedisConnection {
  readonly #client: Redis | Cluster;
  readonly #commands: ReturnType<typeof timed>;
  readonly #name: string;
  readonly #warned = new Set<string>();
  #opening: Promise<void> | undefined;
  /** The cause of the lost connection, until it is restored. */
  #fault: unknown;

  /** `purpose` names the use of the database in the log. */
  constructor(
    address: RedisAddress,
    private readonly log: Log,
    private readonly purpose = 'store',
  ) {
    const library = loadLibrary();
    this.#name = describeRedis(address);
    this.#client = address.cluster
      ? new library.Cluster(address.nodes, clusterOptions(address))
      : new library.Redis({ ...address.nodes[0], ...nodeOptions(address) });
    this.#commands = timed(this.#client);
    this.#opening = this.#connect(this.#client).finally(() => {
      this.#opening = undefined;
    });
  }

  /** Runs work on the database. @throws DomainError `StoreUnavailable`; a write may then have happened or not */
  run<R>(work: (client: Redis | Cluster) => Promise<R>): Promise<R> {
    return this.#wrapped(() => inTime(work(this.#client), ANSWER_MS));
  }

  async #wrapped<R>(work: () => Promise<R>): Promise<R> {
    if (this.#opening) await this.#opening;
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw this.#unavailable(error);
    }
  }

  /** Runs a script. A script unknown to the server takes two commands, each with its own time limit. */
  script({ name, isBinary, lua }: Script, { keys, args }: ScriptRun): Promise<unknown> {
    if (!Object.hasOwn(this.#client, name)) this.#client.defineCommand(name, { lua });
    const command = isBinary ? `${name}Buffer` : name;
    return this.#wrapped(() => this.#commands[command]?.(keys.length, ...keys, ...args) ?? Promise.reject());
  }

  /** The nodes that accept writes; one without a cluster. */
  masters(): Redis[] {
    return isCluster(this.#client) ? this.#client.nodes('master') : [this.#client];
  }

  /** Resolves when every node answers and, in a cluster, every slot is served. */
  async ping(): Promise<void> {
    await this.run(async (client) => {
      const nodes = this.masters();
      if (nodes.length === 0) throw new Error('No node is known');
      if (isCluster(client)) await Promise.all(nodes.map((node) => checkCluster(node, nodes.length)));
      else await client.ping();
    });
  }

  /** Advice on the configuration of the nodes, for the operator. @throws DomainError `StoreUnavailable` */
  warnings(): Promise<string[]> {
    return this.run(() => evictionWarnings(this.masters()));
  }

  close(): void {
    this.#client.disconnect();
  }

  /** Waits a limited time until the database is connected. */
  async #connect(client: Redis | Cluster): Promise<void> {
    client.on('error', (error) => this.#markDown(error));
    client.on('ready', () => this.#markUp());
    // A new node is connected at once, since commands are not queued.
    if (isCluster(client)) client.on('+node', (node: Redis) => void node.connect().catch(() => undefined));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, START_WAIT_MS);
    });
    const ready = new Promise<void>((resolve) => client.once('ready', resolve));
    client.connect().catch((error) => this.#markDown(error));
    await Promise.race([ready.then(() => Promise.all(this.masters().map(whenReady))), patience]);
    clearTimeout(timer);
  }

  #markDown(error: unknown): void {
    const wasDown = this.#fault !== undefined;
    this.#fault = error ?? new Error('The connection was lost');
    if (wasDown) return;
    const fields = { store: this.#name, reason: explain(error) };
    this.log.warn(`the ${this.purpose} cannot be reached`, fields);
  }

  #markUp(): void {
    if (this.#fault !== undefined) this.log.info(`the ${this.purpose} answers again`, { store: this.#name });
    this.#fault = undefined;
    void this.#warn().catch(() => undefined);
  }

  /** Logs each advice for the operator once. */
  async #warn(): Promise<void> {
    const known = this.#warned;
    for (const warning of await this.warnings()) {
      if (!known.has(warning)) this.log.warn(warning);
      known.add(warning);
    }
  }

  /** A command that found no connection is explained by the cause of the lost connection. */
  #unavailable(error: unknown): DomainError {
    const cause = withoutArguments(isReply(error) ? error : (this.#fault ?? error));
    const detail = `${this.#name}: ${explain(cause)}`;
    return new DomainError('StoreUnavailable', 'The store cannot be reached', { cause, detail });
  }
}

/** The commands of a client, each with its own time limit, also one that the client resends itself. */
const timed = (client: Redis | Cluster): Record<string, (...args: (string | number | Buffer)[]) => Promise<unknown>> =>
  Object.create(client, {
    sendCommand: {
      value(command: Command) {
        const cancel = startDeadline(ANSWER_MS, command.reject);
        const answer = Promise.resolve(client.sendCommand(command));
        answer.then(cancel, cancel);
        return answer;
      },
    },
  });

const whenReady = (node: Redis): Promise<void> =>
  node.status === 'ready' ? Promise.resolve() : new Promise((resolve) => node.once('ready', () => resolve()));

/** Asks a node for the state of the cluster. A node that was just lost is detected by the number of connected nodes. */
async function checkCluster(node: Redis, connected: number): Promise<void> {
  const info = await node.cluster('INFO');
  const isWhole = ['cluster_state:ok', 'cluster_slots_ok:16384', `cluster_size:${connected}`].every((line) =>
    info.split('\r\n').includes(line),
  );
  if (!isWhole) throw new Error('The cluster does not serve every slot');
}
