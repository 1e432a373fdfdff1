import { shared } from '../../../domain/foundation/concurrency.ts';
import { reasonOf } from '../../../domain/foundation/errors.ts';
import type { Log } from '../../../ports/log.ts';
import type { Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';

/** How long a successful write proves readiness, in milliseconds; it bounds the writes that callers can cause. */
const PROOF_MS = 1000;

/** Checks that the store can be used: it answers, its data can be unsealed, and it accepts writes. */
export class Readiness {
  #provenAt: number | undefined;
  readonly #prove = shared(() => this.parts.store.checkWritable());
  #isReady = true;

  constructor(
    private readonly parts: {
      store: Pick<Store, 'ping' | 'checkWritable'>;
      clock: Clock;
      log: Log;
    },
  ) {}

  /** Resolves when the store can be used; each change is logged. @throws DomainError `StoreUnavailable` */
  async ping(): Promise<void> {
    try {
      await this.parts.store.ping();
      await this.#proveWritable();
    } catch (error) {
      if (this.#isReady) this.parts.log.warn('not ready', { reason: reasonOf(error) });
      this.#isReady = false;
      throw error;
    }
    if (!this.#isReady) this.parts.log.info('ready again');
    this.#isReady = true;
  }

  /** Writes once at a time for all concurrent callers. */
  async #proveWritable(): Promise<void> {
    const { clock } = this.parts;
    const age = clock.now() - (this.#provenAt ?? Number.POSITIVE_INFINITY);
    if (age >= 0 && age < PROOF_MS) return;
    const now = clock.now();
    await this.#prove();
    this.#provenAt = now;
  }
}
