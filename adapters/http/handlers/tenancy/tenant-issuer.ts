import type { Action } from '../../../../domain/tenancy/access/permissions.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TenantIssuers } from '../../../../domain/tenancy/services/tenant-issuers.ts';
import { credentialTypeHandlers } from '../credential-types.ts';
import { type Issuer2Services, issuer2Handlers } from '../issuer2.ts';
import { type Openid4vciServices, openid4vciHandlers } from '../openid4vci.ts';
import { listPages } from './list-pages.ts';
import { type MountedRequest, type Mounts, mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-issuer` need: the services that serve the open issuer serve those of tenants. */
export interface TenantIssuerServices {
  tenantIssuers: TenantIssuers;
  lists: Lists;
  issuance: Omit<Openid4vciServices & Issuer2Services, 'v1Issuer'>;
}

/** What wallets and verifiers call. */
const OPEN = {
  getOpenid4vciIssuerMetadata: undefined,
  getOpenid4vciServerMetadata: undefined,
  getOpenid4vciJwtVcIssuer: undefined,
  listOpenid4vciKeys: undefined,
  getOpenid4vciOffer: undefined,
  pushOpenid4vciAuthorization: undefined,
  authorizeOpenid4vci: undefined,
  requestOpenid4vciToken: undefined,
  requestOpenid4vciNonce: undefined,
  requestOpenid4vciChallenge: undefined,
  requestOpenid4vciCredential: undefined,
  requestOpenid4vciDeferredCredential: undefined,
  notifyOpenid4vciIssuer: undefined,
} as const satisfies Mounts;

/** What the tenant calls. */
const MANAGED = {
  listIssuanceProfiles: 'issuer-profile-view',
  getIssuanceProfile: 'issuer-profile-view',
  createCredentialOffer: 'issuer-credential-issue',
  createCredentialOffersInBulk: 'issuer-credential-issue',
  getIssuanceSession: 'issuer-session-view',
  streamIssuanceSessionEvents: 'issuer-session-view',
} as const satisfies Mounts;

/** The issuers of tenants. */
export function tenantIssuerHandlers({ tenantIssuers: issuers, lists, issuance }: TenantIssuerServices) {
  const at = async ({ target }: MountedRequest) => ({ ...issuance, v1Issuer: await issuers.at(target) });
  const managed = async ({ target, caller, action }: MountedRequest<Action>) => ({
    ...issuance,
    v1Issuer: await issuers.managed({ caller: caller.accountId, target }, action),
  });
  return {
    ...mountedHandlers(OPEN, async (request) => openid4vciHandlers(await at(request))),
    ...mountedHandlers({ getFinalCredentialType: undefined, getCredentialType: undefined }, async (request) =>
      credentialTypeHandlers([(await at(request)).v1Issuer]),
    ),
    ...mountedHandlers(MANAGED, async (request) => issuer2Handlers(await managed(request))),
    tenantListIssuanceSessions: listPages(lists, LISTS.tenantListIssuanceSessions),
  };
}
