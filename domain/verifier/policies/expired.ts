import { earliestEnd } from '../../credentials/validity.ts';
import { isPassed } from '../../jose/jwt-claims.ts';
import { checkDate, type DateArgs, dateArgument, dated, span } from './dates.ts';
import { type Evaluate, failed, passed, policyWithArgs, type Subject } from './policy.ts';

const run: Evaluate<Subject, DateArgs> = ({ validity }, { now, args }) =>
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
  vp: run,
  vc: run,
});
