import type { CollectionSpec, Store } from '../../ports/store.ts';
import { upsert } from '../foundation/records.ts';
import { FLOOR } from './old-forms.ts';
import { StoreRefusal } from './store-refusal.ts';

/**
 * The version of the data that this program writes. It grows with a release whose data an older program would misread, and
 * only to one that the minor version before reads, so that both can use one store. Data of 0.9.0 and before has no
 * version, which counts as 0.
 */
export const DATA_VERSION = 1;

/** The newest version of the data that this program reads. */
export const READ_VERSION = 1;

/** Which program has taken a store. */
interface DataState {
  version: number;
  /** The version of the program that raised it. */
  program: string;
  /** Whether what a backup brought back is being made void: nothing may use it until that has ended. */
  restoring?: true;
  /** The floor for which the store was looked through; absent until then, and after 0.10.0 restored it. */
  floor?: string;
}

/** The collection of the record. */
export const DATA_STATES: CollectionSpec<DataState> = { name: 'data-version', sealed: false, afterRestore: 'kept' };

/** The key of the record. */
export const DATA_STATE = { id: 'current' };

/** A program, the version of the data that it writes and the newest that it reads. */
export interface DataTaker {
  program: string;
  version?: number;
  reads?: number;
  /** Looks a store through that was not yet; `reader` is the version that reads old forms. @throws StoreRefusal */
  refuseOldForms?(reader: string): Promise<void>;
}

/**
 * @throws StoreRefusal when a newer program has taken the store, its restoration has begun and not ended, or it has records
 * of old forms
 */
export async function refuseForeignData(store: Pick<Store, 'collection'>, taker: DataTaker): Promise<void> {
  const state = (await store.collection(DATA_STATES).get(DATA_STATE))?.value;
  if (state) refuseNewer(state, taker);
  if (state) refuseRestoring(state);
  if (state?.floor !== FLOOR) await taker.refuseOldForms?.(state?.program ?? FLOOR);
}

/**
 * Raises the version of the data of a store to that of the program, also after the store was emptied. A newer one that the
 * program reads stays. @throws StoreRefusal
 */
export async function takeData(store: Pick<Store, 'collection'>, taker: DataTaker): Promise<void> {
  await refuseForeignData(store, taker);
  const { program, version = DATA_VERSION } = taker;
  const next: DataState = { version, program, floor: FLOOR };
  await write(store, next, (state) => {
    refuseNewer(state, taker);
    refuseRestoring(state);
    if (state.version < version) return next;
    return state.floor === FLOOR ? state : { ...state, floor: FLOOR };
  });
}

/** Notes that a restoration begins or has ended. @throws StoreRefusal when a newer program has taken the store */
export function markRestoring(store: Pick<Store, 'collection'>, taker: DataTaker, begins: boolean): Promise<void> {
  const { program, version = DATA_VERSION } = taker;
  const next: DataState = { version, program, ...(begins && { restoring: true }) };
  return write(store, next, (state) => {
    refuseNewer(state, taker);
    return { ...next, version: Math.max(state.version, version) };
  });
}

async function write(
  store: Pick<Store, 'collection'>,
  first: DataState,
  change: (state: DataState) => DataState,
): Promise<void> {
  const collection = store.collection(DATA_STATES);
  await upsert({ collection, key: DATA_STATE, change: (state) => (state ? change(state) : first) });
}

function refuseRestoring({ restoring }: DataState): void {
  if (restoring)
    throw new StoreRefusal(
      'The store is being restored from a backup',
      'credenza restored has begun on the store and did not end: run it again',
    );
}

function refuseNewer(state: DataState, { program, reads = READ_VERSION }: DataTaker): void {
  if (state.version <= reads) return;
  throw new StoreRefusal(
    'A newer version of Credenza has taken the store',
    `Credenza ${state.program} has taken the store: its data is of version ${state.version}, and Credenza ` +
      `${program} reads data up to version ${reads}. Start the newer one; docs/upgrading.md says how to go ` +
      'back',
  );
}
