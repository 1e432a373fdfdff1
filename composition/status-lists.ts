import type { Settings } from '../adapters/config/settings.ts';
import { StatusListCwt } from '../adapters/formats/token-status-list/status-list-cwt.ts';
import { EntryAllocation } from '../domain/status/entry-allocation.ts';
import { IssuedLists } from '../domain/status/issued-lists.ts';
import { ListPublication, type ListPublicationParts } from '../domain/status/list-publication.ts';
import type { StatusEntries } from '../ports/status-entries.ts';
import type { Store } from '../ports/store.ts';
import type { System } from './system.ts';

/** The status lists of the credentials that are issued here. */
export interface IssuedListServices {
  lists: IssuedLists;
  entries: StatusEntries;
  publication: ListPublication;
}

/** What the lists need. */
interface IssuedListParts extends System, Pick<ListPublicationParts, 'keys' | 'credentials'> {
  settings: Pick<Settings, 'publicUrl' | 'status'>;
  store: Store;
}

/** Creates what allocates entries of status lists and publishes the lists. */
export function issuedListServices({ settings, ...platform }: IssuedListParts): IssuedListServices {
  const { publicUrl, status } = settings;
  const { entries: listEntries, ...times } = status.issuedLists;
  const lists = new IssuedLists(platform);
  const parts = { ...platform, lists, publicUrl };
  return {
    lists,
    entries: new EntryAllocation({ ...parts, listEntries }),
    publication: new ListPublication({ ...parts, times, cwts: new StatusListCwt() }),
  };
}
