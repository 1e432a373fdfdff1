import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { Collection } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';

/** How long a check is valid, in milliseconds: a database that was emptied may belong to another instance by then. */
const HOLDS_MS = 30_000;

/**
 * Checks by one sealed record, the probe, whether this master key sealed the data of the database. The probe is written
 * when there is none: the first time, and after the database was emptied.
 */
export class KeyCheck {
  readonly #probes: Collection<string>;
  readonly #clock: Clock;
  #checkedAt: number | undefined;
  #checking: Promise<void> | undefined;

  constructor(probes: Collection<string>, clock: Clock) {
    this.#probes = probes;
    this.#clock = clock;
  }

  /**
   * Reads the probe now. @throws Error when another master key sealed this data; DomainError `StoreUnavailable` when
   * that cannot be known now
   */
  check(): Promise<void> {
    this.#checking ??= this.#openProbe().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** The same with the error for callers. @throws DomainError `StoreUnavailable` */
  async look(): Promise<void> {
    await this.check().catch((cause) => {
      throw notOurs(cause);
    });
  }

  /** Resolves when the key was the right one at the last recent check, or is now. @throws DomainError `StoreUnavailable` */
  async usable(): Promise<void> {
    const age = this.#clock.now() - (this.#checkedAt ?? Number.POSITIVE_INFINITY);
    if (!(age >= 0 && age < HOLDS_MS)) await this.look();
  }

  /** Returns `StoreUnavailable` for a value that cannot be unsealed, and has the probe read before the next use. */
  refused(cause: unknown): DomainError {
    this.#checkedAt = undefined;
    return notOurs(cause);
  }

  async #openProbe(): Promise<void> {
    this.#checkedAt = undefined;
    const now = this.#clock.now();
    if (!(await this.#probes.get({ id: 'probe' }))) {
      await this.#probes.insert({ id: 'probe', value: 'probe' }).catch(ignoreConflict);
      await this.#probes.get({ id: 'probe' });
    }
    this.#checkedAt = now;
  }
}

function notOurs(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const detail = 'this instance has another master key than the one that sealed the data, or the data was altered';
  return new DomainError('StoreUnavailable', 'The store cannot be used', { cause, detail });
}

/** Another instance wrote the probe meanwhile. */
function ignoreConflict(error: unknown): void {
  if (!isDomainError(error, 'Conflict')) throw error;
}
