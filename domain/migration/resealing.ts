import type { Secrets } from '../../ports/secrets.ts';
import type { BodyChange, RawRecord, RawStore } from '../../ports/store-copy.ts';
import { DomainError } from '../foundation/errors.ts';
import { retried } from '../foundation/records.ts';
import { isUnfinished, MIGRATION_MARKER, type MigrationMarker } from './migration-marker.ts';
import { createSeal, isSealed, readSeal, SEAL, sealContext, unsealed } from './seal-record.ts';

/** The present pass over the store, the records it has read and the records resealed by all passes. */
interface ResealProgress {
  pass: number;
  records: number;
  resealed: number;
}

/** The sealed records of a collection. */
interface SealedCount {
  /** How many sealed records the last pass found. */
  sealed: number;
  resealed: number;
  /** How many of them are sealed under another key than the current one, or in the form of a version before 0.10.0. */
  left: number;
  /** How many of them no key of the ring unseals. */
  unreadable: number;
}

/** The sealed collections with their counts; complete when nothing is left under another key. */
export interface ResealResult {
  collections: Map<string, SealedCount>;
  isComplete: boolean;
}

const PAGE = 200;
/** The first pass reseals, the next ones what was written meanwhile; a store in use has nothing left for the third. */
const PASSES = 3;

/**
 * Seals everything that is sealed under an older key of the ring, or in an older form, under its current key: each value
 * in its place, without a change of its revision, times and expiry. Servers use the store meanwhile, and what they write wins. An interrupted
 * run is continued by the next one, because a value under the current key is left as it is.
 */
export class Resealing {
  readonly #counts = new Map<string, SealedCount>();
  #resealed = 0;

  constructor(
    private readonly parts: {
      store: RawStore;
      secrets: Secrets;
      onProgress(progress: ResealProgress): void;
    },
  ) {}

  /** @throws DomainError `Conflict` when the store is a half-finished copy */
  async run(): Promise<ResealResult> {
    await this.#refuseHalfCopied();
    let isComplete = false;
    for (let pass = 1; pass <= PASSES && !isComplete; pass += 1) isComplete = await this.#pass(pass);
    if (isComplete) await this.#forgetOldKeys();
    return { collections: this.#counts, isComplete };
  }

  async #refuseHalfCopied(): Promise<void> {
    const [marker] = await this.parts.store.get([MIGRATION_MARKER]);
    if (marker && isUnfinished(JSON.parse(String(marker.body)) as MigrationMarker))
      throw new DomainError('Conflict', 'The store is a half-finished copy: finish its migration first');
  }

  /** Returns whether every sealed record that it found was under the current key. */
  async #pass(pass: number): Promise<boolean> {
    for (const count of this.#counts.values()) Object.assign(count, { sealed: 0, left: 0, unreadable: 0 });
    let records = 0;
    for await (const page of this.parts.store.records(PAGE)) {
      const changes = page.flatMap((record) => this.#change(record) ?? []);
      if (changes.length > 0) await this.#write(changes);
      records += page.length;
      this.parts.onProgress({ pass, records, resealed: this.#resealed });
    }
    return [...this.#counts.values()].every(({ left, unreadable }) => left + unreadable === 0);
  }

  /** Writes the changes of one page, collection by collection, because only the counts of each are known. */
  async #write(changes: BodyChange[]): Promise<void> {
    for (const [collection, count] of this.#counts) {
      const own = changes.filter(({ record }) => record.collection === collection);
      if (own.length === 0) continue;
      const written = await this.parts.store.swap(own);
      count.resealed += written;
      this.#resealed += written;
    }
  }

  /** Returns the change of a record that is sealed under an older key or in an older form, and counts it. */
  #change(record: RawRecord): BodyChange | undefined {
    if (!isSealed(record.body) || record.collection === SEAL.collection) return undefined;
    const { secrets } = this.parts;
    const count = this.#countOf(record.collection);
    count.sealed += 1;
    if (secrets.isCurrent(record.body)) return undefined;
    try {
      const body = secrets.seal(unsealed(record, secrets), sealContext(record));
      count.left += 1;
      return { record, body };
    } catch {
      count.unreadable += 1;
      return undefined;
    }
  }

  #countOf(collection: string): SealedCount {
    const known = this.#counts.get(collection) ?? { sealed: 0, resealed: 0, left: 0, unreadable: 0 };
    this.#counts.set(collection, known);
    return known;
  }

  /** From now on the store needs the current key only. */
  async #forgetOldKeys(): Promise<void> {
    const { store, secrets } = this.parts;
    await retried(async () => {
      const [record] = await store.get([SEAL]);
      if (!record) return true;
      const { digestKey } = readSeal(JSON.parse(String(record.body)), secrets);
      const body = JSON.stringify(createSeal(secrets.keyIds.slice(0, 1), digestKey, secrets));
      return (await store.swap([{ record, body }])) === 1 || undefined;
    });
  }
}
