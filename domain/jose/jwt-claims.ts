import type { JsonObject } from '../foundation/json.ts';

/** The registered claims that are dates (RFC 7519 §4.1.4 to §4.1.6). */
export type TimeClaim = 'iat' | 'nbf' | 'exp';

/** Why a claim is not acceptable: it is absent, no number, ahead of our clock, over, or too long ago. */
export type TimeProblem = 'missing' | 'malformed' | 'future' | 'past' | 'too-old';

/** How far the clock of a holder may be ahead of ours. */
export const HOLDER_SKEW_MS = 60_000;

/** A moment and how far another clock may be from ours, in milliseconds. */
interface Moment {
  now: number;
  skewMs?: number;
}

/** What the time claims of a token must satisfy. */
interface TimeRules extends Moment {
  /** How long ago `iat` may be, in milliseconds. */
  maxAgeMs?: number;
  /** Claims that must be present. */
  required?: readonly TimeClaim[];
}

/** Whether a start has come (RFC 7519 §4.1.5); both in milliseconds since the epoch. */
export const isReached = (start: number, { now, skewMs = 0 }: Moment): boolean => start <= now + skewMs;

/** Whether an end has come: on or after it nothing is accepted (RFC 7519 §4.1.4). */
export const isPassed = (end: number, { now, skewMs = 0 }: Moment): boolean => end <= now - skewMs;

/** A NumericDate (RFC 7519 §2) in milliseconds; undefined for anything but a finite number. */
export const numericDate = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value * 1000 : undefined;

/** The only rule for the time claims of a JWT: what is wrong with each of them, absent for those that are acceptable. */
export function timeProblems(claims: JsonObject, rules: TimeRules): Partial<Record<TimeClaim, TimeProblem>> {
  const problems: Partial<Record<TimeClaim, TimeProblem>> = {};
  for (const name of ['iat', 'nbf', 'exp'] as const) {
    const problem = problemOf(name, claims[name], rules);
    if (problem !== undefined) problems[name] = problem;
  }
  return problems;
}

function problemOf(name: TimeClaim, value: unknown, rules: TimeRules): TimeProblem | undefined {
  if (value === undefined) return rules.required?.includes(name) ? 'missing' : undefined;
  const ms = numericDate(value);
  if (ms === undefined) return 'malformed';
  if (name === 'exp') return isPassed(ms, rules) ? 'past' : undefined;
  if (!isReached(ms, rules)) return 'future';
  return name === 'iat' && ms < rules.now - (rules.maxAgeMs ?? Number.POSITIVE_INFINITY) ? 'too-old' : undefined;
}
