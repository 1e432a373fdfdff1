import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import { base64, digest, hex } from '../foundation/bytes.ts';

/** The number of records of a collection, and a digest of them that does not depend on their order. */
export interface CollectionDigest {
  count: number;
  /** SHA-256 digests of the records, joined by exclusive or, in hexadecimal. */
  digest: string;
}

/** How a store is read. */
interface DigestOptions {
  /** Records per page. */
  pageSize: number;
  /** Whether a record takes part. */
  isComparable(record: RawRecord): boolean;
  /** Called with the number of records of each page. */
  onRecords(count: number): void;
}

/** Counts and digests a whole store, by collection in the order of their names. */
export async function digestCollections(
  store: RawStore,
  { pageSize, isComparable, onRecords }: DigestOptions,
): Promise<Map<string, CollectionDigest>> {
  const sums = new Map<string, { count: number; sum: Uint8Array }>();
  const seen = new SeenDigests();
  for await (const records of store.records(pageSize)) {
    for (const record of records.filter(isComparable)) {
      const bytes = digestOf(record);
      if (!seen.isNew(bytes)) continue;
      const before = sums.get(record.collection) ?? { count: 0, sum: new Uint8Array(bytes.length) };
      sums.set(record.collection, {
        count: before.count + 1,
        sum: before.sum.map((byte, i) => byte ^ (bytes[i] ?? 0)),
      });
    }
    onRecords(records.length);
  }
  const names = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(names.map(([name, { count, sum }]) => [name, { count, digest: hex(sum) }]));
}

/** Whether two stores have the same records. */
export const sameDigests = (one: Map<string, CollectionDigest>, other: Map<string, CollectionDigest>): boolean =>
  JSON.stringify([...one]) === JSON.stringify([...other]);

/** Remembers digests by 48 of their bits, in 256 sets, since a Set has at most 2^24 members. */
class SeenDigests {
  readonly #sets = Array.from({ length: 256 }, () => new Set<number>());

  isNew(digest: Uint8Array): boolean {
    const prefix = digest.slice(0, 6).reduce((number, byte) => number * 256 + byte, 0);
    const set = this.#sets[digest[0] ?? 0];
    if (set === undefined || set.has(prefix)) return false;
    set.add(prefix);
    return true;
  }
}

function digestOf({ collection, parent, id, body, revision, createdAt, updatedAt, expiresAt }: RawRecord): Uint8Array {
  const content = typeof body === 'string' ? body : { sealed: base64(body) };
  const members = [collection, parent, id, content, revision, createdAt, updatedAt, expiresAt ?? null];
  return digest('sha256', JSON.stringify(members));
}
