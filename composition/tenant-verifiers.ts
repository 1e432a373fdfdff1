import type { Verifier2Services } from '../adapters/http/verifier2.ts';
import { type TenantVerifierParts, TenantVerifiers } from '../domain/tenancy/services/tenant-verifiers.ts';

/** What the tree of tenants has for their verifiers. */
type TenantVerifierTree = Omit<TenantVerifierParts, 'sessions' | 'dependencies'>;

/** The verifiers of tenants, over the services of the open endpoints. */
export const tenantVerifiers = (
  tree: TenantVerifierTree,
  { presentationSessions }: Verifier2Services,
): TenantVerifiers =>
  new TenantVerifiers({
    ...tree,
    sessions: presentationSessions,
    dependencies: { policyAt: async () => undefined, trustedRoots: async () => [] },
  });
