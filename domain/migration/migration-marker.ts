import type { CollectionSpec, Store } from '../../ports/store.ts';
import type { RawKey } from '../../ports/store-copy.ts';
import { StoreRefusal } from './store-refusal.ts';

/**
 * The record that a migration writes into its target first: `open` while a run is under way or was interrupted,
 * `finished` once both stores are equal, until a server starts on the target.
 */
export interface MigrationMarker {
  state: 'open' | 'finished';
  /** The source store, as the command line describes it without its login. */
  source: string;
}

/** The collection of the marker. */
export const MARKER_COLLECTION: CollectionSpec<MigrationMarker> = {
  name: 'migration',
  sealed: false,
  afterRestore: 'kept',
};

/** The key of the marker. */
export const MIGRATION_MARKER: RawKey = { collection: MARKER_COLLECTION.name, listed: false, parent: '', id: 'source' };

/** Whether data may be missing or out of date. */
export const isUnfinished = ({ state }: MigrationMarker): boolean => state !== 'finished';

/** Whether a record is the marker. */
export const isMarker = ({ collection, id }: Pick<RawKey, 'collection' | 'id'>): boolean =>
  collection === MIGRATION_MARKER.collection && id === MIGRATION_MARKER.id;

/** @throws StoreRefusal when the store is a copy that may lack data */
export async function refuseUnfinished(store: Pick<Store, 'collection'>): Promise<void> {
  const found = await store.collection(MARKER_COLLECTION).get(MIGRATION_MARKER);
  if (found && isUnfinished(found.value)) throw unfinished(found.value);
}

/** The refusal of a copy that may lack data. */
export const unfinished = ({ source }: MigrationMarker): StoreRefusal =>
  new StoreRefusal(
    'The store is an unfinished copy',
    `The store is a half-finished copy of ${source}. Run credenza migrate from there again until it ends well, or empty the store`,
  );
