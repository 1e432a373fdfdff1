import { codecOf } from '../../domain/foundation/bodies.ts';
import type { Log } from '../../ports/log.ts';
import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { RedisAddress } from './connection-options.ts';
import { Keys } from './keys.ts';
import { ListedCollection } from './listed-collection.ts';
import { WriteProbe } from './node-checks.ts';
import { RedisConnection } from './redis-connection.ts';
import { SingleCollection } from './single-collection.ts';

/** Address of the store and the prefix of its keys. */
export interface RedisStoreSettings extends RedisAddress {
  keyPrefix: string;
}

/** A store in Redis or a Redis Cluster (6.2 or newer), shared by any number of processes. */
export class RedisStore implements Store {
  readonly #link: RedisConnection;
  readonly #keys: Keys;
  readonly #clock: Clock;
  readonly #probe: WriteProbe;

  constructor(settings: RedisStoreSettings, { clock, log }: { clock: Clock; log: Log }) {
    this.#link = new RedisConnection(settings, log);
    this.#keys = new Keys(settings.keyPrefix);
    this.#clock = clock;
    this.#probe = new WriteProbe(settings.keyPrefix);
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const parts = { name: spec.name, link: this.#link, keys: this.#keys, clock: this.#clock, codec: codecOf<T>(spec) };
    return spec.listed ? new ListedCollection<T>(parts) : new SingleCollection<T>(parts);
  }

  ping(): Promise<void> {
    return this.#link.ping();
  }

  checkWritable(): Promise<void> {
    return this.#link.run((client) => this.#probe.run(client, this.#link.masters()));
  }

  /** What an operator should change about how the database is set up. @throws DomainError `StoreUnavailable` */
  warnings(): Promise<string[]> {
    return this.#link.warnings();
  }

  async close(): Promise<void> {
    this.#link.close();
  }
}
