import type { DateBound } from '../../ports/credential-formats.ts';
import { validityBounds } from '../credentials/validity.ts';
import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';

/** When something may be relied on, in milliseconds since the epoch; `until` is exclusive. */
export interface Validity {
  from: number;
  until: number;
}

/** The period in which every one of a status list's own bounds is met. @throws DomainError `MalformedValue` */
export function validityOf(claims: JsonObject): Validity {
  const { starts, ends } = validityBounds(claims);
  return {
    from: Math.max(Number.NEGATIVE_INFINITY, ...starts.map(readable)),
    until: Math.min(Number.POSITIVE_INFINITY, ...ends.map(readable)),
  };
}

function readable({ key, ms }: DateBound): number {
  if (ms === undefined) throw new DomainError('MalformedValue', `${key} of the status list is not a date`);
  return ms;
}
