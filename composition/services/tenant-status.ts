import type { TenantStatusServices } from '../../adapters/http/handlers/tenancy/tenant-status.ts';
import {
  type CredentialStatusParts,
  CredentialStatusServices,
} from '../../domain/tenancy/services/credential-status.ts';
import type { Platform } from '../platform/platform.ts';

type TenantParts = Omit<CredentialStatusParts, 'administration' | 'changes'>;

/** The status lists of tenants. */
export function tenantStatus(platform: Platform, parts: TenantParts): Omit<TenantStatusServices, 'lists'> {
  const { settings, issuedLists } = platform;
  const { pagination: pages, publicUrl, status } = settings;
  return {
    services: parts.services,
    credentialStatus: new CredentialStatusServices({ ...parts, ...issuedLists }),
    issued: { ...issuedLists, pages, publicUrl, ttlSeconds: status.issuedLists.ttlSeconds },
  };
}
