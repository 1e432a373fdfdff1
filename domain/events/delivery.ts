import type { Log } from '../../ports/log.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { isDomainError } from '../foundation/errors.ts';
import { LEASE_MS, type Lease } from '../foundation/lease.ts';
import { update } from '../foundation/records.ts';
import {
  abandonedBefore,
  appended,
  created,
  delivered,
  type EventDestination,
  type EventLog,
  eventOf,
  type LoggedEvent,
  leased,
  nextPending,
  postponed,
  removed,
  stopped,
} from './event-log.ts';

/** An event to be sent. */
export interface NewEvent {
  /** The id of the session that the event belongs to; its events are delivered in order. */
  session: string;
  destination: EventDestination;
  /** Names the step that the event reports. An event of the same step that was not delivered is sent in its place. */
  step: string;
  /** Whether the step happens once: when its event was delivered, nothing more is sent. */
  isOnce: boolean;
  type: string;
  /** JSON; absent when `bodyOf` composes it at delivery. */
  body?: string;
  /** The end of the log, in milliseconds since the epoch. */
  expiresAt: number;
}

/** An event that is stored and leased to this request. */
export interface StoredEvent {
  session: string;
  id: string;
  log: EventLog;
}

/** What came of a delivery: whether the receiver answered, or the error. */
export type Outcome = { isReached: true } | { isReached: false; error: unknown };

/** What delivering events needs. */
export interface EventDeliveryParts {
  /** What the events are about, in the names of the collections and in log lines. */
  name: 'issuance' | 'verification';
  store: Store;
  outbound: Outbound;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Composes the body of an event that was stored without; undefined when there is nothing to report. */
  bodyOf?(session: string): Promise<string | undefined>;
}

/** How long the mark of an event may be stored before the event is, in milliseconds. */
const APPEND_MS = 60_000;
/** How often `resume` is called, in milliseconds. */
export const RESUME_MS = 5000;
/** The most sessions whose events one call of `resume` delivers, and how many at once. */
const MAX_SESSIONS = 500;
const AT_ONCE = 8;

/**
 * Delivers events at least once and in order: an event is stored with its id before it is sent, and removed from the
 * undelivered ones after it was. What a killed process left is found by `resume`, of any instance; an event is delivered
 * by one request at a time, which has its lease. The receiver finds duplicates by the header `X-Event-Id`.
 */
export class EventDelivery {
  readonly #logs: Collection<EventLog>;
  /** One record for each event that is not delivered, by the event's id. */
  readonly #undelivered: Collection<{ session: string }>;
  readonly #parts: EventDeliveryParts;

  constructor(parts: EventDeliveryParts) {
    const { store, name } = parts;
    this.#logs = store.collection({ name: `${name}-event-logs`, listed: false, sealed: true });
    this.#undelivered = store.collection({ name: `${name}-undelivered-events`, listed: true, sealed: false });
    this.#parts = parts;
  }

  /** The body of the event that a step of a session has stored, if any. */
  async bodyOfStep(session: string, step: string): Promise<string | undefined> {
    const log = await this.#logs.get({ id: session });
    return log && eventOf(log.value, { step, isOnce: true }, this.#parts.clock.now())?.body;
  }

  /**
   * Stores an event; undefined when its step was reported before.
   * @throws DomainError `Busy` while another request delivers the event of this step, `Overloaded`
   */
  async append(event: NewEvent): Promise<StoredEvent | undefined> {
    const { session, destination, expiresAt, ...rest } = event;
    const now = this.#parts.clock.now();
    const before = await this.#log(session, destination, expiresAt);
    const known = eventOf(before.value, rest, now);
    if (known?.state === 'delivered') return undefined;
    const id = known?.id ?? this.#parts.ids.uuid();
    await this.#undelivered.insert({ id, value: { session }, expiresAt }).catch(ignoreConflict);
    const lease = this.#lease();
    const log = await update({
      collection: this.#logs,
      key: { id: session },
      from: before,
      change: (current) => appended(current, { ...rest, id, lease }, now),
    });
    const own = log?.value.events.find((one) => one.lease?.owner === lease.owner);
    return log && own && { session, id: own.id, log: log.value };
  }

  /**
   * Sends an event now, after those before it that a killed process left. Without an answer the event is stopped until
   * its step is done again, or sent again later by `resume`.
   */
  async deliver(event: StoredEvent, otherwise: 'stop' | 'retry'): Promise<Outcome> {
    for (const earlier of abandonedBefore(event.log, event.id, this.#parts.clock.now())) {
      const outcome = await this.#resumeEvent(event.session, earlier);
      if (!outcome.isReached) return this.#record(event, outcome, otherwise);
    }
    return this.#record(event, await this.#post(event), otherwise);
  }

  /** Removes an event whose step did not happen. */
  async withdraw({ session, id }: StoredEvent): Promise<void> {
    await this.#change(session, (log) => removed(log, id));
    await this.#undelivered.remove({ id });
  }

  /** Delivers what is pending and that no running request delivers: after a restart, and what failed before. */
  async resume(): Promise<void> {
    const query = { parent: '', order: 'created+' as const, offset: 0, limit: MAX_SESSIONS };
    const marks = await this.#undelivered.list(query);
    const sessions = [...new Set(marks.map(({ value }) => value.session))];
    for (let start = 0; start < sessions.length; start += AT_ONCE)
      await Promise.all(
        sessions.slice(start, start + AT_ONCE).map((session) =>
          this.#resumeSession(
            session,
            marks.filter(({ value }) => value.session === session),
          ),
        ),
      );
  }

  async #resumeSession(session: string, marks: Stored<unknown>[]): Promise<void> {
    const { clock } = this.#parts;
    const log = await this.#logs.get({ id: session });
    for (const { id, createdAt } of marks) {
      const event = log?.value.events.find((one) => one.id === id);
      const isDone = event ? event.state !== 'pending' : createdAt + APPEND_MS < clock.now();
      if (isDone) await this.#undelivered.remove({ id });
    }
    for (let current = log?.value; current; current = (await this.#logs.get({ id: session }))?.value) {
      const event = nextPending(current, clock.now());
      if (!event || !(await this.#resumeEvent(session, event)).isReached) return;
    }
  }

  async #resumeEvent(session: string, { id }: LoggedEvent): Promise<Outcome> {
    try {
      const now = this.#parts.clock.now();
      const lease = this.#lease();
      const log = await this.#change(session, (current) => leased(current, id, lease, now));
      if (!log) return { isReached: true };
      const event = { session, id, log };
      return await this.#record(event, await this.#post(event), 'retry');
    } catch (error) {
      // Another instance delivers it.
      return { isReached: false, error };
    }
  }

  async #post({ session, id, log: { destination, events } }: StoredEvent): Promise<Outcome> {
    const { outbound, log, name, bodyOf } = this.#parts;
    const { url, authorization } = destination;
    const event = events.find((one) => one.id === id);
    const body = event?.body ?? (await bodyOf?.(session));
    if (!event || body === undefined) return { isReached: true };
    const { type, sequence } = event;
    const fields = { session, event: id, type };
    const headers = {
      'content-type': 'application/json',
      'x-event-id': id,
      'x-event-sequence': String(sequence),
      ...(authorization !== undefined && { authorization }),
    };
    try {
      const { status } = await outbound.send({ method: 'POST', url, expects: 'callback-reply', headers, body });
      if (status >= 400) log.warn(`${name} callback refused`, { ...fields, status });
      return { isReached: true };
    } catch (error) {
      const reason = isDomainError(error) ? error.code : 'unknown';
      log.warn(`${name} callback could not be delivered`, { ...fields, reason, attempt: event.attempts + 1 });
      return { isReached: false, error };
    }
  }

  async #record({ session, id }: StoredEvent, outcome: Outcome, otherwise: 'stop' | 'retry'): Promise<Outcome> {
    const now = this.#parts.clock.now();
    const log = await this.#change(session, (current) => {
      if (outcome.isReached) return delivered(current, id);
      return otherwise === 'stop' ? stopped(current, id) : postponed(current, id, now);
    });
    const isPending = log?.events.some((event) => event.id === id && event.state === 'pending');
    if (!isPending) await this.#undelivered.remove({ id });
    if (!isPending && otherwise === 'retry' && !outcome.isReached)
      this.#parts.log.warn(`${this.#parts.name} callback given up`, { session, event: id });
    return outcome;
  }

  async #change(session: string, change: (log: EventLog) => EventLog): Promise<EventLog | undefined> {
    return (await update({ collection: this.#logs, key: { id: session }, change }))?.value;
  }

  async #log(session: string, destination: EventDestination, expiresAt: number): Promise<Stored<EventLog>> {
    const known = await this.#logs.get({ id: session });
    if (known) return known;
    const record = { id: session, value: created(destination), expiresAt };
    return (await this.#logs.insert(record).catch(ignoreConflict)) ?? this.#log(session, destination, expiresAt);
  }

  #lease(): Lease {
    return { owner: this.#parts.ids.uuid(), until: this.#parts.clock.now() + LEASE_MS };
  }
}

function ignoreConflict(error: unknown): undefined {
  if (!isDomainError(error, 'Conflict')) throw error;
}
