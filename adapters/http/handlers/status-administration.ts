import { STATUS_LIST_KINDS } from '../../../domain/credentials/formats/status-list-kinds.ts';
import type { EntryNames } from '../../../domain/credentials/status-entries.ts';
import { at, invalidField } from '../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../domain/foundation/time.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { StatusListCreation } from '../../../domain/issuer/offers/status-list-creation.ts';
import { type PageLimits, readPage } from '../../../domain/limits/pagination.ts';
import type { EntryChanges, EntryWithState } from '../../../domain/status/entry-changes.ts';
import type { ListSummary } from '../../../domain/status/issued-lists.ts';
import type { ListAdministration } from '../../../domain/status/list-administration.ts';
import { statusListUrl } from '../../../domain/status/status-list-urls.ts';
import type { StatusTokens } from '../../../domain/status/status-tokens.ts';
import type { Stored } from '../../../ports/store.ts';
import { given, type Handlers, reply, replyUncached } from '../messages/operations.ts';

/** Whose lists are administered, by whom. */
export interface OfOwner {
  /** What the lists are of. */
  owner: string;
  /** Whether the caller may see what stands at an entry already. */
  showsEntries: boolean;
  /** What the names of a caller stand for. */
  namesOf(names: EntryNames): Promise<EntryNames>;
}

/** What the handlers of the lists of an owner need. */
export interface OwnedListServices {
  administration: ListAdministration;
  changes: EntryChanges;
  pages: PageLimits;
  publicUrl: string;
}

/** What the handlers of the document `status-administration` need. */
export interface StatusAdministrationServices extends OwnedListServices {
  /** The issuer whose lists are administered. */
  issuer: CredentialIssuer;
  creation: StatusListCreation;
  tokens: StatusTokens;
}

type Part = Partial<Handlers<'status-administration', OfOwner>>;

/** The administration of the status lists of the open issuers. */
export const statusAdministrationHandlers = (
  services: StatusAdministrationServices,
): Handlers<'status-administration'> => ({
  ...creationHandlers(services),
  ...given(ownedListHandlers(services), {
    owner: services.issuer.target,
    showsEntries: true,
    namesOf: async (names: EntryNames) => names,
  }),
});

const creationHandlers = ({ issuer, creation, administration, tokens, publicUrl }: StatusAdministrationServices) =>
  ({
    createStatusList: async ({ body }) => {
      const { list, isNew } = await at(['body'], () => creation.create(issuer, body));
      const found = await administration.list(issuer.target, list);
      return { status: isNew ? 201 : 200, body: listView(found, publicUrl) };
    },
    createStatusToken: replyUncached(201, () => tokens.create()),
  }) satisfies Partial<Handlers<'status-administration'>>;

/** The administration of the status lists of an owner. */
export const ownedListHandlers = (services: OwnedListServices) => ({
  ...listHandlers(services),
  ...entryHandlers(services),
});

const listHandlers = ({ administration, pages, publicUrl }: OwnedListServices) =>
  ({
    listStatusLists: async ({ owner, query }) => {
      const page = await query((texts) => readPage(texts, { ...pages, sortable: true }));
      const found = await administration.lists(owner, page);
      return { status: 200, body: found.map((list) => listView(list, publicUrl)) };
    },
    getStatusListFacts: reply(200, async ({ owner, path: { listId } }) => {
      const [list, { used, changedAt }] = await Promise.all([
        administration.list(owner, listId),
        administration.use(owner, listId),
      ]);
      return {
        ...listView(list, publicUrl),
        used,
        changedDateTime: changedAt === undefined ? undefined : isoMillis(changedAt),
      };
    }),
  }) satisfies Part;

const entryHandlers = ({ administration, changes, pages }: OwnedListServices) => {
  const viewFor = ({ showsEntries }: OfOwner) => (showsEntries ? entryView : changedEntryView);
  return {
    allocateStatusEntry: async ({ owner, path, body }) => {
      const { status: reference, ...entry } = await administration.allocate(owner, path.listId, body);
      return { status: 201, body: { entry: entryView(entry), reference } };
    },
    listStatusEntries: async ({ owner, path, query }) => {
      const { status: state } = await query();
      const page = await query((texts) => readPage(texts, { ...pages, sortable: true }));
      const found = await administration.entries(owner, path.listId, { ...page, state });
      return { status: 200, body: found.map(entryView) };
    },
    getStatusEntry: reply(200, async ({ owner, path: { listId, index } }) =>
      entryView(await administration.entry(owner, listId, Number(index))),
    ),
    changeStatusEntry: async ({ path: { listId, index }, body, ...of }) => {
      const changedView = viewFor(of);
      const place = { list: listId, index: Number(index) };
      return { status: 200, body: changedView(await at(['body'], () => changes.change(of.owner, place, body))) };
    },
    findStatusEntries: async ({ owner, namesOf, query }) => {
      const { session, credentialId } = await query();
      if ((session === undefined) === (credentialId === undefined))
        throw invalidField(['query', 'session'], 'either session or credentialId is required');
      const page = await query((texts) => readPage(texts, { ...pages, sortable: false }));
      const found = await administration.find(owner, await namesOf({ session, credentialId }), page);
      return { status: 200, body: found.map(entryView) };
    },
    changeStatusEntries: async ({ body: { session, credentialId, ...wanted }, ...of }) => {
      const names = await of.namesOf({ session, credentialId });
      const changed = await at(['body'], () => changes.changeNamed(of.owner, names, wanted));
      return { status: 200, body: changed.map(viewFor(of)) };
    },
  } satisfies Part;
};

function listView({ id, value, createdAt }: Stored<ListSummary>, publicUrl: string) {
  const { choice, signer, size } = value;
  const { type, format } = STATUS_LIST_KINDS[choice.kind];
  return {
    listId: id,
    url: statusListUrl(value.baseUrl ?? publicUrl, id),
    type,
    format,
    purpose: choice.purpose,
    statusSize: choice.bits,
    issuer: signer.issuer,
    size,
    createdDateTime: isoMillis(createdAt),
  };
}

/** An entry as it is shown. */
export const entryView = ({ place, state, entry: { value, createdAt, updatedAt } }: EntryWithState) => ({
  listId: place.list,
  index: place.index,
  status: state,
  session: value.session,
  credentialId: value.credentialId,
  history: value.history.map(({ at: changedAt, from, to, reason, changedBy }) => {
    return { changedAt: isoMillis(changedAt), from, to, reason, changedBy };
  }),
  createdDateTime: isoMillis(createdAt),
  updatedDateTime: isoMillis(updatedAt),
});

/** A changed entry as callers see it who may change entries, but not read them. */
export const changedEntryView = (entry: EntryWithState): ReturnType<typeof entryView> => ({
  ...entryView(entry),
  session: undefined,
  credentialId: undefined,
  history: [],
});
