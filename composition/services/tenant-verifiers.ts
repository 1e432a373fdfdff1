import { type TenantVerifierParts, TenantVerifiers } from '../../domain/tenancy/services/tenant-verifiers.ts';
import type { VerifierArea } from './verifier.ts';

/** What the tree of tenants has for their verifiers. */
type TenantVerifierTree = Omit<TenantVerifierParts, 'sessions' | 'setups'>;

/** The verifiers of tenants, over the services of the open endpoints. */
export const tenantVerifiers = (tree: TenantVerifierTree, { sessions, setups }: VerifierArea): TenantVerifiers =>
  new TenantVerifiers({ ...tree, sessions, setups });
