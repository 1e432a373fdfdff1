import { latestStart } from '../../credentials/validity.ts';
import { isReached } from '../../jose/jwt-claims.ts';
import { checkDate, type DateArgs, dateArgument, dated, span } from './dates.ts';
import { type Evaluate, failed, passed, policyWithArgs, type Subject } from './policy.ts';

const run: Evaluate<Subject, DateArgs> = ({ validity }, { now, args }) =>
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
  vp: run,
  vc: run,
});
