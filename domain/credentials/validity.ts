import type { DateBound, ValidityBounds } from '../../ports/credential-formats.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseIso } from '../foundation/time.ts';
import { numericDate } from '../jose/jwt-claims.ts';

const START_DATES = ['validFrom', 'issuanceDate'];
const END_DATES = ['validUntil', 'expirationDate'];

const MAX_DATE_MS = 8.64e15;

/** `iat` is read from the clock of another machine, which may be ahead of ours. */
const ISSUED_AT_TOLERANCE_MS = 60_000;

/** The members of a document that are dates of its validity (VC Data Model 1.1 §4.6 and §4.7, 2.0 §4.9). */
export const VALIDITY_DATES: readonly string[] = [...START_DATES, ...END_DATES];

/**
 * The bounds of a token's validity: the dates of its credential, dates beside it, and the registered claims
 * (RFC 7519 §4.1.4 to §4.1.6). `iat` is a start as well: nothing is valid before it was issued.
 */
export function validityBounds(claims: JsonObject): ValidityBounds {
  const places = isObject(claims.vc) ? [claims.vc, claims] : [claims];
  return { starts: boundsOf(START_DATES, ['nbf', 'iat']), ends: boundsOf(END_DATES, ['exp']) };

  // Plain loops: every credential of every presentation passes here.
  function boundsOf(dates: readonly string[], numbers: readonly string[]): DateBound[] {
    const bounds: DateBound[] = [];
    for (const place of places) addBounds(bounds, place, { names: dates, read: textDate });
    addBounds(bounds, claims, { names: numbers, read: calendarDate });
    return bounds;
  }
}

interface DateMembers {
  names: readonly string[];
  read(value: unknown): number | undefined;
}

function addBounds(bounds: DateBound[], place: JsonObject, { names, read }: DateMembers): void {
  for (const key of names) {
    const toleranceMs = key === 'iat' ? ISSUED_AT_TOLERANCE_MS : 0;
    if (place[key] !== undefined) bounds.push({ key, ms: read(place[key]), toleranceMs });
  }
}

const textDate = (value: unknown): number | undefined => (isText(value) ? parseIso(value) : undefined);

/** A NumericDate that `Date` can represent (ECMA-262 §21.4.1.1). */
function calendarDate(value: unknown): number | undefined {
  const ms = numericDate(value);
  return ms !== undefined && Math.abs(ms) <= MAX_DATE_MS ? ms : undefined;
}

/** The latest start; a start that is not a date takes precedence, since it cannot be evaluated. */
export const latestStart = ({ starts }: ValidityBounds): DateBound | undefined =>
  strictest(starts, ({ ms = 0, toleranceMs }) => ms - toleranceMs);

/** The earliest end; an end that is not a date takes precedence. */
export const earliestEnd = ({ ends }: ValidityBounds): DateBound | undefined => strictest(ends, ({ ms = 0 }) => -ms);

const strictest = (bounds: readonly DateBound[], weight: (bound: DateBound) => number): DateBound | undefined =>
  bounds.find(({ ms }) => ms === undefined) ?? [...bounds].sort((a, b) => weight(b) - weight(a))[0];

/**
 * The period in which every bound is met, in milliseconds since the epoch, `until` exclusive; or the name of a member
 * that is not a date.
 */
export function validityPeriod({
  starts,
  ends,
}: ValidityBounds): { from: number; until: number } | { malformed: string } {
  const malformed = [...starts, ...ends].find(({ ms }) => ms === undefined);
  if (malformed) return { malformed: malformed.key };
  const from = Math.max(Number.NEGATIVE_INFINITY, ...starts.map(({ ms = 0 }) => ms));
  return { from, until: Math.min(Number.POSITIVE_INFINITY, ...ends.map(({ ms = 0 }) => ms)) };
}
