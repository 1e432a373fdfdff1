import type { DateBound, ValidityBounds } from '../../../ports/credential-formats.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isoDuration, isoMillis } from '../../foundation/time.ts';
import { readFlag, readMembers } from './arguments.ts';
import { type Argument, failed, nothingToCheck, type PolicyOutcome } from './policy.ts';

/** The argument of the policies on dates. */
export interface DateArgs {
  /** Whether a credential without such a date is refused. */
  requireField: boolean;
}

export const dateArgument: Argument<DateArgs> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      requireField: { type: 'boolean', default: false, description: 'Refuses what has no such date.' },
    },
    examples: [{ requireField: true }],
  },
  isOptional: true,
  read: (args = {}) => ({ requireField: readFlag(readMembers(args, ['requireField']), 'requireField') }),
};

/** A check of one date. */
interface DateCheck {
  validity: ValidityBounds;
  args: DateArgs;
  /** The date that decides. */
  find(validity: ValidityBounds): DateBound | undefined;
  /** What it is the date of, in words. */
  what: string;
  evaluate(date: { key: string; ms: number; toleranceMs: number }): PolicyOutcome;
}

/** Finds the date and evaluates it; one that cannot be read fails. */
export function checkDate({ validity, args, find, what, evaluate }: DateCheck): PolicyOutcome {
  const found = find(validity);
  if (!found && args.requireField) return failed('missing-claim', { reason: `There is no date for the ${what}` });
  if (!found) return nothingToCheck(`There is no date for the ${what}`);
  const { key, ms, toleranceMs } = found;
  if (ms === undefined) return failed('malformed-date', { reason: `${key} is not a date` });
  return evaluate({ key, ms, toleranceMs });
}

/** `<name>` as duration text and `<name>_seconds` as whole seconds. */
export const span = (name: string, ms: number): JsonObject => ({
  [name]: isoDuration(ms),
  [`${name}_seconds`]: Math.floor(ms / 1000),
});

export const dated = (ms: number): JsonObject => ({ date: isoMillis(ms), date_seconds: Math.floor(ms / 1000) });
