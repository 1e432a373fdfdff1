import type { Secrets } from '../../ports/secrets.ts';
import type { AfterRestore, Body } from '../../ports/store.ts';
import type { BodyChange, RawRecord, RawStore } from '../../ports/store-copy.ts';
import { isSealed, sealContext, unsealed } from './seal-record.ts';

interface RestorationParts {
  store: RawStore;
  secrets: Pick<Secrets, 'seal' | 'unseal'>;
  /** What becomes of the records of each collection; those of a collection that no program has any more are kept. */
  rules: ReadonlyMap<string, AfterRestore<unknown>>;
}

/** The records of a collection that are void or changed. */
interface RestoredCount {
  voided: number;
  changed: number;
}

const PAGE = 200;

/**
 * Makes void what a backup brought back and what is good once. Nothing else may use the store meanwhile. An interrupted
 * run is continued by the next one. Returns the collections with such records.
 */
export async function restore({ store, secrets, rules }: RestorationParts): Promise<Map<string, RestoredCount>> {
  const counts = new Map<string, RestoredCount>();
  for await (const page of store.records(PAGE)) {
    const voided: RawRecord[] = [];
    const changes: BodyChange[] = [];
    for (const record of page) {
      const body = bodyAfter(record, rules.get(record.collection) ?? 'kept', secrets);
      if (body === undefined) voided.push(record);
      else if (body !== record.body) changes.push({ record, body });
    }
    await store.delete(voided);
    for (const change of changes) await store.swap([change]);
    for (const { collection } of voided) countOf(counts, collection).voided += 1;
    for (const { record } of changes) countOf(counts, record.collection).changed += 1;
  }
  return counts;
}

/** The body of a record after the restoration; undefined for one that is void. @throws Error when no key of the ring unseals it */
function bodyAfter(
  record: RawRecord,
  rule: AfterRestore<unknown>,
  secrets: RestorationParts['secrets'],
): Body | undefined {
  if (rule === 'kept') return record.body;
  if (rule === 'void') return undefined;
  const text = isSealed(record.body) ? unsealed(record, secrets) : String(record.body);
  const next = rule.change(JSON.parse(text));
  if (next === undefined) return undefined;
  const plain = JSON.stringify(next);
  if (plain === text) return record.body;
  return isSealed(record.body) ? secrets.seal(plain, sealContext(record)) : plain;
}

function countOf(counts: Map<string, RestoredCount>, collection: string): RestoredCount {
  const known = counts.get(collection) ?? { voided: 0, changed: 0 };
  counts.set(collection, known);
  return known;
}
