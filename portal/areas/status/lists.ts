import type { Schemas } from '../../../client/client.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import type { sortOf } from '../../shell/list.tsx';
import { may, officePage, type Place, work } from '../../shell/office.tsx';
import { place, to } from '../../shell/place.ts';

export type List = Schemas['StatusList'];
export type Entry = Schemas['StatusEntry'];
type State = Entry['status'];
type Change = Schemas['StatusEntryChange'];

interface Wanted {
  limit: string;
  offset: string;
}

/** What credentials are found by. */
export const FOUND_BY = ['credentialId', 'session'] as const;

/** The name of a credential, or of the session that it was issued in. */
type Named = Partial<Record<(typeof FOUND_BY)[number], string>>;

/** The status lists of an issuer or of a service, and what the reader may do with them. */
export interface StatusLists {
  /** Whose lists they are. */
  of: string;
  mayList: boolean;
  maySeeEntries: boolean;
  mayChange: boolean;
  /** The address of a page of these lists. */
  page(rest?: string): string;
  lists(wanted: Wanted & { sort?: ReturnType<typeof sortOf> }): Promise<Outcome<List[]>>;
  list(listId: string): Promise<Outcome<List>>;
  entries(listId: string, wanted: Wanted & { status?: State }): Promise<Outcome<Entry[]>>;
  find(wanted: Wanted & Named): Promise<Outcome<Entry[]>>;
  entry(listId: string, index: string): Promise<Outcome<Entry>>;
  change(listId: string, index: string, body: Change): Promise<Outcome<Entry>>;
}

const OPEN = '/issuer2/status-lists';

/** The lists of the open issuers. */
export const openLists: StatusLists = {
  of: '',
  mayList: true,
  maySeeEntries: true,
  mayChange: true,
  page: (rest = '') => to(`/status${rest}`),
  lists: (query) => ask(api.GET(OPEN, { params: { query } })),
  list: (listId) => ask(api.GET(`${OPEN}/{listId}`, { params: { path: { listId } } })),
  entries: (listId, query) => ask(api.GET(`${OPEN}/{listId}/entries`, { params: { path: { listId }, query } })),
  find: (query) => ask(api.GET('/issuer2/status-entries', { params: { query } })),
  entry: (listId, index) => ask(api.GET(`${OPEN}/{listId}/entries/{index}`, { params: { path: { listId, index } } })),
  change: (listId, index, body) =>
    ask(api.POST(`${OPEN}/{listId}/entries/{index}/changes`, { params: { path: { listId, index } }, body })),
};

const OF_SERVICE = '/v1/{target}/credential-status-service-api/status-lists';

/** The lists of a service of a unit. */
export const listsOf = (service: Place): StatusLists => {
  const { target } = service;
  return {
    of: target,
    mayList: may(service, 'status-credential-list'),
    maySeeEntries: may(service, 'status-entry-list'),
    mayChange: may(service, 'status-entry-change'),
    page: (rest = '') => {
      const unit = place.value.path.split('/')[2] ?? '';
      return officePage(decodeURIComponent(unit), `status${rest}`, { service: place.value.query.service });
    },
    lists: (query) => work(ask(api.GET(OF_SERVICE, { params: { path: { target }, query } }))),
    list: (listId) => work(ask(api.GET(`${OF_SERVICE}/{listId}`, { params: { path: { target, listId } } }))),
    entries: (listId, query) =>
      work(ask(api.GET(`${OF_SERVICE}/{listId}/entries`, { params: { path: { target, listId }, query } }))),
    find: (query) => {
      const params = { path: { target }, query };
      return work(ask(api.GET('/v1/{target}/credential-status-service-api/status-entries', { params })));
    },
    entry: (listId, index) => {
      const params = { path: { target, listId, index } };
      return work(ask(api.GET(`${OF_SERVICE}/{listId}/entries/{index}`, { params })));
    },
    change: (listId, index, body) => {
      const params = { path: { target, listId, index } };
      return ask(api.POST(`${OF_SERVICE}/{listId}/entries/{index}/changes`, { params, body }));
    },
  };
};

/** What a list has a value for: those of the W3C know one state beside valid, and so does one bit. */
export function actionsOf({ purpose, statusSize }: List): Change['action'][] {
  if (purpose === 'suspension') return ['suspend', 'lift'];
  return purpose === 'revocation' || statusSize === 1 ? ['revoke'] : ['revoke', 'suspend', 'lift'];
}

/** What a list is called; a Token Status List exists in two forms. */
export const kindOf = ({ type, format }: List): string => (format === 'JWT' ? type : `${type} (${format})`);

/** What a set status of a list can say: one thing in a list of the W3C, anything else where it names no purpose. */
export const purposeOf = ({ purpose }: List): 'revocation' | 'suspension' | 'any' =>
  purpose === 'revocation' || purpose === 'suspension' ? purpose : 'any';
