import { ServiceKeys } from '../../domain/keys/service-keys.ts';
import { type TenantIssuerParts, TenantIssuers } from '../../domain/tenancy/services/tenant-issuers.ts';
import type { Platform } from '../platform/platform.ts';
import type { IssuerArea } from './issuer.ts';

type TenantParts = Pick<TenantIssuerParts, 'services' | 'tree' | 'repository' | 'urls' | 'credentialStatus'>;

/** The issuers of tenants, which the services of the open issuer serve too. */
export const tenantIssuers = (
  platform: Platform,
  { keys: issuerKeys, sessions, removal }: Pick<IssuerArea, 'keys' | 'sessions' | 'removal'>,
  parts: TenantParts,
): TenantIssuers =>
  new TenantIssuers({ ...platform, ...parts, serviceKeys: new ServiceKeys(platform), issuerKeys, sessions, removal });
