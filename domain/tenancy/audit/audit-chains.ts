import type { Collection, RecordKey, Store, Stored } from '../../../ports/store.ts';
import type { Clock, MonotonicClock } from '../../../ports/system.ts';
import { CallBatches } from '../../foundation/call-batches.ts';
import { LruCache } from '../../foundation/lru-cache.ts';
import { insertFirst, readAll, retried, tooManyRequests, update } from '../../foundation/records.ts';
import type { Target } from '../access/targets.ts';
import { type AuditEvent, type AuditFacts, type ChainEnd, INSTALLATION, linked, ZERO_HASH } from './audit-event.ts';

/** What is kept of a chain beside its events. */
export interface ChainRecord extends ChainEnd {
  /** The last event that was removed because of its age. */
  removed: ChainEnd;
  /** Whether an earlier chain of this name was removed from the store and not by this server. */
  isBegunAnew?: true;
}

/** What an instance remembers of the end of a chain. */
interface KnownEnd {
  end: ChainEnd & { time?: string };
  record: Stored<ChainRecord>;
  /** Of the monotonic clock, in milliseconds. */
  at: number;
}

/** How long an end is remembered, in milliseconds: far less than the shortest time that events are kept. */
const REMEMBERED_MS = 60_000;
/** How many events are read at a time. */
export const PAGE = 200;

/**
 * The chains of events: one for each organization and one for the installation. The id of an event is its number, so of
 * two instances that append at once one gets the number, and the other links its event to that one. The record of a chain
 * repeats the number and the hash of a late event; it is never ahead of the events, so it shows when the last ones are missing.
 */
export class AuditChains {
  readonly #events: Collection<AuditEvent>;
  readonly #records: Collection<ChainRecord>;
  /** One empty record for each chain that was ever begun; nothing removes it. */
  readonly #names: Collection<object>;
  readonly #known = new LruCache<KnownEnd>('audit-chains');
  readonly #batches = new CallBatches<AuditFacts, AuditEvent>();

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      monotonicClock: MonotonicClock;
    },
  ) {
    this.#events = parts.store.collection({ name: 'audit-events', listed: true, afterRestore: 'kept' });
    this.#records = parts.store.collection({ name: 'audit-chains', listed: true, afterRestore: 'kept' });
    this.#names = parts.store.collection({ name: 'audit-chain-names', afterRestore: 'kept' });
  }

  /** Appends an event. @throws DomainError `StoreUnavailable`; then it may have been appended */
  append(chain: Target, facts: AuditFacts): Promise<AuditEvent> {
    return this.#batches.join(chain, facts, async (all) => {
      const written: AuditEvent[] = [];
      try {
        for (const one of all) written.push(await this.#write(chain, one));
        if (all.some(({ outcome }) => outcome !== 'begun')) await this.#noteEnd(chain);
      } catch (error) {
        this.#known.delete(chain);
        throw error;
      }
      return written;
    });
  }

  /** The record of a chain; undefined when nothing was ever appended. */
  async record(chain: Target): Promise<ChainRecord | undefined> {
    return (await this.#records.get(keyOf(chain)))?.value;
  }

  /** Whether a chain was ever begun. */
  async wasBegun(chain: Target): Promise<boolean> {
    return (await this.#names.get(keyOf(chain))) !== undefined;
  }

  /** Every chain. */
  async all(): Promise<Target[]> {
    const records = await readAll({ collection: this.#records, parent: '', order: 'id' });
    return records.map(({ id }) => (id === INSTALLATION_ID ? INSTALLATION : id));
  }

  /** The event with a number. */
  async event(chain: Target, sequence: number): Promise<AuditEvent | undefined> {
    return (await this.#events.get({ parent: chain, id: idOf(sequence) }))?.value;
  }

  /** The first event of a chain, or the last with `id-`. */
  async outermost(chain: Target, order: 'id' | 'id-'): Promise<AuditEvent | undefined> {
    const [found] = await this.#events.list({ parent: chain, order, offset: 0, limit: 1 });
    return found?.value;
  }

  /** At most `PAGE` events that follow a number upwards or downwards; `isLast` when there are none after them. */
  async page(
    chain: Target,
    after: number,
    order: 'id' | 'id-' = 'id',
  ): Promise<{ events: AuditEvent[]; isLast: boolean }> {
    const query = { parent: chain, order, after: idOf(after), offset: 0, limit: PAGE };
    const events = (await this.#events.list(query)).map(({ value }) => value);
    return { events, isLast: events.length < PAGE };
  }

  /** Keeps the end of what is about to be removed for its age. */
  async noteRemoval(chain: Target, removed: ChainEnd): Promise<void> {
    const change = (record: ChainRecord): ChainRecord =>
      removed.sequence > record.removed.sequence ? { ...record, removed } : record;
    await update({ collection: this.#records, key: keyOf(chain), change });
  }

  async remove(chain: Target, { sequence }: ChainEnd): Promise<void> {
    await this.#events.remove({ parent: chain, id: idOf(sequence) });
  }

  #write(chain: Target, facts: AuditFacts): Promise<AuditEvent> {
    const { clock, monotonicClock } = this.parts;
    let known = this.#remembered(chain);
    return retried(async () => {
      known ??= await this.#readEnd(chain);
      const event = linked(known.end, facts, clock.now());
      const isFirst = await insertFirst(this.#events, { parent: chain, id: idOf(event.sequence), value: event });
      if (isFirst) {
        this.#known.set(chain, { ...known, end: event, at: monotonicClock.now() }, { bytes: KNOWN_BYTES });
        return event;
      }
      known = undefined;
      return undefined;
    });
  }

  #remembered(chain: Target): KnownEnd | undefined {
    const known = this.#known.get(chain);
    return known && this.parts.monotonicClock.now() - known.at < REMEMBERED_MS ? known : undefined;
  }

  /** The end in the store; an event whose predecessors are missing follows the last one that is known to have been there. */
  async #readEnd(chain: Target): Promise<KnownEnd> {
    const key = keyOf(chain);
    const last = await this.outermost(chain, 'id-');
    const record = (await this.#records.get(key)) ?? (await this.#begin(chain));
    // After the record: a name without a record is a chain that was removed. Chains of earlier versions have no name yet.
    if (!(await this.wasBegun(chain))) await insertFirst(this.#names, { ...key, value: {} });
    const ends = [record.value, record.value.removed, ...(last ? [last] : [])];
    const end = ends.reduce((latest, one) => (one.sequence >= latest.sequence ? one : latest));
    return { end, record, at: 0 };
  }

  async #begin(chain: Target): Promise<Stored<ChainRecord>> {
    const key = keyOf(chain);
    const anew = (await this.wasBegun(chain)) ? { isBegunAnew: true as const } : {};
    await insertFirst(this.#records, { ...key, value: { ...START, removed: START, ...anew } });
    const record = await this.#records.get(key);
    if (!record) throw tooManyRequests();
    return record;
  }

  async #noteEnd(chain: Target): Promise<void> {
    const known = this.#known.get(chain);
    if (!known) return;
    const { sequence, hash } = known.end;
    const change = (record: ChainRecord): ChainRecord =>
      sequence > record.sequence ? { ...record, sequence, hash } : record;
    const record = await update({ collection: this.#records, key: keyOf(chain), change, from: known.record });
    if (record) this.#known.set(chain, { ...known, record }, { bytes: KNOWN_BYTES });
    else this.#known.delete(chain);
  }
}

const KNOWN_BYTES = 1024;
const START: ChainEnd = { sequence: 0, hash: ZERO_HASH };
const INSTALLATION_ID = '.';

const keyOf = (chain: Target): RecordKey => ({ parent: '', id: chain === INSTALLATION ? INSTALLATION_ID : chain });

/** The numbers as texts in the same order. */
const idOf = (sequence: number): string => String(sequence).padStart(16, '0');
