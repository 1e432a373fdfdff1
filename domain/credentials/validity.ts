import type { DateBound, ValidityBounds } from '../../ports/credential-formats.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseIso } from '../foundation/time.ts';

const START_DATES = ['validFrom', 'issuanceDate'];
const END_DATES = ['validUntil', 'expirationDate'];

/** A time of issue is the clock of another machine at that moment, not a date that was chosen. */
const ISSUED_AT_TOLERANCE_MS = 60_000;

/** The members of a document that are dates of its validity (VC Data Model 1.1 §4.6 and §4.7, 2.0 §4.9). */
export const VALIDITY_DATES: readonly string[] = [...START_DATES, ...END_DATES];

/**
 * The bounds of a token's validity: the dates of its credential, dates beside it, and the registered claims
 * (RFC 7519 §4.1.4 to §4.1.6). `iat` is a start as well: nothing is valid before it was issued.
 */
export function validityBounds(claims: JsonObject): ValidityBounds {
  const places = isObject(claims.vc) ? [claims.vc, claims] : [claims];
  const dates = (names: string[]): DateBound[] =>
    places.flatMap((place) => names.flatMap((key) => boundAt(place, key, textDate)));
  const numbers = (names: string[]): DateBound[] => names.flatMap((key) => boundAt(claims, key, numericDate));
  return {
    starts: [...dates(START_DATES), ...numbers(['nbf', 'iat'])],
    ends: [...dates(END_DATES), ...numbers(['exp'])],
  };
}

function boundAt(place: JsonObject, key: string, read: (value: unknown) => number | undefined): DateBound[] {
  const toleranceMs = key === 'iat' ? ISSUED_AT_TOLERANCE_MS : 0;
  return place[key] === undefined ? [] : [{ key, ms: read(place[key]), toleranceMs }];
}

const textDate = (value: unknown): number | undefined => (isText(value) ? parseIso(value) : undefined);

/** RFC 7519 §2 NumericDate; what no calendar holds is not a date. */
const numericDate = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) <= 8.64e12 ? value * 1000 : undefined;

/** The latest start; a start that is not a date goes before all others, since nothing can be said of it. */
export const latestStart = ({ starts }: ValidityBounds): DateBound | undefined =>
  strictest(starts, ({ ms = 0, toleranceMs }) => ms - toleranceMs);

/** The earliest end; an end that is not a date goes before all others. */
export const earliestEnd = ({ ends }: ValidityBounds): DateBound | undefined => strictest(ends, ({ ms = 0 }) => -ms);

const strictest = (bounds: readonly DateBound[], weight: (bound: DateBound) => number): DateBound | undefined =>
  bounds.find(({ ms }) => ms === undefined) ?? [...bounds].sort((a, b) => weight(b) - weight(a))[0];
