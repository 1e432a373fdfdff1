import { at, DomainError, invalidField } from '../../../../domain/foundation/errors.ts';
import type { WrittenProfile } from '../../../../domain/issuer/issuance-profile.ts';
import { profileView } from '../../../../domain/issuer/profiles/profile-view.ts';
import type { CredentialStatusServices } from '../../../../domain/tenancy/services/credential-status.ts';
import type { CredentialTypesOfTenants } from '../../../../domain/tenancy/services/credential-types.ts';
import type { IssuedCredentials } from '../../../../domain/tenancy/services/issued-credentials.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TenantIssuers } from '../../../../domain/tenancy/services/tenant-issuers.ts';
import type { TenantProfiles } from '../../../../domain/tenancy/services/tenant-profiles.ts';
import { type AnyHandler, done, type Handlers, reply, replyToBody } from '../../messages/operations.ts';
import { credentialTypeHandlers } from '../credential-types.ts';
import { type Issuer2Services, issuer2Handlers } from '../issuer2.ts';
import { type Openid4vciServices, openid4vciHandlers } from '../openid4vci.ts';
import { entryView } from '../status-administration.ts';
import { listPages } from './list-pages.ts';
import { type MountedRequest, mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-issuer` need: the services that serve the open issuer serve those of tenants. */
export interface TenantIssuerServices {
  tenantIssuers: TenantIssuers;
  tenantProfiles: TenantProfiles;
  credentialStatus: CredentialStatusServices;
  credentialTypes: CredentialTypesOfTenants;
  issuedCredentials: IssuedCredentials;
  lists: Lists;
  issuance: Openid4vciServices & Issuer2Services;
}

/** The issuers of tenants: what wallets and verifiers call, and what the tenant does. */
export function tenantIssuerHandlers({ issuance, ...services }: TenantIssuerServices) {
  const { tenantIssuers, lists } = services;
  const issuerAt = async ({ path: { target } }: MountedRequest) => ({ issuer: await tenantIssuers.at(target) });
  const mounted = mountedHandlers(issuer2Handlers(issuance), issuerAt);
  return {
    ...mountedHandlers(openid4vciHandlers(issuance), issuerAt),
    ...mountedHandlers(credentialTypeHandlers(), async (request) => ({ issuers: [(await issuerAt(request)).issuer] })),
    ...mounted,
    ...profileHandlers(services, mounted),
    tenantListIssuanceSessions: listPages(lists, LISTS.tenantListIssuanceSessions),
    ...typeHandlers(services),
    ...issuedHandlers(services),
  };
}

type Services = Omit<TenantIssuerServices, 'issuance'>;

/** What is the tenant's own of profiles and offers: where profiles are kept, and which lists may be named. */
function profileHandlers({ tenantProfiles, credentialStatus }: Services, mounted: Record<string, AnyHandler>) {
  /** @throws DomainError `BadRequest` naming the member */
  const withStatusList = async (target: string, { credentialStatus: named, ...content }: WrittenStatus) => {
    if (named === undefined || !('statusCredentialConfig' in named)) return { ...content, credentialStatus: named };
    if (content.statusList)
      throw invalidField(
        ['credentialStatus'],
        'names the list that statusList asks for: only one of them may be given',
      );
    const statusList = await at(['credentialStatus'], () => credentialStatus.listNamed(target, named));
    return { ...content, statusList };
  };
  const written = (path: { target: string }, body: object) =>
    at(['body'], () => withStatusList(path.target, body)) as Promise<WrittenProfile>;
  const offer: AnyHandler = async (input) => {
    const { path, body } = input as unknown as { path: { target: string }; body: { runtimeOverrides?: object } };
    const { runtimeOverrides: changes } = body;
    const place = ['body', 'runtimeOverrides'];
    const overrides = changes && (await at(place, () => withStatusList(path.target, changes)));
    const wanted = overrides ? { ...body, runtimeOverrides: overrides } : body;
    return (mounted.tenantCreateCredentialOffer as AnyHandler)(Object.assign({}, input, { body: wanted }));
  };
  const own = {
    createTenantProfile: reply(201, async ({ path, body }) => {
      const profile = await written(path, body);
      return profileView(await at(['body'], () => tenantProfiles.create(path, profile)));
    }),
    replaceTenantProfile: reply(200, async ({ path, body }) => {
      const profile = await written(path, body);
      return profileView(await at(['body'], () => tenantProfiles.replace(path, profile)));
    }),
    deleteTenantProfile: done(204, ({ path }) => tenantProfiles.remove(path)),
  } satisfies Partial<Handlers<'tenant-issuer'>>;
  return { ...own, tenantCreateCredentialOffer: offer };
}

interface WrittenStatus {
  credentialStatus?: object;
  statusList?: object;
}

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
