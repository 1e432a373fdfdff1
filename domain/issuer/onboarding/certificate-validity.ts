import { invalidField } from '../../foundation/errors.ts';
import { floorToSeconds, isoSeconds, parseIso } from '../../foundation/time.ts';

/** When a certificate is valid; milliseconds since the epoch, whole seconds. */
export interface Validity {
  notBefore: number;
  notAfter: number;
}

/** What a validity is checked by. */
interface ValidityRules {
  now: number;
  /** The latest end of a validity that begins at this moment. */
  latestEnd(notBefore: number): number;
  /** How errors name that limit, such as `457 days`. */
  limit: string;
  /** The validity of the authority; a certificate may not outlast it. */
  within?: Partial<Validity>;
}

const DAY_MS = 86_400_000;
/** How long before it begins a certificate may be made. */
const MAX_AHEAD_DAYS = 366;

/**
 * Reads the dates of a certificate: from now, or the beginning of its authority, for as long as is allowed, where they
 * are left out. @throws DomainError `BadRequest` naming `notBefore` or `notAfter`
 */
export function readValidity(dates: { notBefore?: string; notAfter?: string }, rules: ValidityRules): Validity {
  const { now, latestEnd, limit, within = {} } = rules;
  const { notBefore: from = Number.NEGATIVE_INFINITY, notAfter: until = Number.POSITIVE_INFINITY } = within;
  const notBefore = readDate(dates, 'notBefore') ?? floorToSeconds(Math.max(now, from));
  const notAfter = readDate(dates, 'notAfter') ?? Math.min(latestEnd(notBefore), until);
  if (notBefore > now + MAX_AHEAD_DAYS * DAY_MS)
    throw invalidField(['notBefore'], `may be at most ${MAX_AHEAD_DAYS} days from now`);
  if (notBefore < from) throw invalidField(['notBefore'], `is before that of its authority, ${isoSeconds(from)}`);
  if (notAfter <= notBefore) throw invalidField(['notAfter'], 'must be after notBefore');
  if (notAfter <= now) throw invalidField(['notAfter'], 'has passed');
  if (notAfter > latestEnd(notBefore)) throw invalidField(['notAfter'], `may be at most ${limit} after notBefore`);
  if (notAfter > until) throw invalidField(['notAfter'], `is after that of its authority, ${isoSeconds(until)}`);
  return { notBefore, notAfter };
}

/** Reads a date of certificate data; undefined when it is absent. @throws DomainError `BadRequest` naming the member */
export function readDate(
  dates: { notBefore?: string; notAfter?: string },
  member: 'notBefore' | 'notAfter',
): number | undefined {
  const text = dates[member];
  if (text === undefined) return undefined;
  const ms = parseIso(text);
  if (ms === undefined) throw invalidField([member], 'must be an ISO 8601 date or date-time with a zone');
  return floorToSeconds(ms);
}

/** The moment some days later. */
export const daysLater = (ms: number, days: number): number => ms + days * DAY_MS;

/** The dates as certificate data shows them. */
export const shownDates = ({ notBefore, notAfter }: Validity) => ({
  notBefore: isoSeconds(notBefore),
  notAfter: isoSeconds(notAfter),
});
