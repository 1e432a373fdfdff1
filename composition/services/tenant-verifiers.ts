import { SavedChecks } from '../../domain/tenancy/services/saved-checks.ts';
import { type TenantVerifierParts, TenantVerifiers } from '../../domain/tenancy/services/tenant-verifiers.ts';
import type { ResourceTree } from '../../domain/tenancy/tree/resource-tree.ts';
import type { Platform } from '../platform/platform.ts';
import type { VerifierArea } from './verifier.ts';

type TenantParts = Pick<TenantVerifierParts, 'services' | 'urls' | 'policyStores' | 'trustRegistries'> & {
  tree: ResourceTree;
};

/** The verifiers of tenants, which the services of the open verifier serve too, and their saved checks. */
export function tenantVerifiers(
  platform: Platform,
  { sessions, setups, creation }: Pick<VerifierArea, 'sessions' | 'setups' | 'creation'>,
  parts: TenantParts,
): { verifiers: TenantVerifiers; savedChecks: SavedChecks } {
  const verifiers = new TenantVerifiers({ ...platform, ...parts, sessions, setups });
  const savedChecks = new SavedChecks({ ...platform, ...parts, verifiers, setups, creation, ports: platform });
  return { verifiers, savedChecks };
}
