import type { Cluster, Redis } from 'ioredis';
import { type Pause, retried } from '../../domain/migration/retries.ts';
import type { Log } from '../../ports/log.ts';
import type { BodyChange, RawKey, RawRecord, RawStore } from '../../ports/store-copy.ts';
import type { Clock } from '../../ports/system.ts';
import { type Group, Keys, type Place } from './keys.ts';
import { decode, encode } from './record-text.ts';
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
    const text = await this.#link.run((client) =>
      key.listed
        ? client.hget(this.#keys.group(key.collection, key.parent).records, key.id)
        : client.get(this.#keys.single(key.collection, key)),
    );
    return text === null ? undefined : toRaw(key, text);
  }

  #put(record: RawRecord): Promise<unknown> {
    const { collection, listed, parent, id, createdAt, updatedAt, expiresAt = '-' } = record;
    const now = this.#clock.now();
    const text = encode(record);
    if (!listed)
      return this.#link.script(PUT_SINGLE, {
        keys: [this.#keys.single(collection, { parent, id })],
        args: [now, expiresAt, text],
      });
    const keys = Object.values<string>({ ...this.#keys.group(collection, parent) });
    return this.#link.script(PUT_LISTED, { keys, args: [now, id, expiresAt, text, createdAt, updatedAt] });
  }

  #swap({ record, body }: BodyChange): Promise<unknown> {
    const { collection, listed, parent, id } = record;
    const [old, text] = [encode(record), encode({ ...record, body })];
    if (!listed)
      return this.#link.script(SWAP_SINGLE, { keys: [this.#keys.single(collection, record)], args: [old, text] });
    return this.#link.script(SWAP_LISTED, {
      keys: [this.#keys.group(collection, parent).records],
      args: [id, old, text],
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
      const scan = (client: Redis | Cluster) => client.hscan(records, at, 'COUNT', size);
      const [next, flat] = await this.#retried(() => this.#link.run(scan));
      cursor = next;
      yield pairs(flat).map(([id, text]) => toRaw({ collection, listed: true, parent, id }, text));
    } while (cursor !== '0');
  }
}

const toRaw = ({ collection, listed, parent, id }: RawKey, text: string): RawRecord => ({
  collection,
  listed,
  parent,
  id,
  ...decode(text),
});

const pairs = (flat: string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index] ?? '', flat[2 * index + 1] ?? '']);
