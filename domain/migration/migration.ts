import type { Copyable, RawKey, RawRecord } from '../../ports/store-copy.ts';
import type { Clock } from '../../ports/system.ts';
import { DomainError } from '../errors.ts';
import { sameTally, type Tally, tally } from './tally.ts';

/** What is going on, with how many records have been looked at in this step and how many were written so far. */
export interface MigrationProgress {
  step: 'copying' | 'comparing' | 'clearing';
  records: number;
  written: number;
}

export interface MigrationParts {
  from: Copyable;
  to: Copyable;
  clock: Clock;
  /** Names the source, so that only a migration from the same one is taken up again. */
  source: string;
  onProgress(progress: MigrationProgress): void;
}

/** What was proved to be in both databases. */
export interface MigrationResult {
  collections: Map<string, Tally>;
  /** Records that were not in the target before. */
  written: number;
}

const BATCH = 500;
/** After so many rounds a source that is still written to has to be stopped first. */
const ROUNDS = 3;
/** Stands in the target from the first record until both databases were found the same. */
const MARK: RawKey = { collection: 'migration', listed: false, parent: '', id: 'source' };

/**
 * Makes one database the same as another: copies what is missing or differs, removes what the source no longer has,
 * and compares counts and digests. Broken off, it goes on where it was: what is there already is not written again.
 */
export class Migration {
  readonly #parts: MigrationParts;
  #written = 0;

  constructor(parts: MigrationParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `Conflict` when the target is not empty, the source is, or it changes all the time */
  async run(): Promise<MigrationResult> {
    const { to } = this.#parts;
    await this.#claim();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const collections = await this.#copyAndCompare();
      if (collections) {
        await to.drop([MARK]);
        return { collections, written: this.#written };
      }
      if (round < ROUNDS) await this.#clear();
    }
    throw new DomainError(
      'Conflict',
      'The source is being written to. Nearly everything is copied: stop its servers and run this again',
    );
  }

  async #claim(): Promise<void> {
    const { to, source, clock } = this.#parts;
    if (await isEmpty(this.#parts.from)) throw new DomainError('Conflict', 'The source holds nothing');
    const mark = await to.get(MARK);
    const body = JSON.stringify({ source });
    if (mark?.body === body) return;
    if (mark || !(await isEmpty(to)))
      throw new DomainError(
        'Conflict',
        'The target holds data that does not come from an unfinished migration like this',
      );
    const now = clock.now();
    await to.put([{ ...MARK, body, revision: 1, createdAt: now, updatedAt: now }]);
  }

  /** What both hold, if it is the same. */
  async #copyAndCompare(): Promise<Map<string, Tally> | undefined> {
    const { from, to, clock } = this.#parts;
    const started = clock.now();
    await this.#copy();
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
      const live = records.filter(({ expiresAt = Infinity, ...key }) => expiresAt > clock.now() && !isMark(key));
      this.#written += await to.put(live);
      report(records.length);
    }
  }

  /** Removes what the source has lost since it was copied: a code that was used there must not be good here. */
  async #clear(): Promise<void> {
    const { from, to } = this.#parts;
    const report = this.#counter('clearing');
    for await (const records of to.records(BATCH)) {
      const kept = await Promise.all(records.map((record) => from.get(record)));
      await to.drop(records.filter((record, index) => kept[index] === undefined && !isMark(record)));
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

const isMark = ({ collection, id }: Pick<RawKey, 'collection' | 'id'>): boolean =>
  collection === MARK.collection && id === MARK.id;

async function isEmpty(store: Copyable): Promise<boolean> {
  for await (const records of store.records(BATCH)) if (records.length > 0) return false;
  return true;
}
