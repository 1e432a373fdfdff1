import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { Collection } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';

/** How long a check holds, in milliseconds: a database that was emptied may be another instance's by then. */
const HOLDS_MS = 30_000;

/**
 * Knows whether this master key sealed what the database holds, by one sealed record: the probe. It is written when
 * there is none, the first time and after the database was emptied.
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
   * Looks at the probe now. @throws Error when another master key sealed this data; DomainError `StoreUnavailable` when
   * that cannot be known now
   */
  check(): Promise<void> {
    this.#checking ??= this.#openProbe().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** The same, with the one error that an answer knows. @throws DomainError `StoreUnavailable` */
  async look(): Promise<void> {
    await this.check().catch((cause) => {
      throw notOurs(cause);
    });
  }

  /** Resolves when the key was the right one a short time ago, or is now. @throws DomainError `StoreUnavailable` */
  async usable(): Promise<void> {
    const age = this.#clock.now() - (this.#checkedAt ?? Number.POSITIVE_INFINITY);
    if (!(age >= 0 && age < HOLDS_MS)) await this.look();
  }

  /** Makes `StoreUnavailable` of a value that cannot be opened, and looks at the probe before the next use. */
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
