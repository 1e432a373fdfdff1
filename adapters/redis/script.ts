import { createHash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';

/** One run of a script. */
interface Sending {
  keys: string[];
  args: (string | number)[];
  /** Bounds the time of one command. */
  answered<R>(outcome: Promise<R>): Promise<R>;
}

/** A Lua script, sent by its digest and in full to a server that does not know it yet. */
export class Script {
  readonly #lua: string;
  readonly #sha: string;

  constructor(lua: string) {
    this.#lua = lua;
    this.#sha = createHash('sha1').update(lua).digest('hex');
  }

  async run(client: Redis | Cluster, { keys, args, answered }: Sending): Promise<unknown> {
    try {
      return await answered(client.evalsha(this.#sha, keys.length, ...keys, ...args));
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('NOSCRIPT'))) throw error;
      return answered(client.eval(this.#lua, keys.length, ...keys, ...args));
    }
  }
}
