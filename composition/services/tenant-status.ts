import type { TenantStatusServices } from '../../adapters/http/handlers/tenancy/tenant-status.ts';
import { StatusListCreation } from '../../domain/issuer/offers/status-list-creation.ts';
import { IssuerDids } from '../../domain/issuer/onboarding/issuer-dids.ts';
import { IssuerKeys } from '../../domain/issuer/onboarding/issuer-keys.ts';
import {
  type CredentialStatusParts,
  CredentialStatusServices,
} from '../../domain/tenancy/services/credential-status.ts';
import type { Platform } from '../platform/platform.ts';

type TenantParts = Omit<CredentialStatusParts, 'creation' | 'administration' | 'changes'>;

/** The status lists of tenants. */
export function tenantStatus(platform: Platform, parts: TenantParts): Omit<TenantStatusServices, 'lists'> {
  const { settings, issuedLists } = platform;
  const { pagination: pages, publicUrl, status } = settings;
  const issuerKeys = new IssuerKeys(platform);
  const issuerDids = new IssuerDids(issuerKeys, platform.dids);
  const creation = new StatusListCreation({ ...platform, issuerDids, issuerKeys, statusEntries: issuedLists.entries });
  return {
    services: parts.services,
    credentialStatus: new CredentialStatusServices({ ...parts, ...issuedLists, creation }),
    issued: { ...issuedLists, pages, publicUrl, ttlSeconds: status.issuedLists.ttlSeconds },
  };
}
