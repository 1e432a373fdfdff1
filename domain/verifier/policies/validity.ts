import { isObject, isText, type JsonObject } from '../../json.ts';
import { isoMillis, parseIso } from '../../time.ts';
import { failed, type Outcome, type Policy, passed } from './policy.ts';

/** A date found in a credential: where, and when in milliseconds since the epoch (undefined: not readable). */
interface FoundDate {
  key: string;
  ms: number | undefined;
}

const ISSUED_AT_TOLERANCE_MS = 60_000;

/** The first of these dates: in the credential, then beside it, then among the registered claims (RFC 7519 §4.1). */
function findDate(claims: JsonObject, documentKeys: string[], claimKeys: string[]): FoundDate | undefined {
  for (const holder of [claims.vc, claims]) {
    if (!isObject(holder)) continue;
    for (const key of documentKeys) if (holder[key] !== undefined) return { key, ms: textDate(holder[key]) };
  }
  const key = claimKeys.find((name) => claims[name] !== undefined);
  return key === undefined ? undefined : { key, ms: numericDate(claims[key]) };
}

const textDate = (value: unknown): number | undefined => (isText(value) ? parseIso(value) : undefined);

/** RFC 7519 §2 NumericDate; what no calendar holds is not a date. */
const numericDate = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) <= 8.64e12 ? value * 1000 : undefined;

/** ISO 8601 duration of a time span in milliseconds, in hours, minutes and seconds. */
export function isoDuration(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${Number(rest.toFixed(3))}S` : ''}`;
  return `${ms < 0 ? '-' : ''}PT${shown === '' ? '0S' : shown}`;
}

/** `<name>` as duration text and `<name>_seconds` as whole seconds. */
const span = (name: string, ms: number): JsonObject => ({
  [name]: isoDuration(ms),
  [`${name}_seconds`]: Math.floor(ms / 1000),
});

const dated = (ms: number): JsonObject => ({ date: isoMillis(ms), date_seconds: Math.floor(ms / 1000) });

const unreadable = ({ key }: FoundDate): Outcome => failed(`${key} is not a date`);

/** The `expired` policy: the credential's end of validity has not passed. */
export const expired: Policy = {
  description: 'Fails when the credential or presentation has expired',
  scopes: ['vp', 'vc'],
  run: ({ claims }, { now }) => {
    const found = findDate(claims, ['validUntil', 'expirationDate'], ['exp']);
    if (found === undefined) return passed({ policy_available: false });
    const { key, ms } = found;
    if (ms === undefined) return unreadable(found);
    if (now > ms)
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

/** The `not-before` policy: the credential's validity has begun; a time of issue may be a minute ahead of our clock. */
export const notBefore: Policy = {
  description: 'Fails when the credential or presentation is not yet valid',
  scopes: ['vp', 'vc'],
  run: ({ claims }, { now }) => {
    const found = findDate(claims, ['validFrom', 'issuanceDate'], ['nbf', 'iat']);
    if (found === undefined) return passed({ policy_available: false });
    const { key, ms } = found;
    if (ms === undefined) return unreadable(found);
    if (now + (key === 'iat' ? ISSUED_AT_TOLERANCE_MS : 0) < ms)
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
