import {
  type TenantVerifierParts,
  TenantVerifiers,
  type VerifierDependencies,
} from '../domain/tenancy/services/tenant-verifiers.ts';
import type { VerifierArea } from './verifier.ts';

/** What the tree of tenants has for their verifiers. */
type TenantVerifierTree = Omit<TenantVerifierParts, 'sessions' | 'setups' | 'dependencies'>;

/** What reads whom a service believes. */
type Roots = Pick<VerifierDependencies, 'trustedRoots'>;

/** The verifiers of tenants, over the services of the open endpoints. */
export const tenantVerifiers = (
  { trustedRoots, ...tree }: TenantVerifierTree & Roots,
  { presentationSessions, setups }: VerifierArea,
): TenantVerifiers =>
  new TenantVerifiers({
    ...tree,
    sessions: presentationSessions,
    setups,
    dependencies: { policyAt: async () => undefined, trustedRoots },
  });
