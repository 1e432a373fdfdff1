import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TenantIssuers } from '../../../../domain/tenancy/services/tenant-issuers.ts';
import { credentialTypeHandlers } from '../credential-types.ts';
import { type Issuer2Services, issuer2Handlers } from '../issuer2.ts';
import { type Openid4vciServices, openid4vciHandlers } from '../openid4vci.ts';
import { listPages } from './list-pages.ts';
import { type MountedRequest, mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-issuer` need: the services that serve the open issuer serve those of tenants. */
export interface TenantIssuerServices {
  tenantIssuers: TenantIssuers;
  lists: Lists;
  issuance: Openid4vciServices & Issuer2Services;
}

/** The issuers of tenants: what wallets and verifiers call, and what the tenant does. */
export function tenantIssuerHandlers({ tenantIssuers, lists, issuance }: TenantIssuerServices) {
  const at = async ({ path: { target } }: MountedRequest) => ({ issuer: await tenantIssuers.at(target) });
  return {
    ...mountedHandlers(openid4vciHandlers(issuance), at),
    ...mountedHandlers(credentialTypeHandlers(), async (request) => ({ issuers: [(await at(request)).issuer] })),
    ...mountedHandlers(issuer2Handlers(issuance), at),
    tenantListIssuanceSessions: listPages(lists, LISTS.tenantListIssuanceSessions),
  };
}
