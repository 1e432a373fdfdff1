import type { Cluster, Redis } from 'ioredis';
import { type Pause, retried } from '../../domain/migration/retries.ts';
import type { Log } from '../../ports/log.ts';
import type { BodyChange, RawKey, RawRecord, RawStore } from '../../ports/store-copy.ts';
import type { Clock } from '../../ports/system.ts';
import { type Group, Keys, type Place } from './keys.ts';
import { decode, encode } from './record-bytes.ts';
import { RedisConnection } from './redis-connection.ts';
import type { RedisStoreSettings } from './redis-store.ts';
import { PUT_LISTED, PUT_SINGLE, SWAP_LISTED, SWAP_SINGLE, TAKE_LISTED } from './scripts.ts';

/** Dependencies of a copy. */
interface CopySurroundings {
  clock: Clock;
  log: Log;
  pause: Pause;
}

/** A Redis or Redis Cluster as the source or target of a copy. */
export class RedisCopy implements RawStore {
  readonly #link: RedisConnection;
  readonly #keys: Keys;
  readonly #clock: Clock;
  readonly #pause: Pause;

  constructor(settings: RedisStoreSettings, { clock, log, pause }: CopySurroundings) {
    this.#link = new RedisConnection(settings, log);
    this.#keys = new Keys(settings.keyPrefix);
    this.#clock = clock;
    this.#pause = pause;
  }

  ping(): Promise<void> {
    return this.#link.ping();
  }

  async *records(size: number): AsyncGenerator<RawRecord[]> {
    await this.#retried(() => this.ping());
    for (const node of this.#link.masters())
      for await (const places of this.#places(node, size)) {
        yield await this.#singles(places);
        for (const place of places) if (place.kind === 'group') yield* this.#group(place, size);
      }
  }

  get(keys: RawKey[]): Promise<(RawRecord | undefined)[]> {
    return this.#retried(() => Promise.all(keys.map((key) => this.#get(key))));
  }

  async put(records: RawRecord[]): Promise<number> {
    const changes = await this.#retried(() => Promise.all(records.map((record) => this.#put(record))));
    return changes.filter((change) => change === 1).length;
  }

  async delete(keys: RawKey[]): Promise<void> {
    await this.#retried(() => Promise.all(keys.map((key) => this.#delete(key))));
  }

  async swap(changes: BodyChange[]): Promise<number> {
    const swapped = await this.#retried(() => Promise.all(changes.map((change) => this.#swap(change))));
    return swapped.filter((count) => count === 1).length;
  }

  async close(): Promise<void> {
    this.#link.close();
  }

  #retried<R>(work: () => Promise<R>): Promise<R> {
    return retried(work, this.#pause);
  }

  async #get(key: RawKey): Promise<RawRecord | undefined> {
    const bytes = await this.#link.run((client) =>
      key.listed
        ? client.hgetBuffer(this.#keys.group(key.collection, key.parent).records, key.id)
        : client.getBuffer(this.#keys.single(key.collection, key)),
    );
    return bytes === null ? undefined : toRaw(key, bytes);
  }

  #put(record: RawRecord): Promise<unknown> {
    const { collection, listed, parent, id, createdAt, updatedAt, expiresAt = '-' } = record;
    const now = this.#clock.now();
    const bytes = encode(record);
    if (!listed)
      return this.#link.script(PUT_SINGLE, {
        keys: [this.#keys.single(collection, { parent, id })],
        args: [now, expiresAt, bytes],
      });
    const keys = Object.values<string>({ ...this.#keys.group(collection, parent) });
    return this.#link.script(PUT_LISTED, { keys, args: [now, id, expiresAt, bytes, createdAt, updatedAt] });
  }

  #swap({ record, body }: BodyChange): Promise<unknown> {
    const { collection, listed, parent, id } = record;
    const [old, bytes] = [encode(record), encode({ ...record, body })];
    if (!listed)
      return this.#link.script(SWAP_SINGLE, { keys: [this.#keys.single(collection, record)], args: [old, bytes] });
    return this.#link.script(SWAP_LISTED, {
      keys: [this.#keys.group(collection, parent).records],
      args: [id, old, bytes],
    });
  }

  async #delete({ collection, listed, parent, id }: RawKey): Promise<void> {
    const group = Object.values<string>({ ...this.#keys.group(collection, parent) });
    if (listed) await this.#link.script(TAKE_LISTED, { keys: group, args: [this.#clock.now(), id] });
    else await this.#link.run((client) => client.del(this.#keys.single(collection, { parent, id })));
  }

  /** The records and groups of the keys of one node. */
  async *#places(node: Redis, size: number): AsyncGenerator<Place[]> {
    let cursor = '0';
    do {
      const at = cursor;
      const scan = () => node.scan(at, 'MATCH', `${this.#keys.prefix}*`, 'COUNT', size);
      const [next, keys] = await this.#retried(() => this.#link.run(scan));
      cursor = next;
      yield keys.flatMap((key) => this.#keys.place(key) ?? []);
    } while (cursor !== '0');
  }

  async #singles(places: Place[]): Promise<RawRecord[]> {
    const singles = places.flatMap((place) => (place.kind === 'single' ? [{ ...place, listed: false }] : []));
    const records = await this.get(singles.map(({ kind: _, ...key }) => key));
    return records.flatMap((record) => record ?? []);
  }

  async *#group({ collection, parent }: Group, size: number): AsyncGenerator<RawRecord[]> {
    const { records } = this.#keys.group(collection, parent);
    let cursor = '0';
    do {
      const at = cursor;
      const scan = (client: Redis | Cluster) => client.hscanBuffer(records, at, 'COUNT', size);
      const [next, flat] = await this.#retried(() => this.#link.run(scan));
      cursor = String(next);
      yield pairs(flat).map(([id, bytes]) => toRaw({ collection, listed: true, parent, id }, bytes));
    } while (cursor !== '0');
  }
}

const toRaw = ({ collection, listed, parent, id }: RawKey, bytes: Buffer): RawRecord => ({
  collection,
  listed,
  parent,
  id,
  ...decode(bytes),
});

const pairs = (flat: Buffer[]): [string, Buffer][] =>
  flat.flatMap((id, at) => (at % 2 === 0 ? [[String(id), flat[at + 1] as Buffer]] : []));
