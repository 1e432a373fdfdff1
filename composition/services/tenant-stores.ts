import type { TenantStoreServices } from '../../adapters/http/handlers/tenancy/tenant-stores.ts';
import type { ServiceParts } from '../../domain/tenancy/services/child-creation.ts';
import { CredentialStores } from '../../domain/tenancy/services/credential-store.ts';
import { DidStores } from '../../domain/tenancy/services/did-store.ts';
import { KeyManagementServices } from '../../domain/tenancy/services/kms.ts';
import { PolicyStores } from '../../domain/tenancy/services/policy-store.ts';
import type { Platform } from '../platform/platform.ts';

/** The stores of tenants. */
export function tenantStores(
  platform: Platform,
  parts: ServiceParts,
): Omit<TenantStoreServices, 'lists' | 'resources'> {
  const { keys, didCreator } = platform;
  const kms = new KeyManagementServices({ ...parts, keys });
  return {
    kms,
    didStores: new DidStores({ ...parts, kms, didCreator }),
    credentialStores: new CredentialStores(parts),
    policyStores: new PolicyStores({ ...parts, ports: platform }),
  };
}
