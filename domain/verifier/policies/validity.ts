import type { DateBound } from '../../../ports/credential-formats.ts';
import { earliestEnd, latestStart } from '../../credentials/validity.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isoDuration, isoMillis } from '../../foundation/time.ts';
import { isPassed, isReached } from '../../jose/jwt-claims.ts';
import { failed, type Policy, type PolicyOutcome, passed } from './policy.ts';

/** `<name>` as duration text and `<name>_seconds` as whole seconds. */
const span = (name: string, ms: number): JsonObject => ({
  [name]: isoDuration(ms),
  [`${name}_seconds`]: Math.floor(ms / 1000),
});

const dated = (ms: number): JsonObject => ({ date: isoMillis(ms), date_seconds: Math.floor(ms / 1000) });

const unreadable = ({ key }: DateBound): PolicyOutcome => failed(`${key} is not a date`);

/** The `expired` policy: the earliest of the credential's ends has not passed. */
export const expired: Policy = {
  description: 'Fails when the credential or presentation has expired',
  scopes: ['vp', 'vc'],
  run: ({ validity }, { now }) => {
    const found = earliestEnd(validity);
    if (found === undefined) return passed({ policy_available: false });
    const { key, ms } = found;
    if (ms === undefined) return unreadable(found);
    if (isPassed(ms, { now }))
      return failed({
        type: 'ExpirationDatePolicyException',
        ...dated(ms),
        ...span('expired_in', now - ms),
        key,
        policy_available: true,
      });
    return passed({ ...dated(ms), ...span('expires_in', ms - now), used_key: key, policy_available: true });
  },
};

/** The `not-before` policy: the latest of the credential's starts is reached; `iat` may be a minute ahead of our clock. */
export const notBefore: Policy = {
  description: 'Fails when the credential or presentation is not yet valid',
  scopes: ['vp', 'vc'],
  run: ({ validity }, { now }) => {
    const found = latestStart(validity);
    if (found === undefined) return passed({ policy_available: false });
    const { key, ms, toleranceMs } = found;
    if (ms === undefined) return unreadable(found);
    if (!isReached(ms, { now, skewMs: toleranceMs }))
      return failed({
        type: 'NotBeforePolicyException',
        ...dated(ms),
        ...span('available_in', ms - now),
        key,
        policy_available: true,
      });
    return passed({ ...dated(ms), ...span('available_since', now - ms), used_key: key, policy_available: true });
  },
};
