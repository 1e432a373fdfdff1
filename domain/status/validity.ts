import { credentialIn } from '../credentials/status-lists.ts';
import { DomainError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { parseIso } from '../time.ts';

/** When something may be relied on, in milliseconds since the epoch; `until` is exclusive. */
export interface Validity {
  from: number;
  until: number;
}

const STARTS = ['validFrom', 'issuanceDate'];
const ENDS = ['validUntil', 'expirationDate'];

/** The period in which every one of a credential's own bounds is met. @throws DomainError `MalformedValue` */
export function validityOf(claims: JsonObject): Validity {
  const credential = credentialIn(claims);
  const starts = [numericDate(claims, 'nbf'), ...STARTS.map((name) => dateTime(credential, name))];
  const ends = [numericDate(claims, 'exp'), ...ENDS.map((name) => dateTime(credential, name))];
  return {
    from: Math.max(...starts.map((ms) => ms ?? Number.NEGATIVE_INFINITY)),
    until: Math.min(...ends.map((ms) => ms ?? Number.POSITIVE_INFINITY)),
  };
}

/** RFC 7519 §2 NumericDate. */
function numericDate(claims: JsonObject, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || typeof value === 'number') return value === undefined ? undefined : value * 1000;
  throw new DomainError('MalformedValue', `${name} of the status list is not a number of seconds`);
}

function dateTime(credential: JsonObject, name: string): number | undefined {
  const value = credential[name];
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' ? parseIso(value) : undefined;
  if (ms === undefined) throw new DomainError('MalformedValue', `${name} of the status list is not a date-time`);
  return ms;
}
