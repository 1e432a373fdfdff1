import { countArgument } from './counts.ts';
import { failed, passed, policyWithArgs } from './policy.ts';

/** The `maximum-credentials` policy: there are at most `args` credentials in the response. */
export const maximumCredentials = policyWithArgs({
  description: 'Allows at most the number of credentials given as args',
  argument: countArgument,
  vp: (_subject, { response: { credentials }, args: most }) => {
    const total = credentials.length;
    if (total <= most) return passed({ total, remaining: most - total });
    const reason = `${total - most} credentials fewer must be presented`;
    return failed('too-many-credentials', {
      reason,
      error: { type: 'MaximumCredentialsException', total, exceeded: total - most },
    });
  },
});
