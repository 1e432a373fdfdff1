import type { FormatName } from '../../../ports/credential-formats.ts';
import type { PolicyCode } from '../policies/codes.ts';
import type { PolicyResult, PolicyScope } from '../policies/policy.ts';
import { findPolicy } from '../policies/table.ts';
import type { PresentationResult } from './evaluation.ts';
import type { PresentationCheckResult } from './outcome.ts';

/** One check of a presentation: the lines of results that it stands for. */
interface Check {
  name: string;
  /** Of the presentation, or of a credential in it; of both when absent. */
  scope?: PolicyScope;
  policies: readonly string[];
  /** Only failures with one of these codes; those that no other check of the policy has when absent. */
  codes?: readonly PolicyCode[];
}

const EXPIRED: Check = { name: 'exp-check', policies: ['expired'] };
const NOT_BEFORE: Check = { name: 'nbf-check', policies: ['not-before'] };
const AUDIENCE: Check = { name: 'audience-check', policies: ['audience'] };
const NONCE: Check = { name: 'nonce-check', policies: ['nonce'] };
const HOLDER: Check = { name: 'holder-binding-check', scope: 'vp', policies: ['holder-binding'] };
const TRANSACTIONS: Check = { name: 'transaction-data-hash-check', policies: ['transaction-data'] };
const holder = (name: string, codes?: readonly PolicyCode[]): Check => ({
  name,
  scope: 'vp',
  policies: ['signature'],
  codes,
});
const issuer = (name: string, codes?: readonly PolicyCode[]): Check => ({
  name,
  scope: 'vc',
  policies: ['signature'],
  codes,
});

/** The checks of presentations by format; they always run, and a session may name them. */
const CHECKS: Readonly<Record<FormatName, readonly Check[]>> = {
  jwt_vc_json: [AUDIENCE, NONCE, holder('envelope_signature'), HOLDER, EXPIRED, NOT_BEFORE, TRANSACTIONS],
  'dc+sd-jwt': [
    AUDIENCE,
    holder('kb-jwt_signature'),
    HOLDER,
    NONCE,
    holder('sd_hash-check', ['digest-mismatch']),
    holder('kb-jwt_iat-check', ['not-signed-now']),
    EXPIRED,
    NOT_BEFORE,
    TRANSACTIONS,
  ],
  mso_mdoc: [
    holder('device-auth'),
    holder('device_key_auth', ['signer-unknown']),
    HOLDER,
    TRANSACTIONS,
    issuer('issuer_auth'),
    issuer('issuer_signed_integrity', ['digest-mismatch']),
    { name: 'mso', policies: ['expired', 'not-before'] },
  ],
};

/** Another name of a check. */
const ALIASES: readonly string[] = ['dc+sd-jwt/transaction-data-hashes-check'];

const NAMES: ReadonlySet<string> = new Set([
  ...ALIASES,
  ...Object.entries(CHECKS).flatMap(([format, checks]) => checks.map(({ name }) => `${format}/${name}`)),
]);

/** Whether a session may name a check so. */
export const isPresentationCheck = (name: unknown): name is string => typeof name === 'string' && NAMES.has(name);

/** What came of each check of one presentation, by their names. */
export function checkResults(
  format: string,
  { presentation, credentials }: PresentationResult,
): Record<string, PresentationCheckResult> {
  const checks = CHECKS[format] ?? [];
  const broken: BrokenLine[] = [
    ...presentation.policies.map((line) => ({ line, scope: 'vp' as const })),
    ...credentials.flatMap(({ policies }) => policies.map((line) => ({ line, scope: 'vc' as const }))),
  ].filter(({ line }) => !line.is_success);
  return Object.fromEntries(
    checks.map((check) => {
      // A check for certain codes has the failure.
      const isOfOther = (one: BrokenLine): boolean =>
        !check.codes && checks.some((other) => other.codes && isAbout(other, one));
      const errors = broken
        .filter((one) => isAbout(check, one) && !isOfOther(one))
        .map(({ line }) => ({ error: line.code, message: line.reason }));
      return [`${format}/${check.name}`, { success: errors.length === 0, errors }];
    }),
  );
}

/** A line that failed, of a presentation or a credential. */
interface BrokenLine {
  line: PolicyResult;
  scope: PolicyScope;
}

function isAbout({ scope, policies, codes }: Check, { line: { policy, code }, scope: of }: BrokenLine): boolean {
  const isPolicy = policies.some((name) => name === policy || (findPolicy(name) ?? name) === findPolicy(policy));
  return isPolicy && (scope ?? of) === of && (codes === undefined || codes.includes(code));
}
