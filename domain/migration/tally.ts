import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import { digest, hex } from '../foundation/bytes.ts';

/** How much a collection holds, and a digest of its records that does not depend on their order. */
export interface CollectionDigest {
  count: number;
  /** SHA-256 digests of the records, joined by exclusive or, in hexadecimal. */
  digest: string;
}

/** What may be counted. */
export interface TallyRules {
  size: number;
  counts(record: RawRecord): boolean;
  onRecords(count: number): void;
}

/** Counts and digests a whole database, collection by collection in the order of their names. */
export async function tally(
  store: RawStore,
  { size, counts, onRecords }: TallyRules,
): Promise<Map<string, CollectionDigest>> {
  const sums = new Map<string, { count: number; sum: Uint8Array }>();
  const seen = new Marks();
  for await (const records of store.records(size)) {
    for (const record of records.filter(counts)) {
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

/** Whether two databases hold the same. */
export const sameTally = (one: Map<string, CollectionDigest>, other: Map<string, CollectionDigest>): boolean =>
  JSON.stringify([...one]) === JSON.stringify([...other]);

/** Remembers digests by 48 of their bits; in 256 sets, since one set holds at most 2^24 members. */
class Marks {
  readonly #sets = Array.from({ length: 256 }, () => new Set<number>());

  isNew(digest: Uint8Array): boolean {
    const mark = digest.slice(0, 6).reduce((number, byte) => number * 256 + byte, 0);
    const set = this.#sets[digest[0] ?? 0];
    if (set === undefined || set.has(mark)) return false;
    set.add(mark);
    return true;
  }
}

function digestOf({ collection, parent, id, body, revision, createdAt, updatedAt, expiresAt }: RawRecord): Uint8Array {
  const members = [collection, parent, id, body, revision, createdAt, updatedAt, expiresAt ?? null];
  return digest('sha256', JSON.stringify(members));
}
