import type { Collection, RecordKey, Store, Stored } from '../../ports/store.ts';
import type { Ids, Random } from '../../ports/system.ts';
import type { StatusEntries, StatusEntryRequest, StatusListRequest } from '../credentials/status-entries.ts';
import { base64url, fingerprint } from '../foundation/bytes.ts';
import { CallBatches } from '../foundation/call-batches.ts';
import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { insertFirst, update } from '../foundation/records.ts';
import type { EntryPosition, IssuedEntries } from './issued-entries.ts';
import type { IssuedList, IssuedLists } from './issued-lists.ts';
import { draw, type ListSeries } from './list-series.ts';
import { entryAt } from './list-tokens.ts';
import { statusListUrl } from './status-list-urls.ts';

/** The most series of one target: any caller of the open endpoints can begin one with a key of its own. */
const MAX_SERIES = 10_000;
/** The most lists of one series. */
const MAX_LISTS = 1000;
const RETRY_SECONDS = 60;

export interface EntryAllocationParts {
  lists: IssuedLists;
  issued: IssuedEntries;
  store: Store;
  ids: Ids;
  random: Random;
  /** The base URL of the lists that have none of their own. */
  publicUrl: string;
  /** The number of entries of a new list. */
  listEntries: number;
}

/** An allocated entry. */
export interface AllocatedEntry {
  place: EntryPosition;
  /** What its credential says of it. */
  status: JsonObject;
}

/** An entry that is taken, with the URL of its list. */
interface DrawnEntry {
  place: EntryPosition;
  url: string;
}

/**
 * Allocates entries of status lists. A series of lists is one record, changed by revision: instances that allocate at
 * the same time never take the same index, and a process that ends after an allocation wastes it.
 */
export class EntryAllocation implements StatusEntries {
  readonly #series: Collection<ListSeries>;
  readonly #batches = new CallBatches<number, DrawnEntry[]>();

  constructor(private readonly parts: EntryAllocationParts) {
    this.#series = parts.store.collection({ name: 'status-list-series', listed: true, afterRestore: 'void' });
  }

  async allocate(request: StatusEntryRequest, count: number): Promise<JsonObject[]> {
    return (await this.entries(request, count)).map(({ status }) => status);
  }

  /** Allocates entries, as `allocate`. */
  async entries({ names, ...request }: StatusEntryRequest, count: number): Promise<AllocatedEntry[]> {
    const { target, choice } = request;
    const key = seriesOf(request);
    const run = async (counts: readonly number[]): Promise<DrawnEntry[][]> => {
      const drawn = await this.#take(
        key,
        request,
        counts.reduce((sum, one) => sum + one, 0),
      );
      return counts.map((one) => drawn.splice(0, one));
    };
    const drawn = await this.#batches.join(`${target} ${key.id}`, count, run);
    await Promise.all(drawn.map(({ place }) => this.parts.issued.insert(target, place, names)));
    return drawn.map(({ place, url }) => ({ place, status: entryAt(choice, { url, index: place.index }) }));
  }

  /** Returns the id of the list that has the next entry; when there is none it is opened. @throws DomainError as `allocate` */
  async open(request: StatusListRequest): Promise<{ list: string; isNew: boolean }> {
    const key = seriesOf(request);
    const before = await this.#series.get(key);
    if (before) return { list: before.value.list, isNew: false };
    await this.#open(key, request, undefined);
    return { list: (await this.#series.get(key))?.value.list ?? '', isNew: true };
  }

  /** How many entries of a list are used up: all, where the list is not the last of its series. */
  async usedOf(target: string, { id, value: { choice, signer, size } }: Stored<IssuedList>): Promise<number> {
    const series = await this.#series.get(seriesOf({ target, choice, signer }));
    return series?.value.list === id ? series.value.next : size;
  }

  async #take(key: Required<RecordKey>, request: StatusListRequest, count: number): Promise<DrawnEntry[]> {
    const entries: DrawnEntry[] = [];
    while (entries.length < count) {
      const drawn = await this.#draw(key, count - entries.length);
      if (drawn.entries.length === 0) await this.#open(key, request, drawn.series);
      entries.push(...drawn.entries);
    }
    return entries;
  }

  async #draw(key: RecordKey, wanted: number): Promise<{ series?: ListSeries; entries: DrawnEntry[] }> {
    let indexes: number[] = [];
    // The last call is for the value that was written.
    const change = (before: ListSeries): ListSeries => {
      const drawn = draw(before, wanted);
      indexes = drawn.indexes;
      return drawn.series;
    };
    const series = (await update({ collection: this.#series, key, change }))?.value;
    if (!series) return { entries: [] };
    const { list, baseUrl = this.parts.publicUrl } = series;
    const url = statusListUrl(baseUrl, list);
    return { series, entries: indexes.map((index) => ({ place: { list, index }, url })) };
  }

  /** Opens the list after the full one, or the first; when another instance did so before, its list is used. */
  async #open(key: Required<RecordKey>, request: StatusListRequest, full: ListSeries | undefined): Promise<void> {
    const { lists, ids, random, listEntries: size } = this.parts;
    await this.#checkRoom(key.parent, full);
    const list = ids.uuid();
    await lists.insert(list, { ...request, size });
    const seed = base64url(random.bytes(32));
    const opened = (full?.opened ?? 0) + 1;
    const { baseUrl } = request;
    const isUsed = await this.#use(key, { list, size, baseUrl, seed, next: 0, recent: [], opened }, full);
    if (!isUsed) await lists.remove(list, key.parent);
  }

  async #use(key: Required<RecordKey>, value: ListSeries, full: ListSeries | undefined): Promise<boolean> {
    if (!full) return insertFirst(this.#series, { ...key, value });
    const change = (current: ListSeries): ListSeries => (current.list === full.list ? value : current);
    return (await update({ collection: this.#series, key, change }))?.value.list === value.list;
  }

  async #checkRoom(parent: string, full: ListSeries | undefined): Promise<void> {
    const [last] = full
      ? [full].filter(({ opened }) => opened >= MAX_LISTS)
      : await this.#series.ids({ parent, order: 'created+', offset: MAX_SERIES - 1, limit: 1 });
    if (last !== undefined)
      throw new DomainError('Overloaded', 'No further status list can be opened', { retryAfterSeconds: RETRY_SECONDS });
  }
}

const seriesOf = ({
  target: parent,
  choice,
  signer,
}: Pick<StatusListRequest, 'target' | 'choice' | 'signer'>): Required<RecordKey> => ({
  parent,
  id: fingerprint(JSON.stringify([choice, signer])),
});
