import type { Collection, RecordKey, Store, Stored } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import type { EntryState } from '../../credentials/status-entries.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { ignoring, invalidField } from '../../foundation/errors.ts';
import { insertFirst, retried } from '../../foundation/records.ts';
import type { Page } from '../../limits/pagination.ts';
import type { IssuedRecord } from './issued-record.ts';
import {
  type IndexedValue,
  type IssuedFilter,
  indexedValues,
  planOf,
  type SearchPlan,
  valuesOf,
} from './issued-search.ts';

/** How many records are read or removed at the same time. */
const AT_ONCE = 16;
/** Records that are read at once where an index has other ones too than those that are wanted. */
const BLOCK = 200;
/** The most records that one search reads so. */
const MAX_READ = 5000;

/** A page of the records of an issuer. */
interface RecordsQuery extends Pick<Page, 'offset' | 'limit'> {
  /** The issuer. */
  parent: string;
}

/** Some records of an index, in their order. */
interface Block {
  found: Stored<IssuedRecord>[];
  /** The id that the next block follows; absent after the last one. */
  next?: string;
}

/** What an issuer issued, below its id, the latest first, and found by the values that indexes have as keyed digests. */
export class IssuedRecords {
  readonly #records: Collection<IssuedRecord>;
  readonly #index: Collection<object>;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#records = store.collection({ name: 'issued-records', listed: true, afterRestore: 'kept' });
    const name = 'issued-record-index';
    this.#index = store.collection({ name, listed: true, hidden: 'parent', afterRestore: 'kept' });
    this.#clock = clock;
  }

  /** Keeps a record for some time; one that an earlier attempt at the same step left stays as it is. */
  async add(key: Required<RecordKey>, value: IssuedRecord, keptMs: number): Promise<void> {
    const expiresAt = this.#clock.now() + keptMs;
    await Promise.all([
      insertFirst(this.#records, { ...key, value, expiresAt }),
      ...valuesOf(value).map((indexed) => this.#enter(key, indexed, expiresAt)),
    ]);
  }

  get(key: Required<RecordKey>): Promise<Stored<IssuedRecord> | undefined> {
    return this.#records.get(key);
  }

  /** A record that a filter wants. */
  async wanted(key: Required<RecordKey>, filter: IssuedFilter): Promise<Stored<IssuedRecord> | undefined> {
    const { after = '', before, isWanted } = planOf(filter);
    const isInside = key.id > after && (before === undefined || key.id < before);
    const record = isInside ? await this.get(key) : undefined;
    return record && isWanted(record.value) ? record : undefined;
  }

  /** The wanted records, the latest first. @throws DomainError `BadRequest` naming `from` when too many others would have to be read */
  async page({ parent, offset, limit }: RecordsQuery, filter: IssuedFilter): Promise<Stored<IssuedRecord>[]> {
    const plan = planOf(filter);
    if (!plan.isNarrower)
      return (await this.#block(parent, plan, { offset, limit })).found.filter(({ value }) => plan.isWanted(value));
    const found: Stored<IssuedRecord>[] = [];
    let after = plan.after;
    for (let read = 0; found.length < offset + limit; read += BLOCK) {
      if (read >= MAX_READ)
        throw invalidField(['from'], `more than ${MAX_READ} entries would be read: search in a shorter time`);
      const block = await this.#block(parent, { ...plan, after }, { offset: 0, limit: BLOCK });
      found.push(...block.found.filter(({ value }) => plan.isWanted(value)));
      after = block.next;
      if (after === undefined) break;
    }
    return found.slice(offset, offset + limit);
  }

  /** Has a record show the state of its entries, which may change meanwhile; one that is gone is no error. */
  async follow(parent: string, id: string, stateNow: () => Promise<EntryState>): Promise<void> {
    await retried(async () => {
      const state = await stateNow();
      await this.#change({ parent, id }, (value) => (value.state === state ? value : { ...value, state }));
      return (await stateNow()) === state ? true : undefined;
    });
  }

  /** Forgets for whom a record is; returns whether there is the record. */
  removeRecipient(key: Required<RecordKey>): Promise<boolean> {
    const without = ({ recipient: _, ...value }: IssuedRecord): IssuedRecord => value;
    return this.#change(key, (value) => (value.recipient === undefined ? value : without(value)));
  }

  /** Removes everything of an issuer. */
  async removeAll(parent: string): Promise<void> {
    const first = { parent, order: 'id', offset: 0, limit: BLOCK } as const;
    for (let isMore = true; isMore; ) {
      const records = await this.#records.list(first);
      await mapBounded(records, AT_ONCE, async ({ id, value }) => {
        await Promise.all(valuesOf(value).map((indexed) => this.#leave({ parent, id }, indexed)));
        await this.#records.remove({ parent, id });
      });
      isMore = records.length === BLOCK;
    }
  }

  async #block(
    parent: string,
    { index, after, before }: SearchPlan,
    { offset, limit }: Omit<RecordsQuery, 'parent'>,
  ): Promise<Block> {
    const query = { order: 'id', offset, limit, after } as const;
    const isInside = (id: string): boolean => before === undefined || id < before;
    if (!index) {
      const found = await this.#records.list({ ...query, parent });
      return {
        found: found.filter(({ id }) => isInside(id)),
        next: nextOf(
          found.map(({ id }) => id),
          limit,
          isInside,
        ),
      };
    }
    const ids = await this.#index.ids({ ...query, parent: indexOf(parent, index) });
    const read = await mapBounded(ids.filter(isInside), AT_ONCE, (id) => this.#records.get({ parent, id }));
    return { found: read.flatMap((record) => record ?? []), next: nextOf(ids, limit, isInside) };
  }

  /**
   * Changes a record and its indexes; returns whether there is the record. The record is written last and only if no other
   * was first, so who loses a race mends the indexes on the present record, with what it entered itself.
   */
  #change(key: Required<RecordKey>, change: (value: IssuedRecord) => IssuedRecord): Promise<boolean> {
    const seen = [...SETTABLE];
    return retried(async () => {
      const record = await this.#records.get(key);
      if (!record) return false;
      const value = change(record.value);
      const isFirst = seen.length === SETTABLE.length;
      if (isFirst && value === record.value) return true;
      const own = valuesOf(value);
      seen.push(...valuesOf(record.value), ...own);
      await Promise.all(own.map((indexed) => this.#enter(key, indexed, record.expiresAt)));
      const others = seen.filter(([kind, text]) => !own.some(([k, t]) => k === kind && t === text));
      await Promise.all(others.map((indexed) => this.#leave(key, indexed)));
      const written = await this.#records.replace({ ...key, value }, record.revision).catch(ignoring('Conflict'));
      return written && true;
    });
  }

  async #enter(
    { parent, id }: Required<RecordKey>,
    indexed: IndexedValue,
    expiresAt: number | undefined,
  ): Promise<void> {
    await insertFirst(this.#index, { parent: indexOf(parent, indexed), id, value: {}, expiresAt });
  }

  async #leave({ parent, id }: Required<RecordKey>, indexed: IndexedValue): Promise<void> {
    await this.#index.remove({ parent: indexOf(parent, indexed), id });
  }
}

/** The states that a record enters and leaves. */
const SETTABLE = (['revoked', 'suspended'] as const).flatMap((state) => indexedValues({ state }));

const indexOf = (issuer: string, indexed: IndexedValue): string => JSON.stringify([issuer, ...indexed]);

const nextOf = (ids: readonly string[], limit: number, isInside: (id: string) => boolean): string | undefined => {
  const last = ids.at(-1);
  return ids.length === limit && last !== undefined && isInside(last) ? last : undefined;
};
