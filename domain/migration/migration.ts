import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import type { Clock } from '../../ports/system.ts';
import { DomainError } from '../foundation/errors.ts';
import { isMark, isOpen, MARK, type MigrationMark } from './mark.ts';
import { type CollectionDigest, sameTally, tally } from './tally.ts';

/** What is going on, with how many records have been looked at in this step and how many were written so far. */
export interface MigrationProgress {
  step: 'copying' | 'comparing' | 'clearing';
  records: number;
  written: number;
}

export interface MigrationParts {
  from: RawStore;
  to: RawStore;
  clock: Clock;
  /** Names the source, so that only a migration from the same one is taken up again. */
  source: string;
  onProgress(progress: MigrationProgress): void;
}

/** What was proved to be in both databases. */
export interface MigrationResult {
  collections: Map<string, CollectionDigest>;
  /** Records that were not in the target before. */
  written: number;
}

const BATCH = 500;
/** After so many rounds a source that is still written to has to be stopped first. */
const ROUNDS = 3;

/**
 * Makes one database the same as another: copies what is missing or differs, removes what the source no longer has,
 * and compares counts and digests. Run again, broken off or finished, it copies the difference; that ends when a server
 * starts on the target.
 */
export class Migration {
  readonly #parts: MigrationParts;
  #written = 0;

  constructor(parts: MigrationParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `Conflict` when the target is not empty, the source is or is half copied, or it changes all the time */
  async run(): Promise<MigrationResult> {
    const isResumed = await this.#claim();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const started = this.#parts.clock.now();
      await this.#copy();
      // What the source lost since an earlier run is not seen in a comparison that leaves out what ends soon.
      if (isResumed || round > 1) await this.#clear();
      const collections = await this.#compare(started);
      if (collections) {
        await this.#mark('finished');
        return { collections, written: this.#written };
      }
    }
    throw new DomainError(
      'Conflict',
      'The source is being written to. Nearly everything is copied: stop its servers and run this again',
    );
  }

  /** Whether an earlier run from the same source is taken up again. */
  async #claim(): Promise<boolean> {
    const { from, to, source } = this.#parts;
    const [theirs, mark] = [await readMark(from), await readMark(to)];
    if (theirs && isOpen(theirs))
      throw new DomainError('Conflict', `The source is a half-finished copy of ${theirs.source}`);
    if (await isEmpty(from)) throw new DomainError('Conflict', 'The source holds nothing');
    if (mark && mark.source !== source)
      throw new DomainError('Conflict', `The target holds a copy of ${mark.source}, not of ${source}`);
    if (!mark && !(await isEmpty(to)))
      throw new DomainError(
        'Conflict',
        'The target holds data of its own: it was never a copy, or a server has started on it since',
      );
    await this.#mark('open');
    return mark !== undefined;
  }

  async #mark(state: MigrationMark['state']): Promise<void> {
    const { to, source, clock } = this.#parts;
    const now = clock.now();
    const body = JSON.stringify({ state, source });
    await to.put([{ ...MARK, body, revision: 1, createdAt: now, updatedAt: now }]);
  }

  /** What both hold, if it is the same. */
  async #compare(started: number): Promise<Map<string, CollectionDigest> | undefined> {
    const { from, to, clock } = this.#parts;
    // What expires while both are counted may be gone from one and not yet from the other.
    const horizon = clock.now() + 2 * (clock.now() - started);
    const counts = (record: RawRecord): boolean => !isMark(record) && (record.expiresAt ?? Infinity) > horizon;
    const onRecords = this.#counter('comparing');
    const rules = { size: BATCH, counts, onRecords };
    const [theirs, ours] = await Promise.all([tally(from, rules), tally(to, rules)]);
    return sameTally(theirs, ours) ? ours : undefined;
  }

  async #copy(): Promise<void> {
    const { from, to, clock } = this.#parts;
    const report = this.#counter('copying');
    for await (const records of from.records(BATCH)) {
      const live = records.filter((record) => isLive(record, clock.now()) && !isMark(record));
      this.#written += await to.put(live);
      report(records.length);
    }
  }

  /** Removes what the source no longer holds: a code that was used there must not be good here. */
  async #clear(): Promise<void> {
    const { from, to, clock } = this.#parts;
    const report = this.#counter('clearing');
    for await (const records of to.records(BATCH)) {
      const theirs = await from.get(records);
      const isHeld = (index: number): boolean => isLive(theirs[index], clock.now());
      await to.drop(records.filter((record, index) => !isMark(record) && !isHeld(index)));
      report(records.length);
    }
  }

  #counter(step: MigrationProgress['step']): (count: number) => void {
    let records = 0;
    return (count) => {
      records += count;
      this.#parts.onProgress({ step, records, written: this.#written });
    };
  }
}

const isLive = (record: RawRecord | undefined, now: number): boolean =>
  record !== undefined && (record.expiresAt ?? Infinity) > now;

async function readMark(store: RawStore): Promise<MigrationMark | undefined> {
  const [mark] = await store.get([MARK]);
  return mark && (JSON.parse(mark.body) as MigrationMark);
}

async function isEmpty(store: RawStore): Promise<boolean> {
  for await (const records of store.records(BATCH)) if (records.some((record) => !isMark(record))) return false;
  return true;
}
