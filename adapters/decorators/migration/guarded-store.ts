import { shared } from '../../../domain/foundation/concurrency.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { type DataTaker, takeData } from '../../../domain/migration/data-version.ts';
import {
  isUnfinished,
  MARKER_COLLECTION,
  MIGRATION_MARKER,
  unfinished,
} from '../../../domain/migration/migration-marker.ts';
import { StoreRefusal } from '../../../domain/migration/store-refusal.ts';
import type { Log } from '../../../ports/log.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { gated } from '../gated-collection.ts';

/** How long a look at the store is valid, in milliseconds: a newer program may have taken it since. */
const HOLDS_MS = 5000;

/**
 * Wraps a store so that it is not used while a migration into it is unfinished, which would delete new records, nor
 * after a newer program has taken it, whose data this one would misread.
 */
export class GuardedStore implements Store {
  #seenAt: number | undefined;
  #isReported = false;

  constructor(
    private readonly store: Store,
    private readonly parts: DataTaker & {
      clock: Clock;
      log: Log;
      /** Resolves when this server can use a finished copy; until then a further run may still change it. */
      verify(): Promise<void>;
    },
  ) {}

  /** A collection whose operations are refused as `claim` refuses the store. */
  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    return gated(this.store.collection(spec), () => (this.#wasSeen() ? undefined : this.#usable()));
  }

  /** Resolves when the database answers and this program may use it now. */
  async ping(): Promise<void> {
    await this.store.ping();
    await this.#usable();
  }

  async checkWritable(): Promise<void> {
    if (!this.#wasSeen()) await this.#usable();
    await this.store.checkWritable();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /**
   * Ends the migration into this store, so that no later run may overwrite it, and raises the version of its data.
   * @throws StoreRefusal; DomainError `StoreUnavailable` when that is unknown now
   */
  readonly claim = shared(() => this.#look());

  async #look(): Promise<void> {
    this.#seenAt = undefined;
    const now = this.parts.clock.now();
    await this.#removeMarker();
    await takeData(this.store, this.parts);
    this.#seenAt = now;
  }

  #wasSeen(): boolean {
    if (this.#seenAt === undefined) return false;
    const age = this.parts.clock.now() - this.#seenAt;
    return age >= 0 && age < HOLDS_MS;
  }

  async #removeMarker(): Promise<void> {
    const markers = this.store.collection(MARKER_COLLECTION);
    const found = await markers.get(MIGRATION_MARKER);
    if (!found) return;
    if (isUnfinished(found.value)) throw unfinished(found.value);
    await this.parts.verify();
    const taken = await markers.take(MIGRATION_MARKER);
    if (!taken || !isUnfinished(taken.value)) return;
    // Another run has started meanwhile.
    await markers.insert(taken);
    throw unfinished(taken.value);
  }

  async #usable(): Promise<void> {
    await this.claim().catch((cause) => this.#refuse(cause));
  }

  #refuse(cause: unknown): never {
    if (cause instanceof DomainError) throw cause;
    const detail = cause instanceof Error ? cause.message : String(cause);
    if (!this.#isReported) this.parts.log.error(detail);
    this.#isReported = true;
    const answer = cause instanceof StoreRefusal ? cause.answer : 'The store cannot be used';
    throw new DomainError('StoreUnavailable', answer, { cause, detail });
  }
}
