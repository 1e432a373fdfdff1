import { invalidField } from '../../foundation/errors.ts';
import type { Argument } from './policy.ts';

/** A number of credentials. */
export const countArgument: Argument<number> = {
  schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1] },
  read: (args) => {
    if (typeof args !== 'number' || !Number.isSafeInteger(args) || args < 0)
      throw invalidField([], 'must be a whole number of credentials');
    return args;
  },
};
