import { type AuthorizationPolicy, OPEN_POLICY, POLICIES } from '../../oauth/authorization-policy.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceGrant } from '../issuance-grant.ts';
import type { ManagedSession } from '../sessions/managed-session.ts';

/** What is demanded of the clients of a session: HAIP when the issuer or the profile of the session does, else what the issuer demands. */
export function policyFor(
  { policy = OPEN_POLICY }: CredentialIssuer,
  { managed, grant }: { managed?: Pick<ManagedSession, 'securityProfile'>; grant?: IssuanceGrant },
): AuthorizationPolicy {
  if (managed?.securityProfile === 'HAIP') return POLICIES.HAIP;
  const isAnonymous = policy.acceptsAnonymousPreAuthorized && grant?.kind === 'pre-authorized';
  return isAnonymous ? { ...policy, requiresAttestation: false } : policy;
}
