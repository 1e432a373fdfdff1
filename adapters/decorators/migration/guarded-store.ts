import { DomainError } from '../../../domain/foundation/errors.ts';
import {
  isUnfinished,
  MARKER_COLLECTION,
  MIGRATION_MARKER,
  type MigrationMarker,
} from '../../../domain/migration/migration-marker.ts';
import type { Log } from '../../../ports/log.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';

/** Dependencies of the guard beside the store. */
export interface GuardedParts {
  log: Log;
  /** Resolves when this server can use a finished copy; until then a further run may still change it. */
  verify(): Promise<void>;
}

/** Wraps a store so that it is not used while a migration into it is unfinished, which would delete new records. */
export class GuardedStore implements Store {
  readonly #store: Store;
  readonly #parts: GuardedParts;
  #claiming: Promise<void> | undefined;
  #isClaimed = false;
  #isReported = false;

  constructor(store: Store, parts: GuardedParts) {
    this.#store = store;
    this.#parts = parts;
  }

  /** Collections that are opened before the store could be claimed try to claim it on each use. */
  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const inner = this.#store.collection(spec);
    if (this.#isClaimed) return inner;
    const claimed =
      <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        await this.#usable();
        return work(...args);
      };
    return {
      insert: claimed((record) => inner.insert(record)),
      get: claimed((key) => inner.get(key)),
      replace: claimed((record, ifRevision) => inner.replace(record, ifRevision)),
      remove: claimed((key) => inner.remove(key)),
      take: claimed((key) => inner.take(key)),
      list: claimed((query) => inner.list(query)),
      ids: claimed((query) => inner.ids(query)),
    };
  }

  /** Resolves when the database answers and contains no unfinished copy. */
  async ping(): Promise<void> {
    await this.#store.ping();
    await this.#removeMarker().catch((cause) => this.#refuse(cause));
  }

  async checkWritable(): Promise<void> {
    await this.#usable();
    await this.#store.checkWritable();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /**
   * Ends the migration into this store: no later run may overwrite it.
   * @throws Error when the last run is unfinished; DomainError `StoreUnavailable` when that is unknown now
   */
  claim(): Promise<void> {
    this.#claiming ??= this.#removeMarker().then(
      () => {
        this.#isClaimed = true;
      },
      (error) => {
        this.#claiming = undefined;
        throw error;
      },
    );
    return this.#claiming;
  }

  async #removeMarker(): Promise<void> {
    const markers = this.#store.collection(MARKER_COLLECTION);
    const found = await markers.get(MIGRATION_MARKER);
    if (!found) return;
    if (isUnfinished(found.value)) throw unfinished(found.value);
    await this.#parts.verify();
    const taken = await markers.take(MIGRATION_MARKER);
    if (!taken || !isUnfinished(taken.value)) return;
    // Another run has started meanwhile.
    await markers.insert(taken);
    throw unfinished(taken.value);
  }

  async #usable(): Promise<void> {
    if (!this.#isClaimed) await this.claim().catch((cause) => this.#refuse(cause));
  }

  #refuse(cause: unknown): never {
    if (cause instanceof DomainError) throw cause;
    if (!this.#isReported) this.#parts.log.error(String(cause instanceof Error ? cause.message : cause));
    this.#isReported = true;
    throw new DomainError('StoreUnavailable', 'The store cannot be used', { cause });
  }
}

const unfinished = ({ source }: MigrationMarker): Error =>
  new Error(
    `The store is a half-finished copy of ${source}. Run credenza migrate from there again until it ends well, or empty the store`,
  );
