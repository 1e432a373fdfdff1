import { invalidField } from '../../foundation/errors.ts';
import { type Argument, failed, passed, policyWithArgs } from './policy.ts';

/** A number of credentials. */
const countArgument: Argument<number> = {
  schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1] },
  read: (args) => {
    if (typeof args !== 'number' || !Number.isSafeInteger(args) || args < 0)
      throw invalidField([], 'must be a whole number of credentials');
    return args;
  },
};

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
