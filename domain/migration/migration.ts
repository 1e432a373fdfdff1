import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import type { Clock } from '../../ports/system.ts';
import { DomainError } from '../foundation/errors.ts';
import { type CollectionDigest, digestCollections, sameDigests } from './collection-digests.ts';
import { isMarker, isUnfinished, MIGRATION_MARKER, type MigrationMarker } from './migration-marker.ts';

/** The present step, the records it has read, and the records written so far by all steps. */
interface MigrationProgress {
  step: 'copying' | 'comparing' | 'clearing';
  records: number;
  written: number;
}

/** The records that both stores were compared to have. */
interface MigrationResult {
  collections: Map<string, CollectionDigest>;
  /** Records that the target did not have before. */
  written: number;
}

const BATCH = 500;
/** A source that still changes after this many rounds must be stopped first. */
const ROUNDS = 3;

/**
 * Makes one database equal to another: copies records that are missing or differ, deletes those that the source does
 * not have, and compares counts and digests. Another run copies the difference, after an interrupted run as after a
 * finished one, until a server starts on the target.
 */
export class Migration {
  #written = 0;

  constructor(
    private readonly parts: {
      from: RawStore;
      to: RawStore;
      clock: Clock;
      /** Describes the source: only a migration from the same source is resumed. */
      source: string;
      onProgress(progress: MigrationProgress): void;
    },
  ) {}

  /** @throws DomainError `Conflict` when the target has other data, or the source is empty, half copied or never at rest */
  async run(): Promise<MigrationResult> {
    const isResumed = await this.#claim();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const started = this.parts.clock.now();
      await this.#copy();
      // The comparison ignores records that expire soon: it would not notice one that the source has deleted since.
      if (isResumed || round > 1) await this.#deleteOthers();
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

  /** Marks the target; returns whether an earlier run from the same source is resumed. */
  async #claim(): Promise<boolean> {
    const { from, to, source } = this.parts;
    const [theirs, marker] = [await readMarker(from), await readMarker(to)];
    if (theirs && isUnfinished(theirs))
      throw new DomainError('Conflict', `The source is a half-finished copy of ${theirs.source}`);
    if (await isEmpty(from)) throw new DomainError('Conflict', 'The source is empty');
    if (marker && marker.source !== source)
      throw new DomainError('Conflict', `The target is a copy of ${marker.source}, not of ${source}`);
    if (!marker && !(await isEmpty(to)))
      throw new DomainError(
        'Conflict',
        'The target has data of its own: it was never a copy, or a server has started on it since',
      );
    await this.#mark('open');
    return marker !== undefined;
  }

  async #mark(state: MigrationMarker['state']): Promise<void> {
    const { to, source, clock } = this.parts;
    const now = clock.now();
    const body = JSON.stringify({ state, source });
    await to.put([{ ...MIGRATION_MARKER, body, revision: 1, createdAt: now, updatedAt: now }]);
  }

  /** Returns the digests of the target if they equal those of the source. */
  async #compare(started: number): Promise<Map<string, CollectionDigest> | undefined> {
    const { from, to, clock } = this.parts;
    // A record that expires during the comparison may be deleted in one store only.
    const horizon = clock.now() + 2 * (clock.now() - started);
    const isComparable = (record: RawRecord): boolean => !isMarker(record) && (record.expiresAt ?? Infinity) > horizon;
    const onRecords = this.#counter('comparing');
    const options = { pageSize: BATCH, isComparable, onRecords };
    const [theirs, ours] = await Promise.all([digestCollections(from, options), digestCollections(to, options)]);
    return sameDigests(theirs, ours) ? ours : undefined;
  }

  async #copy(): Promise<void> {
    const { from, to, clock } = this.parts;
    const report = this.#counter('copying');
    for await (const records of from.records(BATCH)) {
      const live = records.filter((record) => isLive(record, clock.now()) && !isMarker(record));
      this.#written += await to.put(live);
      report(records.length);
    }
  }

  /** Deletes records that the source does not have: a code that was redeemed there must not be valid here. */
  async #deleteOthers(): Promise<void> {
    const { from, to, clock } = this.parts;
    const report = this.#counter('clearing');
    for await (const records of to.records(BATCH)) {
      const theirs = await from.get(records);
      const isInSource = (index: number): boolean => isLive(theirs[index], clock.now());
      await to.delete(records.filter((record, index) => !isMarker(record) && !isInSource(index)));
      report(records.length);
    }
  }

  #counter(step: MigrationProgress['step']): (count: number) => void {
    let records = 0;
    return (count) => {
      records += count;
      this.parts.onProgress({ step, records, written: this.#written });
    };
  }
}

const isLive = (record: RawRecord | undefined, now: number): boolean =>
  record !== undefined && (record.expiresAt ?? Infinity) > now;

async function readMarker(store: RawStore): Promise<MigrationMarker | undefined> {
  const [marker] = await store.get([MIGRATION_MARKER]);
  return marker && (JSON.parse(String(marker.body)) as MigrationMarker);
}

async function isEmpty(store: RawStore): Promise<boolean> {
  for await (const records of store.records(BATCH)) if (records.some((record) => !isMarker(record))) return false;
  return true;
}
