import type { EntryNames } from '../../../../domain/credentials/status-entries.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import { allows } from '../../../../domain/tenancy/access/permissions.ts';
import type { CredentialStatusServices } from '../../../../domain/tenancy/services/credential-status.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import { ownerOf, type TenantServices } from '../../../../domain/tenancy/services/tenant-services.ts';
import { type Handlers, replyToBody } from '../../messages/operations.ts';
import {
  changedEntryView,
  entryView,
  type OfOwner,
  type OwnedListServices,
  ownedListHandlers,
} from '../status-administration.ts';
import { publishedList, type StatusListServices } from '../status-lists.ts';
import { listPages } from './list-pages.ts';
import { mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-status` need. */
export interface TenantStatusServices {
  services: TenantServices;
  credentialStatus: CredentialStatusServices;
  lists: Lists;
  /** The lists of all targets. */
  issued: OwnedListServices & StatusListServices;
}

/** The status lists of tenants. */
export const tenantStatusHandlers = ({ services, credentialStatus, lists, issued }: TenantStatusServices) => ({
  ...mountedHandlers(ownedListHandlers(issued), async ({ path: { target }, rights }) => {
    const service = await services.at(target, 'credential-status');
    const namesOf = (names: EntryNames) => credentialStatus.namesOf(service, names);
    const showsEntries = rights !== undefined && allows(rights, 'status-entry-list', target);
    return { owner: ownerOf(service), namesOf, showsEntries } satisfies OfOwner;
  }),
  ...({
    tenantGetStatusList: ({ path: { id, target } }) => publishedList(issued, { id, target }),
    createStatusCredential: replyToBody(201, ({ path: { target }, body, rights }) =>
      credentialStatus.create({ rights, target }, body),
    ),
    listStatusCredentials: listPages(lists, LISTS.listStatusCredentials),
    updateSessionStatus: async ({ path: { target }, body: { session, status }, rights }) => {
      const wanted = { session, status: Number(status) };
      const changed = await at(['body'], () => credentialStatus.setStatus({ rights, target }, wanted));
      const showsEntries = allows(rights, 'status-entry-list', target);
      return { status: 200, body: changed.map(showsEntries ? entryView : changedEntryView) };
    },
  } satisfies Partial<Handlers<'tenant-status'>>),
});
