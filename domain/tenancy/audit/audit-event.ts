import { fingerprint } from '../../foundation/bytes.ts';
import { isoMillis } from '../../foundation/time.ts';
import { segmentsOf, type Target } from '../access/targets.ts';

/** How a call ended; `begun` before it is worked on. */
export type AuditOutcome = 'begun' | 'succeeded' | 'refused' | 'failed';

/** What is recorded of a call: names and numbers only, never claims, bodies or e-mail addresses. */
export interface AuditFacts {
  outcome: AuditOutcome;
  /** The HTTP status of the answer; absent before there is one. */
  status?: number;
  /** The number of the event that says that the call began; absent when it was refused before. */
  begun?: number;
  /** The name of the operation. */
  action: string;
  /** '' for none. */
  target: Target;
  /** The other names in the path of the call. */
  parameters: Readonly<Record<string, string>>;
  /** What was created or changed, when it is not the target. */
  resource?: string;
  /** The account or API key; '' for none. */
  account: string;
  /** The client address. */
  source: string;
  requestId: string;
}

/** One event of a chain. */
export interface AuditEvent extends AuditFacts {
  /** Counted from 1 in each chain. */
  sequence: number;
  /** RFC 3339; never before the event before it. */
  time: string;
  /** The hash of the event before it; `ZERO_HASH` for the first. */
  previous: string;
  /** SHA-256 of the canonical JSON (RFC 8785) of all other members, as base64url. */
  hash: string;
}

/** The end of a chain: its last event, or what is kept of it. */
export type ChainEnd = Pick<AuditEvent, 'sequence' | 'hash'>;

/** What the first event names as its predecessor: 32 zero bytes. */
export const ZERO_HASH = 'A'.repeat(43);

/** The events of accounts and of the installation; all others are those of an organization. */
export const INSTALLATION: Target = '';

/** The organization of a target. */
export const organizationOf = (target: Target): Target => segmentsOf(target)[0] ?? '';

/** The outcome of an HTTP status. */
export function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'succeeded';
  return status < 500 ? 'refused' : 'failed';
}

/** The event that follows an end with the given time. */
export function linked(end: ChainEnd & { time?: string }, facts: AuditFacts, now: number): AuditEvent {
  const time = [isoMillis(now), end.time ?? ''].toSorted().at(-1) ?? '';
  const event = { ...facts, sequence: end.sequence + 1, time, previous: end.hash };
  return { ...event, hash: hashOf(event) };
}

/** The hash that an event must have. */
export function hashOf(event: Omit<AuditEvent, 'hash'>): string {
  const { hash: _, ...content } = event as AuditEvent;
  return fingerprint(canonical(content));
}

/** Canonical JSON (RFC 8785) of texts, whole numbers and objects of them. */
function canonical(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => {
      const text = typeof member === 'object' ? canonical(member) : JSON.stringify(member);
      return `${JSON.stringify(name)}:${text}`;
    });
  return `{${members.join(',')}}`;
}
