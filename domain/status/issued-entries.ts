import type { Collection, PageQuery, RecordKey, Store, Stored } from '../../ports/store.ts';
import type { EntryNames, EntryState } from '../credentials/status-entries.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { insertFirst, readAll, retried, update } from '../foundation/records.ts';

/** The most changes that an entry keeps; the oldest are left out first. */
const MAX_HISTORY = 100;
/** Digits of the highest index of the largest list. */
const INDEX_DIGITS = 7;

/** The place of an entry. */
export interface EntryPosition {
  /** The id of the list. */
  list: string;
  index: number;
}

/** Why and by whom an entry is changed, as the caller states it. */
export interface ChangeReason {
  reason?: string;
  changedBy?: string;
}

/** One change of an entry. */
interface EntryChange extends ChangeReason {
  /** Its place among all changes of the entry. */
  order: readonly [number, number];
  /** Milliseconds since the epoch. */
  at: number;
  from: EntryState;
  to: EntryState;
}

/** An entry of a list that a credential has. */
export interface IssuedEntry extends EntryNames {
  /** Its changes, the oldest first. */
  history: EntryChange[];
}

/** Stores which entries of lists are in use, by which names they are found, and how they were changed. */
export class IssuedEntries {
  readonly #entries: Collection<IssuedEntry>;
  readonly #names: Collection<EntryPosition>;

  constructor({ store }: { store: Store }) {
    this.#entries = store.collection({ name: 'issued-status-entries', listed: true, afterRestore: 'kept' });
    this.#names = store.collection({ name: 'issued-status-names', listed: true, sealed: false, afterRestore: 'kept' });
  }

  /** Stores a new entry; `target` is that of its list. */
  async insert(target: string, place: EntryPosition, names: EntryNames = {}): Promise<void> {
    const { list, index } = place;
    await Promise.all([
      this.#entries.insert({ ...keyOf(place), value: { ...names, history: [] } }),
      ...namesIn(target, names).map((parent) => this.#names.insert({ parent, id: `${list}.${index}`, value: place })),
    ]);
  }

  get(place: EntryPosition): Promise<Stored<IssuedEntry> | undefined> {
    return this.#entries.get(keyOf(place));
  }

  /** The entries of a list (`parent`). */
  page(query: PageQuery): Promise<Stored<IssuedEntry>[]> {
    return this.#entries.list(query);
  }

  /** The indexes of the entries of a list (`parent`). */
  async indexes(query: PageQuery): Promise<number[]> {
    return (await this.#entries.ids(query)).map(Number);
  }

  /** The places of the entries with one name. */
  async named(target: string, names: EntryNames, page: Omit<PageQuery, 'parent'>): Promise<EntryPosition[]> {
    const [parent = ''] = namesIn(target, names);
    const found = await this.#names.list({ ...page, parent });
    return found.map(({ value }) => value);
  }

  /** All places of the entries with one name, in their order. */
  async allNamed(target: string, names: EntryNames): Promise<EntryPosition[]> {
    const [parent = ''] = namesIn(target, names);
    const found = await readAll({ collection: this.#names, parent, order: 'id' });
    return found.map(({ value }) => value);
  }

  /**
   * Adds a change to the history of an entry, at its place; one that leaves the entry in its last state is not added. The
   * entry of a list of before there were targets gets its record with the first change.
   */
  record(place: EntryPosition, change: EntryChange): Promise<Stored<IssuedEntry>> {
    const key = keyOf(place);
    const add = (entry: IssuedEntry): IssuedEntry => withChange(entry, change);
    return retried(async () => {
      const written = await update({ collection: this.#entries, key, change: add });
      if (!written) await insertFirst(this.#entries, { ...key, value: { history: [] } });
      return written;
    });
  }
}

function withChange(entry: IssuedEntry, change: EntryChange): IssuedEntry {
  const last = entry.history.at(-1);
  if (change.from === change.to && (last?.to ?? 'valid') === change.to) return entry;
  const history = [...entry.history, change].sort(({ order: [a, i] }, { order: [b, j] }) => a - b || i - j);
  return { ...entry, history: history.slice(-MAX_HISTORY) };
}

const keyOf = ({ list, index }: EntryPosition): Required<RecordKey> => ({
  parent: list,
  id: String(index).padStart(INDEX_DIGITS, '0'),
});

/** Digests of the names, which are of any length and characters. */
const namesIn = (target: string, { session, issuer, record, credentialId }: EntryNames): string[] =>
  [
    ...(session === undefined ? [] : [['session', session, ...(issuer === undefined ? [] : [issuer])]]),
    ...(credentialId === undefined ? [] : [['credentialId', credentialId]]),
    ...(record === undefined ? [] : [['record', issuer ?? '', record]]),
  ].map((name) => fingerprint(JSON.stringify([target, ...name])));
