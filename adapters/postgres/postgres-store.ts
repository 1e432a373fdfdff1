import { randomBytes } from 'node:crypto';
import type { Log } from '../../ports/log.ts';
import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { PostgresStoreSettings } from './address.ts';
import { ExpiredRecords } from './expired-records.ts';
import { PostgresCollection } from './postgres-collection.ts';
import { PostgresConnection } from './postgres-connection.ts';
import type { Statement } from './statements.ts';

const PING: Statement = { name: 'ping', text: 'SELECT 1' };

/** One row, which is not one of the records. */
const PROBE: Statement = {
  name: 'probe',
  text: 'INSERT INTO write_probe (id, body) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET body = EXCLUDED.body',
};
/** It needs more room than most records with their indexes. */
const PROBE_BYTES = 16_384;

/** A store in PostgreSQL (13 or newer), shared by any number of processes. */
export class PostgresStore implements Store {
  readonly #link: PostgresConnection;
  readonly #clock: Clock;
  readonly #expired: ExpiredRecords;

  constructor(settings: PostgresStoreSettings, { clock, log }: { clock: Clock; log: Log }) {
    this.#link = new PostgresConnection(settings, log);
    this.#clock = clock;
    this.#expired = new ExpiredRecords(this.#link, clock);
    this.#expired.start();
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    return new PostgresCollection({ spec, clock: this.#clock, link: this.#link });
  }

  async ping(): Promise<void> {
    await this.#link.run(PING, []);
  }

  async checkWritable(): Promise<void> {
    await this.#link.run(PROBE, [randomBytes(PROBE_BYTES)]);
  }

  /** Whether a first start has made the tables. @throws DomainError `StoreUnavailable` */
  hasTables(): Promise<boolean> {
    return this.#link.hasTables();
  }

  async close(): Promise<void> {
    this.#expired.stop();
    await this.#link.close();
  }
}
