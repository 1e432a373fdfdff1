import type { Collection, PageQuery, Store, Stored } from '../../ports/store.ts';
import type { ListSigner, StatusListChoice } from '../credentials/status-entries.ts';
import { base64, fromBase64 } from '../foundation/bytes.ts';
import { CallBatches } from '../foundation/call-batches.ts';
import { insertFirst, readAll, retried, update } from '../foundation/records.ts';

/** Entries of one record of values. */
const CHUNK = 1024;

/** A status list that is signed and published here. */
export interface IssuedList {
  /** The target that the list belongs to; '' for the issuer of the open endpoints, and absent in its lists of before there were targets. */
  target?: string;
  /** The URL below which it is published; that of this server when absent. */
  baseUrl?: string;
  choice: StatusListChoice;
  signer: ListSigner;
  /** The number of entries. */
  size: number;
  /** How often a status was set; the revision of the record grows with it. */
  changes: number;
}

/** What the lists of a target are listed with. */
export interface ListSummary extends Pick<IssuedList, 'baseUrl' | 'choice' | 'size'> {
  signer: Pick<ListSigner, 'issuer'>;
}

/** A change of the status of one entry. */
interface StatusChange {
  index: number;
  /** The status after the change; it is called on the present status, again when another writer was first. */
  next(before: number): number;
}

/** A status that was changed. */
interface ChangedStatus {
  before: number;
  after: number;
  /** The place of the change among all changes of the entry; the first number decides, then the second. */
  order: readonly [number, number];
}

type Outcome = { changed: ChangedStatus } | { error: unknown };

/** The statuses of up to 1,024 successive entries, one byte each, base64. */
interface ValueChunk {
  values: string;
}

const NONE_SET: ValueChunk = { values: '' };

/**
 * Stores status lists. A list is one record; its statuses are in records of their own, so that setting one is a small
 * write, and absent while all of them are 0.
 */
export class IssuedLists {
  readonly #lists: Collection<IssuedList>;
  readonly #summaries: Collection<ListSummary>;
  readonly #values: Collection<ValueChunk>;
  readonly #batches = new CallBatches<StatusChange, Outcome>();

  constructor({ store }: { store: Store }) {
    this.#lists = store.collection({ name: 'issued-status-lists', afterRestore: 'kept' });
    this.#summaries = store.collection({
      name: 'status-lists-of-targets',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
    this.#values = store.collection({
      name: 'issued-status-values',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
  }

  async insert(id: string, { target, ...list }: Omit<IssuedList, 'changes'> & { target: string }): Promise<void> {
    await this.#lists.insert({ id, value: { ...list, target, changes: 0 } });
    const { baseUrl, choice, size, signer } = list;
    const summary = { baseUrl, choice, size, signer: { issuer: signer.issuer } };
    await this.#summaries.insert({ parent: target, id, value: summary });
  }

  get(id: string): Promise<Stored<IssuedList> | undefined> {
    return this.#lists.get({ id });
  }

  /** A list as it is listed; undefined also for one of before there were targets. */
  summary(target: string, id: string): Promise<Stored<ListSummary> | undefined> {
    return this.#summaries.get({ parent: target, id });
  }

  /** The lists of a target (`parent`). */
  page(query: PageQuery): Promise<Stored<ListSummary>[]> {
    return this.#summaries.list(query);
  }

  /** Removes a list that has no entries. */
  async remove(id: string, target: string): Promise<void> {
    await this.#summaries.remove({ parent: target, id });
    await this.#lists.remove({ id });
  }

  /**
   * Changes the status of one entry; of any number of changes at once each takes effect on the result of those before it.
   * The list changes after its values, so a reader of the new revision finds them. @throws what `next` throws
   */
  async change(id: string, index: number, next: StatusChange['next']): Promise<ChangedStatus> {
    const outcome = await this.#batches.join(id, { index, next }, (changes) => this.#writeAll(id, changes));
    if ('error' in outcome) throw outcome.error;
    return outcome.changed;
  }

  async status(id: string, index: number): Promise<number> {
    const chunk = await this.#values.get({ parent: id, id: chunkOf(index) });
    return chunk ? (bytesOf(chunk.value)[index % CHUNK] ?? 0) : 0;
  }

  /** The statuses that are not 0, by their indexes. */
  async statuses(id: string): Promise<Map<number, number>> {
    const statuses = new Map<number, number>();
    for (const { id: chunk, value } of await readAll({ collection: this.#values, parent: id, order: 'id' }))
      for (const [offset, status] of bytesOf(value).entries())
        if (status !== 0) statuses.set(Number(chunk) * CHUNK + offset, status);
    return statuses;
  }

  async #writeAll(id: string, changes: readonly StatusChange[]): Promise<Outcome[]> {
    const outcomes = new Map<StatusChange, Outcome>();
    const write = async (chunk: string): Promise<void> => {
      const own = changes.filter(({ index }) => chunkOf(index) === chunk);
      for (const [n, outcome] of (await this.#write({ parent: id, id: chunk }, own)).entries())
        outcomes.set(own[n] as StatusChange, outcome);
    };
    await Promise.all([...new Set(changes.map(({ index }) => chunkOf(index)))].map(write));
    const count = [...outcomes.values()].filter((outcome) => 'changed' in outcome).length;
    const change = (list: IssuedList): IssuedList => ({ ...list, changes: list.changes + count });
    if (count > 0) await update({ collection: this.#lists, key: { id }, change });
    return changes.map((one) => outcomes.get(one) as Outcome);
  }

  #write(key: { parent: string; id: string }, changes: readonly StatusChange[]): Promise<Outcome[]> {
    return retried(async () => {
      const first = apply(changes, NONE_SET);
      let applied = first;
      const change = (chunk: ValueChunk): ValueChunk => {
        applied = apply(changes, chunk);
        return applied.chunk;
      };
      const written = await update({ collection: this.#values, key, change });
      if (written) return outcomesOf(applied, written.revision);
      const isFirst = first.chunk === NONE_SET || (await insertFirst(this.#values, { ...key, value: first.chunk }));
      return isFirst ? outcomesOf(first, 1) : undefined;
    });
  }
}

const chunkOf = (index: number): string => String(Math.floor(index / CHUNK));

interface Applied {
  /** The same chunk when nothing changed. */
  chunk: ValueChunk;
  results: ({ before: number; after: number } | { error: unknown })[];
}

function apply(changes: readonly StatusChange[], chunk: ValueChunk): Applied {
  const bytes = bytesOf(chunk);
  const results = changes.map(({ index, next }) => {
    const before = bytes[index % CHUNK] ?? 0;
    try {
      const after = next(before);
      bytes[index % CHUNK] = after;
      return { before, after };
    } catch (error) {
      return { error };
    }
  });
  const isChanged = results.some((result) => 'before' in result && result.before !== result.after);
  return { chunk: isChanged ? { values: base64(bytes) } : chunk, results };
}

const outcomesOf = ({ results }: Applied, revision: number): Outcome[] =>
  results.map((result, n) =>
    'error' in result ? result : { changed: { ...result, order: [revision, n] } satisfies ChangedStatus },
  );

function bytesOf({ values }: ValueChunk): Uint8Array {
  const bytes = new Uint8Array(CHUNK);
  bytes.set(fromBase64(values) ?? []);
  return bytes;
}
