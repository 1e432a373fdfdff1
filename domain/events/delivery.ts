import type { Log } from '../../ports/log.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { mapBounded } from '../foundation/concurrency.ts';
import { isDomainError, reasonOf } from '../foundation/errors.ts';
import { LEASE_MS, type Lease } from '../foundation/lease.ts';
import { DeliveryQueue, type DueSession, receiverOf, sessionsOf } from './delivery-queue.ts';
import { eventHeaders, signatureHeaders } from './event-headers.ts';
import {
  abandonedBefore,
  appended,
  created,
  deliverableAt,
  delivered,
  type EventLog,
  type EventSource,
  eventOf,
  type History,
  hasFailed,
  type LoggedEvent,
  leased,
  type NewEvent,
  nextPending,
  postponed,
  type ReportedEvent,
  recorded,
  removed,
  stopped,
} from './event-log.ts';
import type { EventLogs, StoredLog } from './event-logs.ts';
import { type EventMark, EventMarks, type StoredMark } from './event-marks.ts';

/** An event that is stored and leased to this request. */
export interface StoredEvent {
  session: string;
  id: string;
  log: StoredLog;
}

/** What came of a delivery: whether the receiver answered, or the error. */
type Outcome = { isReached: true } | { isReached: false; error: unknown };

/** What came of an event of a session, and its log after that. */
interface Resumed {
  outcome: Outcome;
  log: StoredLog | undefined;
}

/** How long the mark of an event may be stored before the event is, in milliseconds. */
const APPEND_MS = 60_000;
/** How often `resume` is called, in milliseconds. */
export const RESUME_MS = 5000;
/** The most marks that one call of `resume` looks at, and for how many sessions it delivers at once. */
const MAX_MARKS = 500;
const AT_ONCE = 32;
/** No delivery starts later than so many milliseconds after its round. */
export const ROUND_MS = 10_000;
/** How many marks are moved at once, and when deliveries that a round held back are looked at again. */
const MOVED_AT_ONCE = 8;
const HELD_MS = 5000;
/** The most sessions whose histories are delivered beside requests at once; `resume` delivers those of the others. */
const MAX_BESIDE = 64;

/**
 * Delivers events at least once and in order: an event is stored with its id before it is sent, and its mark is removed
 * after it was. What a killed process left is found by `resume`, of any instance; an event is delivered by one request at
 * a time, which has its lease. The receiver finds duplicates by the header `X-Event-Id`.
 */
export class EventDelivery {
  readonly #marks: EventMarks;
  #beside = 0;

  constructor(
    private readonly parts: {
      /** What the events are about, in the names of the collections and in log lines. */
      name: 'issuance' | 'verification';
      store: Store;
      logs: EventLogs;
      outbound: Outbound;
      clock: Clock;
      ids: Ids;
      log: Log;
      /** Does work beside the request that caused it, and ends it before the store is closed. */
      background: { once(name: string, work: () => Promise<void>): void };
      /** The operator's secrets, under which events are signed that have none of their own. */
      signingSecrets?: readonly string[];
      /** Is given the name of a log and its state with a new event of this process. */
      stored?(session: string, log: History): void;
      /** Composes the body of an event that was stored without; undefined when there is nothing to report. */
      bodyOf?(session: string): Promise<string | undefined>;
      /** Is called when a receiver took such a body. What it throws has the event delivered again. */
      taken?(session: string): Promise<void>;
    },
  ) {
    const { store, name } = parts;
    this.#marks = new EventMarks(store, name);
  }

  /** The body of the event that a step of a session has stored, if any. */
  async bodyOfStep(session: string, step: string): Promise<string | undefined> {
    const log = await this.parts.logs.get(session);
    return log && eventOf(log.value, { step, isOnce: true }, this.parts.clock.now())?.body;
  }

  /**
   * Stores an event and leases it; undefined when its step was reported before.
   * @throws DomainError `Busy` while another request delivers the event of this step, `Overloaded`
   */
  async append(event: NewEvent): Promise<StoredEvent | undefined> {
    const { session, destination, expiresAt, step, isOnce, type, body } = event;
    const { logs, clock, ids } = this.parts;
    const now = clock.now();
    const lease = this.#lease();
    const before = await logs.get(session);
    const known = before && eventOf(before.value, { step, isOnce }, now);
    if (known?.state === 'delivered') return undefined;
    const added = { id: known?.id ?? ids.uuid(), step, isOnce, type, body, dueAt: lease.until, lease };
    if (destination) {
      const mark = { session, event: added.id, dueAt: added.dueAt, receiver: receiverOf(destination) };
      await this.#marks.insert(mark, expiresAt);
    }
    const change = (log: EventLog) => appended(log, added, now);
    const first = before ? undefined : await logs.insert(session, change(created({ destination })), expiresAt);
    const log = first ?? (await this.#change(session, change, before));
    const stored = log?.value.events.find((one) => one.lease?.owner === lease.owner);
    return log && stored && { session, id: stored.id, log };
  }

  /**
   * Has a step of a session written with its events: `write` writes the step with the history that `record` returns, and
   * calls that again on the present history when another writer was first. The events are sent beside the request when a
   * receiver asked for them. Events that cannot be recorded are logged and hinder no step.
   */
  async recording<T>(
    { session, destination, expiresAt }: EventSource,
    write: (record: (history: History, events: readonly ReportedEvent[]) => History) => Promise<T>,
  ): Promise<T> {
    const { ids, clock, log, name } = this.parts;
    const [id, now] = [ids.uuid(), clock.now()];
    const failed = (error: unknown, events: readonly ReportedEvent[] = []): void => {
      const types = events.map(({ type }) => type);
      log.warn(`${name} events could not be stored`, { session, types, reason: reasonOf(error) });
    };
    let last: History | undefined;
    const record = (history: History, events: readonly ReportedEvent[]): History => {
      try {
        last = recorded(history, events, { id, ids, destination, now });
        return last;
      } catch (error) {
        failed(error, events);
        return history;
      }
    };
    const mark = destination && { session, event: id, dueAt: now, receiver: receiverOf(destination) };
    if (mark) await this.#marks.insert(mark, expiresAt).catch((error) => failed(error));
    const written = await write(record);
    if (last) this.parts.stored?.(session, last);
    if (mark) this.#deliverBeside({ ...mark, createdAt: now });
    return written;
  }

  /** Delivers the events of a session without a wait, with those before them. */
  #deliverBeside(mark: StoredMark): void {
    if (this.#beside >= MAX_BESIDE) return;
    this.#beside += 1;
    const { background, name, clock } = this.parts;
    const work = () => this.#resumeSession({ session: mark.session, marks: [mark] }, clock.now() + ROUND_MS);
    background.once(`${name} events`, async () => void (await work().finally(() => (this.#beside -= 1))));
  }

  /**
   * Sends an event now, after those before it that a killed process left. Without an answer the event is stopped until
   * its step is done again, or sent again later by `resume`.
   */
  async deliver(event: StoredEvent, otherwise: 'stop' | 'retry'): Promise<Outcome> {
    const outcome = await this.#deliverInOrder(event);
    const log = await this.#note(event, outcome, otherwise);
    await this.#settle({ ...markOf(event), createdAt: this.parts.clock.now() }, log);
    return outcome;
  }

  /** Removes an event whose step did not happen. */
  async withdraw(event: StoredEvent): Promise<void> {
    await this.#change(event.session, (log) => removed(log, event.id));
    await this.#marks.remove(markOf(event));
  }

  /**
   * Delivers what is pending and that no running request delivers: after a restart, and what failed before. Receivers
   * take turns, and the round has an end; what is left is looked at by the next one.
   */
  async resume(): Promise<void> {
    const marks = await this.#marks.first(MAX_MARKS);
    const now = this.parts.clock.now();
    const until = now + ROUND_MS;
    const queue = new DeliveryQueue(sessionsOf(marks.filter(({ dueAt }) => dueAt <= now)));
    const work = async (): Promise<void> => {
      while (this.parts.clock.now() < until) {
        const due = queue.next();
        if (!due) return;
        const outcome = await this.#resumeSession(due, until);
        if (!outcome.isReached && !isTaken(outcome.error)) queue.failed(due);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await mapBounded(queue.held, MOVED_AT_ONCE, (due) => this.#hold(due));
  }

  /** Delivers the events of one session until a time; returns the last outcome. */
  async #resumeSession({ session, marks }: Pick<DueSession, 'session' | 'marks'>, until: number): Promise<Outcome> {
    let log = await this.parts.logs.get(session);
    let outcome: Outcome = { isReached: true };
    while (outcome.isReached) {
      const now = this.parts.clock.now();
      const event = log && now < until ? nextPending(log.value, now) : undefined;
      if (!event) break;
      ({ outcome, log } = await this.#resumeEvent(session, event, log));
    }
    for (const mark of marks) await this.#settle(mark, log);
    return outcome;
  }

  /** Has the events of a session looked at later, so that those of others are seen before. */
  async #hold({ session, marks }: DueSession): Promise<void> {
    const log = await this.parts.logs.get(session);
    const dueAt = this.parts.clock.now() + HELD_MS;
    for (const { createdAt: _, ...mark } of log ? marks : []) {
      await this.#marks.insert({ ...mark, dueAt }, log?.expiresAt);
      await this.#marks.remove(mark);
    }
  }

  /** Delivers one event; returns the log as it is then. */
  async #resumeEvent(session: string, { id }: LoggedEvent, from: StoredLog | undefined): Promise<Resumed> {
    try {
      const now = this.parts.clock.now();
      const lease = this.#lease();
      const log = await this.#change(session, (current) => leased(current, id, lease, now), from);
      if (!log) return { outcome: { isReached: true }, log };
      const event = { session, id, log };
      const outcome = await this.#post(event);
      return { outcome, log: await this.#note(event, outcome, 'retry') };
    } catch (error) {
      // Another instance delivers it (`isTaken`).
      return { outcome: { isReached: false, error }, log: await this.parts.logs.get(session) };
    }
  }

  async #deliverInOrder(event: StoredEvent): Promise<Outcome> {
    for (const earlier of abandonedBefore(event.log.value, event.id, this.parts.clock.now())) {
      const { outcome } = await this.#resumeEvent(event.session, earlier, undefined);
      if (!outcome.isReached) return outcome;
    }
    return this.#post(event);
  }

  async #post({ session, id, log: { value } }: StoredEvent): Promise<Outcome> {
    const { outbound, log, name, bodyOf, clock } = this.parts;
    const { destination, events } = value;
    const event = events.find((one) => one.id === id);
    const body = event?.body ?? (await bodyOf?.(session));
    if (!event || !destination || body === undefined) return { isReached: true };
    const { url, signingSecrets = this.parts.signingSecrets } = destination;
    const fields = { session, event: id, type: event.type };
    const headers = {
      ...eventHeaders(event, destination),
      ...signatureHeaders({ id, body }, signingSecrets, clock.now()),
    };
    try {
      const { status } = await outbound.send({ method: 'POST', url, expects: 'callback-reply', headers, body });
      if (status >= 400) log.warn(`${name} callback refused`, { ...fields, status });
      else if (event.body === undefined) await this.parts.taken?.(session);
      return { isReached: true };
    } catch (error) {
      const reason = isDomainError(error) ? error.code : 'unknown';
      log.warn(`${name} callback could not be delivered`, { ...fields, reason, attempt: event.attempts + 1 });
      return { isReached: false, error };
    }
  }

  async #note({ session, id, log: from }: StoredEvent, outcome: Outcome, otherwise: 'stop' | 'retry') {
    const now = this.parts.clock.now();
    const change = (current: EventLog) => {
      if (outcome.isReached) return delivered(current, id);
      return otherwise === 'stop' ? stopped(current, id) : postponed(current, id, now);
    };
    const log = await this.#change(session, change, from);
    const isPending = log?.value.events.some((event) => event.id === id && event.state === 'pending');
    if (!isPending && otherwise === 'retry' && !outcome.isReached)
      this.parts.log.warn(`${this.parts.name} callback given up`, { session, event: id });
    return log;
  }

  /** Removes a mark whose events need no delivery, and moves one when the next of them is due later. */
  async #settle({ createdAt, ...mark }: StoredMark, log: StoredLog | undefined): Promise<void> {
    const event = log?.value.events.find(({ id }) => id === mark.event);
    if (!event && createdAt + APPEND_MS >= this.parts.clock.now()) return;
    const next = log && (!event || event.state === 'pending') ? deliverableAt(log.value) : undefined;
    if (log && next !== undefined) {
      const dueAt = Math.max(event?.dueAt ?? 0, next);
      if (dueAt === mark.dueAt) return;
      await this.#marks.insert({ ...mark, dueAt, hasFailed: hasFailed(log.value) }, log.expiresAt);
    }
    await this.#marks.remove(mark);
  }

  async #change(
    session: string,
    change: (log: EventLog) => EventLog,
    from?: StoredLog,
  ): Promise<StoredLog | undefined> {
    return (from ?? (await this.parts.logs.get(session)))?.change(change);
  }

  #lease(): Lease {
    return { owner: this.parts.ids.uuid(), until: this.parts.clock.now() + LEASE_MS };
  }
}

/** The mark with which an event was stored. */
const markOf = ({ session, id, log: { value } }: StoredEvent): EventMark => ({
  session,
  event: id,
  dueAt: value.events.find((event) => event.id === id)?.dueAt ?? 0,
  receiver: value.destination && receiverOf(value.destination),
});

/** Whether another instance delivers the event. */
const isTaken = (error: unknown): boolean => isDomainError(error, 'Busy') || isDomainError(error, 'Conflict');
