import { shared } from '../../../domain/foundation/concurrency.ts';
import { DomainError, ignoring } from '../../../domain/foundation/errors.ts';
import { retried } from '../../../domain/foundation/records.ts';
import { createSeal, readSeal, SEAL_ID } from '../../../domain/migration/seal-record.ts';
import type { Secrets } from '../../../ports/secrets.ts';
import type { Collection } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';

/** How long a check is valid, in milliseconds: a database that was emptied may belong to another instance by then. */
const HOLDS_MS = 30_000;

/**
 * Checks by one record that the ring has every master key under which data of this store is sealed. The record is
 * written when there is none: the first time, and after the database was emptied. A new current key is added to it
 * before the first value is sealed under that key.
 */
export class KeyCheck {
  #checkedAt: number | undefined;
  #digestKey: string | undefined;

  constructor(
    private readonly parts: {
      /** The collection of the record, as the database stores it. */
      records: Collection<unknown>;
      secrets: Secrets;
      clock: Clock;
    },
  ) {}

  /**
   * Reads the record now. @throws Error when the ring lacks a key of this store; DomainError `StoreUnavailable` when
   * that cannot be known now
   */
  readonly check = shared(() => this.#read());

  /** The same with the error for callers. @throws DomainError `StoreUnavailable` */
  async look(): Promise<void> {
    await this.check().catch((cause) => {
      throw notOurs(cause);
    });
  }

  /** Undefined when the keys were the right ones at the last recent check; else as `look`. */
  usable(): Promise<void> | undefined {
    const age = this.parts.clock.now() - (this.#checkedAt ?? Number.POSITIVE_INFINITY);
    return age >= 0 && age < HOLDS_MS ? undefined : this.look();
  }

  /** Returns `StoreUnavailable` for a value that cannot be unsealed, and has the record read before the next use. */
  refused(cause: unknown): DomainError {
    this.#checkedAt = undefined;
    return notOurs(cause);
  }

  /** The digest under which this store keeps an id; only after `usable`. */
  digest(text: string, context: string): string {
    if (this.#digestKey === undefined) throw new Error('The key of the digests was not read');
    return this.parts.secrets.digest(text, context, this.#digestKey);
  }

  async #read(): Promise<void> {
    this.#checkedAt = undefined;
    const now = this.parts.clock.now();
    await retried(() => this.#agree());
    this.#checkedAt = now;
  }

  /** Sees to it that the record names the current key; returns undefined when another instance wrote the record meanwhile. */
  async #agree(): Promise<true | undefined> {
    const { records, secrets } = this.parts;
    const [current = ''] = secrets.keyIds;
    const found = await records.get({ id: SEAL_ID });
    const known = found && readSeal(found.value, secrets);
    const digestKey = known?.digestKey ?? this.#digestKey ?? secrets.digestKeyOf(current);
    this.#digestKey = digestKey;
    if (known?.isCurrent) return true;
    const value = createSeal([...(known?.keys ?? []), current], digestKey, secrets);
    const write = found
      ? records.replace({ id: SEAL_ID, value }, found.revision)
      : records.insert({ id: SEAL_ID, value });
    return write.then(() => true, ignoring('Conflict'));
  }
}

function notOurs(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const detail = 'this instance has another master key than the one that sealed the data, or the data was altered';
  return new DomainError('StoreUnavailable', 'The store cannot be used', { cause, detail });
}
