import type { PolicyCode } from '../verifier/policies/codes.ts';
import type { SessionFailure } from '../verifier/verification/outcome.ts';

/** Why the answer of a wallet ends in no sign-in, as the page says it. */
export type RefusalReason = 'declined' | 'incomplete' | 'expired' | 'revoked' | 'untrusted' | 'invalid';

const BY_CODE: Readonly<Partial<Record<PolicyCode, RefusalReason>>> = {
  expired: 'expired',
  'not-yet-valid': 'expired',
  'status-set': 'revoked',
  'issuer-untrusted': 'untrusted',
  'issuer-not-allowed': 'untrusted',
  'signer-unknown': 'untrusted',
};

/** The reason of a failure; a policy without a word of its own says that what was presented is not valid. */
export function reasonOf(failure: SessionFailure | undefined): RefusalReason {
  if (failure?.type === 'wallet_error_response') return 'declined';
  if (failure?.type === 'dcql_fulfillment') return 'incomplete';
  const violations = failure?.type === 'vc_policy_violations' ? failure.violations : [];
  return violations.flatMap(({ code }) => BY_CODE[code] ?? [])[0] ?? 'invalid';
}
