import type { DateBound, ValidityBounds } from '../../../ports/credential-formats.ts';
import { earliestEnd, latestStart } from '../../credentials/validity.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isoDuration, isoMillis } from '../../foundation/time.ts';
import { isPassed, isReached } from '../../jose/jwt-claims.ts';
import { readFlag, readMembers } from './arguments.ts';
import {
  type Argument,
  type Evaluate,
  failed,
  nothingToCheck,
  type PolicyOutcome,
  passed,
  policyWithArgs,
  type Subject,
} from './policy.ts';

/** The argument of the policies on dates. */
interface DateArgs {
  /** Whether a credential without such a date is refused. */
  requireField: boolean;
}

const dateArgument: Argument<DateArgs> = {
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
function checkDate({ validity, args, find, what, evaluate }: DateCheck): PolicyOutcome {
  const found = find(validity);
  if (!found && args.requireField) return failed('missing-claim', { reason: `There is no date for the ${what}` });
  if (!found) return nothingToCheck(`There is no date for the ${what}`);
  const { key, ms, toleranceMs } = found;
  if (ms === undefined) return failed('malformed-date', { reason: `${key} is not a date` });
  return evaluate({ key, ms, toleranceMs });
}

/** `<name>` as duration text and `<name>_seconds` as whole seconds. */
const span = (name: string, ms: number): JsonObject => ({
  [name]: isoDuration(ms),
  [`${name}_seconds`]: Math.floor(ms / 1000),
});

const dated = (ms: number): JsonObject => ({ date: isoMillis(ms), date_seconds: Math.floor(ms / 1000) });

const runExpired: Evaluate<Subject, DateArgs> = ({ validity }, { now, args }) =>
  checkDate({
    validity,
    args,
    find: earliestEnd,
    what: 'end',
    evaluate: ({ key, ms }) => {
      const date = dated(ms);
      if (!isPassed(ms, { now })) {
        const result = { ...date, ...span('expires_in', ms - now), used_key: key, policy_available: true };
        return passed(result, { reason: `It is valid until ${date.date}` });
      }
      const error = {
        type: 'ExpirationDatePolicyException',
        ...date,
        ...span('expired_in', now - ms),
        key,
        policy_available: true,
      };
      return failed('expired', { reason: `It expired at ${date.date}; ask for a new one`, error });
    },
  });

/** The `expired` policy: the earliest of the ends has not passed. */
export const expired = policyWithArgs({
  description: 'Fails when the credential or presentation has expired',
  argument: dateArgument,
  vp: runExpired,
  vc: runExpired,
});

const runNotBefore: Evaluate<Subject, DateArgs> = ({ validity }, { now, args }) =>
  checkDate({
    validity,
    args,
    find: latestStart,
    what: 'start',
    evaluate: ({ key, ms, toleranceMs }) => {
      const date = dated(ms);
      if (isReached(ms, { now, skewMs: toleranceMs })) {
        const result = { ...date, ...span('available_since', now - ms), used_key: key, policy_available: true };
        return passed(result, { reason: `It is valid since ${date.date}` });
      }
      const error = {
        type: 'NotBeforePolicyException',
        ...date,
        ...span('available_in', ms - now),
        key,
        policy_available: true,
      };
      return failed('not-yet-valid', { reason: `It is valid only from ${date.date}`, error });
    },
  });

/** The `not-before` policy: the latest of the starts is reached; `iat` may be a minute ahead of our clock. */
export const notBefore = policyWithArgs({
  description: 'Fails when the credential or presentation is not yet valid',
  argument: dateArgument,
  vp: runNotBefore,
  vc: runNotBefore,
});
