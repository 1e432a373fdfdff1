import type { ListSigner, StatusListChoice } from '../../ports/status-entries.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import { base64, fromBase64 } from '../foundation/bytes.ts';
import { insertFirst, readAll, tooManyRequests, update } from '../foundation/records.ts';

/** Entries of one record of values. */
const CHUNK = 1024;
/** A record appears once, so the second attempt finds it. */
const ATTEMPTS = 2;

/** A status list that is signed and published here. */
export interface IssuedList {
  choice: StatusListChoice;
  signer: ListSigner;
  /** The number of entries. */
  size: number;
  /** How often a status was set; the revision of the record grows with it. */
  changes: number;
}

/** The statuses of up to 1,024 successive entries, one byte each, base64. */
interface ValueChunk {
  values: string;
}

/**
 * Stores status lists. A list is one record; its statuses are in records of their own, so that setting one is a small
 * write, and absent while all of them are 0.
 */
export class IssuedLists {
  readonly #lists: Collection<IssuedList>;
  readonly #values: Collection<ValueChunk>;

  constructor({ store }: { store: Store }) {
    this.#lists = store.collection({ name: 'issued-status-lists', listed: false, sealed: true });
    this.#values = store.collection({ name: 'issued-status-values', listed: true, sealed: false });
  }

  async insert(id: string, list: Omit<IssuedList, 'changes'>): Promise<void> {
    await this.#lists.insert({ id, value: { ...list, changes: 0 } });
  }

  get(id: string): Promise<Stored<IssuedList> | undefined> {
    return this.#lists.get({ id });
  }

  /** Removes a list that has no entries. */
  async remove(id: string): Promise<void> {
    await this.#lists.remove({ id });
  }

  /** Sets the status of one entry. The list changes after its value, so a reader of the new revision finds the value. */
  async setStatus(id: string, index: number, status: number): Promise<void> {
    await this.#writeValue(id, index, status);
    const change = (list: IssuedList): IssuedList => ({ ...list, changes: list.changes + 1 });
    await update({ collection: this.#lists, key: { id }, change });
  }

  /** The statuses that are not 0, by their indexes. */
  async statuses(id: string): Promise<Map<number, number>> {
    const statuses = new Map<number, number>();
    for (const { id: chunk, value } of await readAll({ collection: this.#values, parent: id, order: 'id' }))
      for (const [offset, status] of bytesOf(value).entries())
        if (status !== 0) statuses.set(Number(chunk) * CHUNK + offset, status);
    return statuses;
  }

  async #writeValue(parent: string, index: number, status: number): Promise<void> {
    const key = { parent, id: String(Math.floor(index / CHUNK)) };
    const change = (chunk: ValueChunk): ValueChunk => {
      const bytes = bytesOf(chunk);
      bytes[index % CHUNK] = status;
      return { values: base64(bytes) };
    };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (await update({ collection: this.#values, key, change })) return;
      const value = change({ values: '' });
      if (await insertFirst(this.#values, { ...key, value })) return;
    }
    throw tooManyRequests();
  }
}

function bytesOf({ values }: ValueChunk): Uint8Array {
  const bytes = new Uint8Array(CHUNK);
  bytes.set(fromBase64(values) ?? []);
  return bytes;
}
