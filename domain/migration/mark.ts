import type { CollectionSpec } from '../../ports/store.ts';
import type { RawKey } from '../../ports/store-copy.ts';

/**
 * Stands in the target of a migration from its first record on: `open` while a run is under way or broken off,
 * `finished` from the moment both stores hold the same until a server starts on the target. Marks of 0.1.0 have no
 * state and were all unfinished.
 */
export interface MigrationMark {
  state?: 'open' | 'finished';
  /** The store that is copied, as the command line describes it without its login. */
  source: string;
}

/** The collection of the one mark. */
export const MARKS: CollectionSpec<MigrationMark> = { name: 'migration', listed: false, sealed: false };

/** The place of the mark in a store. */
export const MARK: RawKey = { collection: MARKS.name, listed: false, parent: '', id: 'source' };

/** Whether data may still be missing or out of date. */
export const isOpen = ({ state }: MigrationMark): boolean => state !== 'finished';

/** Whether a record is the mark. */
export const isMark = ({ collection, id }: Pick<RawKey, 'collection' | 'id'>): boolean =>
  collection === MARK.collection && id === MARK.id;
