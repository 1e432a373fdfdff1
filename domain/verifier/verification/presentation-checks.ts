import type { PresentationCheck } from '../../credentials/formats/facts.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { PolicyCode } from '../policies/codes.ts';
import type { PolicyResult, PolicyScope } from '../policies/policy.ts';
import { findPolicy } from '../policies/table.ts';
import type { PresentationResult } from './evaluation.ts';
import type { PresentationCheckResult } from './outcome.ts';

/** The lines of results that a check stands for. */
interface CheckedLines {
  /** Of the presentation, or of a credential in it; of both when absent. */
  scope?: PolicyScope;
  policies: readonly string[];
  /** Only failures with one of these codes; those that no other check of the policy has when absent. */
  codes?: readonly PolicyCode[];
}

const HOLDER = { scope: 'vp', policies: ['signature'] } as const;
const ISSUER = { scope: 'vc', policies: ['signature'] } as const;

const CHECKS: Readonly<Record<PresentationCheck, CheckedLines>> = {
  audience: { policies: ['audience'] },
  nonce: { policies: ['nonce'] },
  'holder-binding': { scope: 'vp', policies: ['holder-binding'] },
  'transaction-data': { policies: ['transaction-data'] },
  expiry: { policies: ['expired'] },
  'not-before': { policies: ['not-before'] },
  validity: { policies: ['expired', 'not-before'] },
  'holder-signature': HOLDER,
  'holder-digest': { ...HOLDER, codes: ['digest-mismatch'] },
  'holder-time': { ...HOLDER, codes: ['not-signed-now'] },
  'holder-key': { ...HOLDER, codes: ['signer-unknown'] },
  'issuer-signature': ISSUER,
  'issuer-digest': { ...ISSUER, codes: ['digest-mismatch'] },
};

/** The names by which a session may list checks, which always run. */
export const checkNames = (formats: CredentialFormats): ReadonlySet<unknown> =>
  new Set(
    formats.requestable.flatMap(({ name, presentation: { v1 } }) =>
      [...Object.keys(v1.checks), ...(v1.checkAliases ?? [])].map((check) => `${name}/${check}`),
    ),
  );

/** What came of each check of one presentation, by their names. */
export function checkResults(
  { presentation, credentials }: PresentationResult,
  { format, formats }: { format: string; formats: CredentialFormats },
): Record<string, PresentationCheckResult> {
  const named = Object.entries(formats.requestableAs(format)?.presentation.v1.checks ?? {});
  const checks = named.map(([name, check]) => ({ name, ...CHECKS[check] }));
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

function isAbout({ scope, policies, codes }: CheckedLines, { line: { policy, code }, scope: of }: BrokenLine): boolean {
  const isPolicy = policies.some((name) => name === policy || (findPolicy(name) ?? name) === findPolicy(policy));
  return isPolicy && (scope ?? of) === of && (codes === undefined || codes.includes(code));
}
