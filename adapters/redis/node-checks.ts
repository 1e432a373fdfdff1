import type { Cluster, Redis } from 'ioredis';
import { isReply } from './faults.ts';

/** Attempts to find a key of a node: enough for a node with one slot in a hundred. */
const MOST_KEYS = 2000;
/** Time to live of a probe, in milliseconds. */
const KEPT_MS = 60_000;

export const isCluster = (client: Redis | Cluster): client is Cluster => client.isCluster;

/** Writes a probe to every master, each under a key that nothing else uses. */
export class WriteProbe {
  /** The number of a key that belongs to a node, by the node's address. */
  readonly #numbers = new Map<string, number>();

  constructor(private readonly prefix: string) {}

  /** @throws Error of Redis when a node refuses the write */
  async run(client: Redis | Cluster, masters: readonly Redis[]): Promise<void> {
    if (isCluster(client)) await Promise.all(masters.map((node) => this.#search(node)));
    else await this.#write(client, 0);
  }

  async #search(node: Redis): Promise<void> {
    const place = `${node.options.host}:${node.options.port}`;
    const known = this.#numbers.get(place) ?? 0;
    for (let tried = 0; tried < MOST_KEYS; tried += 1) {
      const number = (known + tried) % MOST_KEYS;
      const isMine = await this.#write(node, number).catch(ignoreMoved);
      if (isMine) return void this.#numbers.set(place, number);
    }
  }

  async #write(node: Redis, number: number): Promise<boolean> {
    await node.set(`${this.prefix}probe:${number}`, '', 'PX', KEPT_MS);
    return true;
  }
}

/** Whether the slot of the key belongs to another node. */
function ignoreMoved(error: unknown): false {
  if (isReply(error) && error instanceof Error && /^(MOVED|ASK) /.test(error.message)) return false;
  throw error;
}

/** Advice on the configuration of the nodes, one sentence for each node. */
export async function evictionWarnings(nodes: readonly Redis[]): Promise<string[]> {
  const warnings = await Promise.all(nodes.map((node) => evictionWarning(node)));
  return warnings.flatMap((warning) => warning ?? []);
}

async function evictionWarning(node: Redis): Promise<string | undefined> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await node.info('memory'))?.[1] ?? 'noeviction';
  const { host, port } = node.options;
  return policy === 'noeviction'
    ? undefined
    : `Redis ${host}:${port}: maxmemory-policy is ${policy}; set noeviction, or what it evicts is lost`;
}
