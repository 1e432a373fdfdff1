import { countArgument } from './counts.ts';
import { failed, passed, policyWithArgs } from './policy.ts';

/** The `minimum-credentials` policy: there are at least `args` credentials in the response. */
export const minimumCredentials = policyWithArgs({
  description: 'Demands at least the number of credentials given as args',
  argument: countArgument,
  vp: (_subject, { response: { credentials }, args: least }) => {
    const total = credentials.length;
    if (total >= least) return passed({ total, extra: total - least });
    const reason = `${least - total} more credentials must be presented`;
    return failed('too-few-credentials', {
      reason,
      error: { type: 'MinimumCredentialsException', total, missing: least - total },
    });
  },
});
