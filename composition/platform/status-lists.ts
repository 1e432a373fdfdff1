import type { Settings } from '../../adapters/config/settings.ts';
import { StatusListCwt } from '../../adapters/formats/token-status-list/status-list-cwt.ts';
import { ParsedTokenLists, type TokenListParts } from '../../adapters/formats/token-status-list/token-lists.ts';
import type { CredentialFormats } from '../../domain/credentials/formats/formats.ts';
import { IssuedRecords } from '../../domain/issuer/issued/issued-records.ts';
import { EntryAllocation } from '../../domain/status/entry-allocation.ts';
import { EntryChanges } from '../../domain/status/entry-changes.ts';
import { IssuedEntries } from '../../domain/status/issued-entries.ts';
import { IssuedLists } from '../../domain/status/issued-lists.ts';
import { ListAdministration } from '../../domain/status/list-administration.ts';
import { ListAuthority, type ListAuthorityParts } from '../../domain/status/list-authority.ts';
import { ListPublication, type ListPublicationParts } from '../../domain/status/list-publication.ts';
import { type StatusListParts, StatusListSource } from '../../domain/status/list-source.ts';
import { SimpleStatuses } from '../../domain/status/simple-statuses.ts';
import { StatusLookup } from '../../domain/status/status-lookup.ts';
import { StatusTokens } from '../../domain/status/status-tokens.ts';
import type { Store } from '../../ports/store.ts';
import type { System } from './system.ts';

/** The status lists of the credentials that are issued here. */
export interface IssuedListServices {
  entries: EntryAllocation;
  changes: EntryChanges;
  administration: ListAdministration;
  publication: ListPublication;
  lists: IssuedLists;
  /** What issuers issued, which follows its entries. */
  records: IssuedRecords;
  /** The tokens of credentials that have no entry of a list. */
  tokens: StatusTokens;
}

/** What the lists need. */
interface IssuedListParts extends System, Pick<ListPublicationParts, 'keys' | 'credentials'> {
  settings: Pick<Settings, 'publicUrl' | 'status'>;
  store: Store;
}

/** Creates what allocates entries of status lists, changes them, and publishes the lists. */
function issuedListServices({ settings, ...platform }: IssuedListParts): IssuedListServices {
  const { publicUrl, status } = settings;
  const { entries: listEntries, ...times } = status.issuedLists;
  const lists = new IssuedLists(platform);
  const issued = new IssuedEntries(platform);
  const records = new IssuedRecords(platform);
  const parts = { ...platform, lists, issued, records, publicUrl };
  const entries = new EntryAllocation({ ...parts, listEntries });
  const changes = new EntryChanges(parts);
  return {
    entries,
    changes,
    administration: new ListAdministration({ lists, issued, entries, changes }),
    lists,
    records,
    tokens: new StatusTokens(parts),
    publication: new ListPublication({ ...parts, times, cwts: new StatusListCwt() }),
  };
}

/** What the lookup needs. */
interface StatusLookupParts
  extends System,
    Pick<StatusListParts, 'outbound' | 'dids' | 'issuers' | 'statements'>,
    Pick<TokenListParts, 'signatures' | 'certificates'>,
    Pick<ListAuthorityParts, 'trust' | 'trustLists'> {
  settings: Pick<Settings, 'publicUrl' | 'status'>;
  issuedLists: IssuedListServices;
}

/** Creates the status lists of this server, and what looks up the status of credentials, of this server and of others. */
export function statusPlatform({
  formats,
  ...platform
}: Omit<StatusLookupParts, 'issuedLists'> & Omit<IssuedListParts, 'credentials'> & { formats: CredentialFormats }) {
  const issuedLists = issuedListServices({ ...platform, credentials: formats.standard.codec });
  const listAuthority = new ListAuthority({ ...platform, ...platform.settings.status });
  return { issuedLists, listAuthority, statuses: statusLookup({ ...platform, issuedLists, authority: listAuthority }) };
}

function statusLookup({ settings, issuedLists, ...platform }: StatusLookupParts & { authority: ListAuthority }) {
  const { publicUrl, status } = settings;
  const { publication: own, tokens } = issuedLists;
  return new StatusLookup({
    ...platform,
    ...status,
    lists: new StatusListSource({ ...platform, tokens: new ParsedTokenLists(platform), own, publicUrl }),
    simple: new SimpleStatuses({ ...platform, tokens }),
  });
}
