import type { EntryNames } from '../../../../domain/credentials/status-entries.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import type { CredentialStatusServices } from '../../../../domain/tenancy/services/credential-status.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import { ownerOf, type TenantServices } from '../../../../domain/tenancy/services/tenant-services.ts';
import type { Handlers } from '../../messages/operations.ts';
import { changedEntryView, entryView, type OwnedListServices, ownedListHandlers } from '../status-administration.ts';
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

/** The mounted operations with their permissions, as openapi/tenant-status.yaml has them. */
const MOUNTS = {
  listStatusLists: 'status-credential-list',
  getStatusListFacts: 'status-credential-list',
  allocateStatusEntry: 'status-entry-create',
  listStatusEntries: 'status-entry-list',
  getStatusEntry: 'status-entry-list',
  changeStatusEntry: 'status-entry-change',
  findStatusEntries: 'status-entry-list',
  changeStatusEntries: 'status-entry-change',
} as const;

/** The status lists of tenants. */
export const tenantStatusHandlers = ({ services, credentialStatus, lists, issued }: TenantStatusServices) => ({
  ...mountedHandlers(MOUNTS, async ({ caller, target, action }) => {
    const service = await services.managed({ caller: caller.accountId, target }, 'credential-status', action);
    const namesOf = (names: EntryNames) => credentialStatus.namesOf(service, names);
    const showsEntries =
      action !== 'status-entry-change' ||
      (await services.may({ caller: caller.accountId, target }, 'status-entry-list'));
    return ownedListHandlers({ ...issued, namesOf, showsEntries }, ownerOf(service));
  }),
  ...({
    tenantGetStatusList: ({ path: { id, target } }) => publishedList(issued, { id, target }),
    createStatusCredential: async ({ path, body, caller }) => ({
      status: 201,
      body: await at(['body'], () => credentialStatus.create({ caller: caller.accountId, ...path }, body)),
    }),
    listStatusCredentials: listPages(lists, LISTS.listStatusCredentials),
    updateSessionStatus: async ({ path, body: { session, status }, caller }) => {
      const wanted = { session, status: Number(status) };
      const request = { caller: caller.accountId, ...path };
      const changed = await at(['body'], () => credentialStatus.setStatus(request, wanted));
      const showsEntries = await services.may(request, 'status-entry-list');
      return { status: 200, body: changed.map(showsEntries ? entryView : changedEntryView) };
    },
  } satisfies Partial<Handlers<'tenant-status'>>),
});
