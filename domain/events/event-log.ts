import type { Ids } from '../../ports/system.ts';
import { DomainError } from '../foundation/errors.ts';
import { busy, isLeased, type Lease } from '../foundation/lease.ts';

/** Where events are sent. */
export interface EventDestination {
  url: string;
  /** A secret: the value of the header `Authorization`. */
  authorization?: string;
  /** Secrets: the receiver's own, instead of the operator's (domain/events/event-headers.ts). */
  signingSecrets?: string[];
}

/**
 * One event of a log. `pending` events are delivered in order; a `stopped` one is delivered again only with its step;
 * a `delivered` one is remembered so that its step is not reported twice, or for the readers of a history.
 */
export interface LoggedEvent {
  id: string;
  /** Grows with each event of a log. */
  sequence: number;
  /** Names the step that the event reports: done again after a failure, it sends the same event. */
  step: string;
  type: string;
  /** When it was stored, in milliseconds since the epoch. */
  at: number;
  /** JSON; absent when it is composed at delivery. */
  body?: string;
  state: 'pending' | 'stopped' | 'delivered';
  /** Deliveries that failed. */
  attempts: number;
  /** When the next delivery may start, in milliseconds since the epoch. */
  dueAt: number;
  /** The right to deliver the event. */
  lease?: Lease;
}

/** The events of one session. */
export interface EventLog {
  /** Absent when no receiver asked for them. */
  destination?: EventDestination;
  /** Whether delivered events are kept for readers, within the bounds of the log. */
  isHistory?: boolean;
  /** The sequence of the next event. */
  next: number;
  events: LoggedEvent[];
}

/** The events of one session as a part of its record; the session itself says who receives them. */
export type History = Pick<EventLog, 'next' | 'events'>;

/** A history in which nothing happened yet. */
export const NO_HISTORY: History = { next: 1, events: [] };

/** Whose events are stored, and for whom. */
export interface EventSource {
  /** The id of the session that the events belong to; its events are delivered in order. */
  session: string;
  /** Absent when no receiver asked for the events of the session. */
  destination?: EventDestination;
  /** The end of the log, in milliseconds since the epoch. */
  expiresAt: number;
}

/** What happened. */
export interface ReportedEvent {
  /** Names the step that the event reports. An event of the same step that was not delivered is sent in its place. */
  step: string;
  /** Whether the step happens once: when its event was delivered, nothing more is sent. */
  isOnce: boolean;
  type: string;
  /** JSON; absent when `bodyOf` composes it at delivery. */
  body?: string;
}

/** An event to be stored and sent. */
export type NewEvent = EventSource & ReportedEvent;

/** What is appended, with the lease of the request that delivers it, if one does. */
interface Appended extends ReportedEvent, Pick<LoggedEvent, 'id' | 'dueAt' | 'lease'> {}

/** The most events that a log has, in any state; and the most characters of their bodies. */
const MAX_EVENTS = 100;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** The same for a history, which every reader's process has in memory. */
const MAX_HISTORY_CHARACTERS = 256 * 1024;
/** Delivered events that are remembered. */
const REMEMBERED = 8;

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 600_000;
/** Deliveries of one event: about ten minutes. */
export const MAX_ATTEMPTS = 8;

/** The event that reports a step: the one there is, or for repeated steps one that still has to be delivered. */
export const eventOf = (
  { events }: EventLog,
  { step, isOnce }: Pick<Appended, 'step' | 'isOnce'>,
  now: number,
): LoggedEvent | undefined =>
  events.find(
    (event) => event.step === step && (isOnce || (event.state !== 'delivered' && !isLeased(event.lease, now))),
  );

/** An empty log. */
export const created = (facts: Pick<EventLog, 'destination' | 'isHistory'>): EventLog => ({
  ...facts,
  next: 1,
  events: [],
});

/**
 * Appends an event. An undelivered event of the same step keeps its id and body, since the receiver may have seen it; a
 * delivered one stays as it is. Without a destination there is nothing to deliver.
 * @throws DomainError `Busy` while another request delivers it, `Overloaded` when the log is full of undelivered events
 */
export function appended(log: EventLog, { isOnce, ...event }: Appended, now: number): EventLog {
  const before = eventOf(log, { step: event.step, isOnce }, now);
  if (before?.state === 'delivered') return log;
  if (isLeased(before?.lease, now)) throw busy();
  const { id, body } = before ?? event;
  const isLast = before !== undefined && before === log.events.at(-1);
  const next = { ...event, id, body, at: before?.at ?? now, sequence: isLast ? before.sequence : log.next };
  const others = log.events.filter((other) => other !== before);
  const state = log.destination ? 'pending' : 'delivered';
  const events: LoggedEvent[] = [...others, { ...next, state, attempts: before?.attempts ?? 0 }];
  const most = log.isHistory ? MAX_HISTORY_CHARACTERS : MAX_CHARACTERS;
  return { ...log, next: Math.max(log.next, next.sequence + 1), events: bounded(events, most) };
}

/** What the events of one step are recorded with. */
interface Recording {
  /** The id of the last event. */
  id: string;
  ids: Ids;
  /** Who receives them; absent when no receiver asked for them. */
  destination?: EventDestination;
  now: number;
}

/** Appends what a step did to the history of its session. @throws as `appended` */
export function recorded(history: History, events: readonly ReportedEvent[], recording: Recording): History {
  const { destination, now, ids } = recording;
  const log = events.reduce<EventLog>(
    (all, event, index) => {
      const id = index < events.length - 1 ? ids.uuid() : recording.id;
      return appended(all, { ...event, id, dueAt: now }, now);
    },
    { ...history, destination, isHistory: true },
  );
  return historyOf(log);
}

/** The part of a log that its session's record has. */
export const historyOf = ({ next, events }: EventLog): History => ({ next, events });

/** Takes the right to deliver a pending event. @throws DomainError `Busy` while another request has it, `Conflict` when it is not pending */
export function leased(log: EventLog, id: string, lease: Lease, now: number): EventLog {
  return changed(log, id, (event) => {
    if (event.state !== 'pending') throw new DomainError('Conflict', 'The event is not pending');
    if (isLeased(event.lease, now)) throw busy();
    return { ...event, lease };
  });
}

/** Notes an event as delivered; of a log that is no history the last ones are remembered. */
export function delivered(log: EventLog, id: string): EventLog {
  const { events, ...rest } = changed(log, id, ({ lease: _, ...event }) => ({ ...event, state: 'delivered' }));
  if (log.isHistory) return { ...rest, events };
  const forgotten = events.filter(({ state }) => state === 'delivered').slice(0, -REMEMBERED);
  return { ...rest, events: events.filter((event) => !forgotten.includes(event)) };
}

/** Forgets an event. */
export const removed = (log: EventLog, id: string): EventLog => ({
  ...log,
  events: log.events.filter((event) => event.id !== id),
});

/** When an event whose delivery failed is due again: after pauses that double. */
const retryAt = (attempts: number, now: number): number =>
  now + Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);

/** Notes a failed delivery; an event that was tried too often is stopped. */
export const postponed = (log: EventLog, id: string, now: number): EventLog =>
  changed(log, id, ({ lease: _, ...event }) => {
    const attempts = event.attempts + 1;
    const state = attempts < MAX_ATTEMPTS ? 'pending' : 'stopped';
    return { ...event, attempts, dueAt: retryAt(event.attempts, now), state };
  });

/** Ends the delivery of an event until its step is done again. */
export const stopped = (log: EventLog, id: string): EventLog =>
  changed(log, id, ({ lease: _, ...event }) => ({ ...event, state: 'stopped' }));

/** The next event to deliver: the first pending one unless it is leased or not due yet. */
export function nextPending({ events }: EventLog, now: number): LoggedEvent | undefined {
  const first = events.find(({ state }) => state === 'pending');
  return first && !isLeased(first.lease, now) && first.dueAt <= now ? first : undefined;
}

/** When the next event can be delivered: when it is due and no request delivers it; undefined when none is pending. */
export function deliverableAt({ events }: EventLog): number | undefined {
  const first = events.find(({ state }) => state === 'pending');
  return first && Math.max(first.dueAt, first.lease?.until ?? 0);
}

/** Whether the delivery of a pending event failed before. */
export const hasFailed = ({ events }: EventLog): boolean =>
  events.some(({ state, attempts }) => state === 'pending' && attempts > 0);

/** The pending events before this one whose delivery no running request has. */
export const abandonedBefore = ({ events }: EventLog, id: string, now: number): LoggedEvent[] =>
  events
    .slice(
      0,
      events.findIndex((event) => event.id === id),
    )
    .filter(({ state, lease }) => state === 'pending' && !isLeased(lease, now));

const changed = (log: EventLog, id: string, change: (event: LoggedEvent) => LoggedEvent): EventLog => ({
  ...log,
  events: log.events.map((event) => (event.id === id ? change(event) : event)),
});

/** Drops the oldest events that are not pending until the log is within its bounds. */
function bounded(events: LoggedEvent[], most: number): LoggedEvent[] {
  const characters = events.reduce((sum, { body = '' }) => sum + body.length, 0);
  if (events.length <= MAX_EVENTS && (characters <= most || events.length === 1)) return events;
  const oldest = events.find(({ state }) => state !== 'pending');
  if (!oldest) throw new DomainError('Overloaded', 'Too many events of this session are not delivered yet');
  return bounded(
    events.filter((event) => event !== oldest),
    most,
  );
}
