import type { Clock } from '../../../ports/system.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { Target } from '../access/targets.ts';
import type { AuditChains } from './audit-chains.ts';
import type { AuditEvent } from './audit-event.ts';

/** How long events are kept (audit.conf). */
export interface AuditRules {
  retentionDays: number;
}

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 50;
/** From one removal until the next is due, and how long that one waits for a quiet minute, in milliseconds. */
const HOUR_MS = 3_600_000;

/** Removes events for their age. The number and the hash of the last one are noted before, so that the others can still be checked. */
export class AuditRetention {
  #dueAt: number;
  #calls = 0;

  constructor(
    private readonly chains: AuditChains,
    private readonly rules: AuditRules,
    private readonly clock: Clock,
  ) {
    this.#dueAt = clock.now();
  }

  /**
   * Called each minute with the number of calls recorded so far: removes what is too old in the first minute without one
   * after the start, and an hour after each removal; at the latest an hour later.
   */
  async minute(calls: number): Promise<void> {
    const isQuiet = calls === this.#calls;
    this.#calls = calls;
    const waited = this.clock.now() - this.#dueAt;
    if (waited < 0 || (!isQuiet && waited < HOUR_MS)) return;
    this.#dueAt = this.clock.now() + HOUR_MS;
    await this.run();
  }

  /** Removes from every chain what is too old. Several instances may do so at the same time. */
  async run(): Promise<void> {
    const limit = isoMillis(this.clock.now() - this.rules.retentionDays * DAY_MS);
    for (const chain of await this.chains.all()) while (await this.#removePage(chain, limit));
  }

  /** Returns whether there may be more. */
  async #removePage(chain: Target, limit: string): Promise<boolean> {
    const { events, isLast } = await this.chains.page(chain, 0);
    const young = events.findIndex(({ time }) => time >= limit);
    const old: AuditEvent[] = young < 0 ? events : events.slice(0, young);
    const last = old.at(-1);
    if (!last) return false;
    await this.chains.noteRemoval(chain, { sequence: last.sequence, hash: last.hash });
    await mapBounded(old, REMOVED_AT_ONCE, (event) => this.chains.remove(chain, event));
    return young < 0 && !isLast;
  }
}
