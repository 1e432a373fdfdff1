import { type AuthorizationPolicy, OPEN_POLICY, POLICIES } from '../../oauth/authorization-policy.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { ManagedSession } from '../sessions/managed-session.ts';

/** What is demanded of the clients of a session: HAIP when the issuer or the profile of the session does, else what the issuer demands. */
export const policyFor = (
  { policy = OPEN_POLICY }: CredentialIssuer,
  { managed }: { managed?: Pick<ManagedSession, 'securityProfile'> },
): AuthorizationPolicy => (managed?.securityProfile === 'HAIP' ? POLICIES.HAIP : policy);
