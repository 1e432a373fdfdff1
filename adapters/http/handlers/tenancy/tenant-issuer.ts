import { DomainError } from '../../../../domain/foundation/errors.ts';
import type { CredentialTypesOfTenants } from '../../../../domain/tenancy/services/credential-types.ts';
import type { IssuedCredentials } from '../../../../domain/tenancy/services/issued-credentials.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TenantIssuers } from '../../../../domain/tenancy/services/tenant-issuers.ts';
import { done, type Handlers, reply, replyToBody } from '../../messages/operations.ts';
import { credentialTypeHandlers } from '../credential-types.ts';
import { type Issuer2Services, issuer2Handlers } from '../issuer2.ts';
import { type Openid4vciServices, openid4vciHandlers } from '../openid4vci.ts';
import { entryView } from '../status-administration.ts';
import { listPages } from './list-pages.ts';
import { type MountedRequest, mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-issuer` need: the services that serve the open issuer serve those of tenants. */
export interface TenantIssuerServices {
  tenantIssuers: TenantIssuers;
  credentialTypes: CredentialTypesOfTenants;
  issuedCredentials: IssuedCredentials;
  lists: Lists;
  issuance: Openid4vciServices & Issuer2Services;
}

/** The issuers of tenants: what wallets and verifiers call, and what the tenant does. */
export function tenantIssuerHandlers({ issuance, ...services }: TenantIssuerServices) {
  const { tenantIssuers, lists } = services;
  const at = async ({ path: { target } }: MountedRequest) => ({ issuer: await tenantIssuers.at(target) });
  return {
    ...mountedHandlers(openid4vciHandlers(issuance), at),
    ...mountedHandlers(credentialTypeHandlers(), async (request) => ({ issuers: [(await at(request)).issuer] })),
    ...mountedHandlers(issuer2Handlers(issuance), at),
    tenantListIssuanceSessions: listPages(lists, LISTS.tenantListIssuanceSessions),
    ...typeHandlers(services),
    ...issuedHandlers(services),
  };
}

type Services = Omit<TenantIssuerServices, 'issuance'>;

const typeHandlers = ({ credentialTypes, tenantIssuers, lists }: Services) =>
  ({
    createCredentialType: replyToBody(201, ({ body, path, rights, caller: { accountId: account } }) =>
      credentialTypes.create({ rights, target: path.target, account }, body),
    ),
    replaceCredentialType: replyToBody(200, ({ body, path: { target, typeId }, caller: { accountId: account } }) =>
      credentialTypes.replace({ target, account }, typeId, body),
    ),
    listCredentialTypes: listPages(lists, LISTS.listCredentialTypes),
    getTenantCredentialType: reply(200, ({ path }) => credentialTypes.get(path.target, path.typeId)),
    deleteCredentialType: done(204, ({ path }) => credentialTypes.remove(path.target, path.typeId)),
    getCredentialImage: async ({ path }) => {
      const { images = [] } = await tenantIssuers.at(path.target);
      const image = images.find(({ name }) => name === path.image);
      if (!image) throw new DomainError('NotFound', 'There is no such image');
      const headers = { 'content-type': image.mediaType, 'cache-control': 'public, max-age=31536000, immutable' };
      return { status: 200, body: image.bytes, headers };
    },
  }) satisfies Partial<Handlers<'tenant-issuer'>>;

const issuedHandlers = ({ issuedCredentials, lists }: Services) =>
  ({
    listIssuedCredentials: listPages(lists, LISTS.listIssuedCredentials),
    getIssuedCredential: reply(200, async ({ path }) => {
      const { issued, entries, ...more } = await issuedCredentials.get(path.target, path.issuedId);
      return { ...issued, ...more, entries: entries.map(entryView) };
    }),
    changeIssuedCredential: replyToBody(200, ({ path, body }) =>
      issuedCredentials.change(path.target, path.issuedId, body),
    ),
    deleteIssuedRecipient: done(204, ({ path }) => issuedCredentials.removeRecipient(path.target, path.issuedId)),
  }) satisfies Partial<Handlers<'tenant-issuer'>>;
