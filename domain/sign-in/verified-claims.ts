import { isObject, type JsonObject } from '../foundation/json.ts';
import { isoSeconds } from '../foundation/time.ts';
import type { SignedIn } from './signed-in.ts';

/**
 * The `verified_claims` that a client asks for (OpenID Connect for Identity Assurance 1.0 §6): those of its claims that
 * were presented, with their issuers as electronic records. Undefined where none can be given: the profile names no trust
 * framework, or the client demands another one.
 */
export function verifiedClaims(asked: unknown, signedIn: SignedIn): JsonObject | undefined {
  const { trustFramework, claims, issuers, at } = signedIn;
  if (!isObject(asked) || trustFramework === undefined || !accepts(asked.verification, trustFramework))
    return undefined;
  const names = Object.keys(isObject(asked.claims) ? asked.claims : {}).filter((name) => Object.hasOwn(claims, name));
  if (names.length === 0) return undefined;
  const sources = [...new Set(names.flatMap((name) => issuers[name] ?? []))];
  return {
    verification: {
      trust_framework: trustFramework,
      time: isoSeconds(at * 1000),
      evidence: sources.map((name) => ({ type: 'electronic_record', record: { source: { name } } })),
    },
    claims: Object.fromEntries(names.map((name) => [name, claims[name]])),
  };
}

/** Whether a request for a verification accepts a trust framework: it asks for any, for this one, or for one of several. */
function accepts(verification: unknown, framework: string): boolean {
  const asked = isObject(verification) ? verification.trust_framework : undefined;
  if (asked === undefined || asked === null) return true;
  if (!isObject(asked)) return false;
  const { value, values } = asked;
  return (value === undefined || value === framework) && (!Array.isArray(values) || values.includes(framework));
}
