import type { CredentialStatus, EntryStatus } from '../credentials/credential-status.ts';
import { DomainError } from '../foundation/errors.ts';

/** The values of a Token Status List with a meaning of their own (draft-ietf-oauth-status-list-21 §7.1). */
export const TOKEN_STATUS = { VALID: 0, INVALID: 1, SUSPENDED: 2 } as const;

/**
 * The conditions that an entry states: its purpose, or whether the credential is revoked and, where there are bits for
 * it, whether it is suspended. @throws DomainError `StatusVerification` for a value without a meaning here
 */
export function conditionsOf(entry: EntryStatus): CredentialStatus[] {
  const { purpose, value, size } = entry;
  if (purpose !== undefined) return [{ ...entry, purpose, isSet: value !== 0 }];
  if (value > TOKEN_STATUS.SUSPENDED)
    throw new DomainError('StatusVerification', `The status ${value} of the credential has no meaning here`);
  const revocation = { ...entry, purpose: 'revocation', isSet: value === TOKEN_STATUS.INVALID };
  const suspension = { ...entry, purpose: 'suspension', isSet: value === TOKEN_STATUS.SUSPENDED };
  return size === 1 ? [revocation] : [revocation, suspension];
}
