import { isDomainError } from '../../foundation/errors.ts';
import type { Target } from '../access/targets.ts';
import { type AuditChains, type ChainRecord, PAGE } from './audit-chains.ts';
import { type AuditEvent, type ChainEnd, hashOf } from './audit-event.ts';

/** What a check found. */
export interface CheckResult {
  valid: boolean;
  /** How many events were checked. */
  checked: number;
  /** The last event that was found right. */
  last?: ChainEnd;
  /** The first event that is wrong. */
  break?: ChainBreak;
  /** The number after which the next check begins; absent when all events were checked. */
  next?: number;
}

interface ChainBreak {
  sequence: number;
  reason: string;
}

/** The most events of one check. */
const CHECKED = 5000;
/** How often a check begins anew because events were removed for their age meanwhile. */
const ATTEMPTS = 3;

/** Computes the hashes of a chain again. */
export class AuditCheck {
  constructor(private readonly chains: AuditChains) {}

  /** Checks the events that follow the one with the number `after`, or all; events that are appended meanwhile are left out or right. */
  async run(chain: Target, after?: number): Promise<CheckResult> {
    for (let attempt = 1; ; attempt += 1) {
      const record = await this.chains.record(chain);
      const result = await this.#run(chain, record, after);
      const isSame = (await this.chains.record(chain))?.removed.sequence === record?.removed.sequence;
      if (result.valid || isSame || attempt === ATTEMPTS) return result;
    }
  }

  async #run(chain: Target, record: ChainRecord | undefined, after: number | undefined): Promise<CheckResult> {
    if (!record) return this.#withoutRecord(chain, after);
    if (record.isBegunAnew) return broken({ sequence: 1, reason: 'The whole chain was removed, and begun anew' });
    const start = await this.#start(chain, record, after);
    if ('reason' in start) return broken(start);
    let last = start;
    let checked = 0;
    const result = (found?: ChainBreak): CheckResult => ({
      valid: !found,
      checked,
      ...(last.sequence > 0 && { last: { sequence: last.sequence, hash: last.hash } }),
      ...(found && { break: found }),
    });
    for (;;) {
      const events = await this.#read(chain, last.sequence);
      for (const event of events) {
        const found = breakOf(event, last, record);
        if (found) return result(found);
        last = event as AuditEvent;
        checked += 1;
      }
      if (events.length < PAGE) break;
      if (checked >= CHECKED) return { ...result(), next: last.sequence };
    }
    return result(last.sequence < record.sequence ? missing(last.sequence + 1) : undefined);
  }

  /** A caller that names an event knows that there was a chain. */
  async #withoutRecord(chain: Target, after = 0): Promise<CheckResult> {
    const first = await this.chains.outermost(chain, 'id');
    if (first) return broken({ sequence: first.sequence, reason: 'The record of the chain is missing' });
    if (after === 0 && !(await this.chains.wasBegun(chain))) return { valid: true, checked: 0 };
    return broken({ sequence: 1, reason: 'The whole chain is missing' });
  }

  /** What the first checked event must follow. */
  async #start(chain: Target, { removed }: ChainRecord, after = 0): Promise<ChainEnd | ChainBreak> {
    if (after <= removed.sequence) return removed;
    const [event] = await this.#read(chain, after - 1);
    if (event === undefined || event.sequence !== after) return missing(after);
    return isRight(event) ? event : altered(after);
  }

  /** The events of a page after a number; those that cannot be unsealed only by their numbers. */
  async #read(chain: Target, after: number): Promise<Read[]> {
    try {
      return (await this.chains.page(chain, after)).events;
    } catch (error) {
      if (!isDomainError(error, 'StoreUnavailable')) throw error;
      // The store is down, or it contains what was not sealed here.
      await this.chains.record(chain);
      return this.#readSingly(chain, after);
    }
  }

  async #readSingly(chain: Target, after: number): Promise<Read[]> {
    const found: Read[] = [];
    for (let next = after + 1; next <= after + PAGE; next += 1) {
      const event = await this.chains.event(chain, next).catch((error) => {
        if (!isDomainError(error, 'StoreUnavailable')) throw error;
        return { sequence: next };
      });
      if (event) found.push(event);
      if (!event || !('hash' in event)) break;
    }
    return found;
  }
}

/** An event, or the number of one that cannot be read. */
type Read = AuditEvent | { sequence: number };

const isRight = (event: Read): event is AuditEvent => 'hash' in event && event.hash === hashOf(event);

const broken = (found: ChainBreak): CheckResult => ({ valid: false, checked: 0, break: found });

const missing = (sequence: number): ChainBreak => ({ sequence, reason: 'The event is missing' });
const altered = (sequence: number): ChainBreak => ({ sequence, reason: 'The event was altered' });

/** What is wrong with an event that follows `last`. */
function breakOf(event: Read, last: ChainEnd, record: ChainRecord): ChainBreak | undefined {
  const { sequence } = event;
  if (sequence !== last.sequence + 1) return missing(last.sequence + 1);
  if (!isRight(event)) return altered(sequence);
  if (event.previous !== last.hash) return { sequence, reason: 'The event does not follow the one before it' };
  if (sequence === record.sequence && event.hash !== record.hash) return altered(sequence);
  return undefined;
}
