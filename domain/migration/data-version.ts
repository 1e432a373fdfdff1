import type { CollectionSpec, Store } from '../../ports/store.ts';
import { upsert } from '../foundation/records.ts';
import { StoreRefusal } from './store-refusal.ts';

/**
 * The version of the data that this program writes. It grows with a release whose data an older program would misread.
 * Data of 0.9.0 and before has no version, which counts as 0.
 */
export const DATA_VERSION = 1;

/** Which program has taken a store. */
export interface DataState {
  version: number;
  /** The version of the program that raised it. */
  program: string;
  /** Whether what a backup brought back is being made void: nothing may use it until that has ended. */
  restoring?: true;
}

/** The collection of the record. */
export const DATA_STATES: CollectionSpec<DataState> = {
  name: 'data-version',
  listed: false,
  sealed: false,
  afterRestore: 'kept',
};

/** The key of the record. */
export const DATA_STATE = { id: 'current' };

/** A program and the version of the data that it writes. */
export interface DataTaker {
  program: string;
  version?: number;
}

/** @throws StoreRefusal when a newer program has taken the store, or its restoration has begun and not ended */
export async function refuseForeignData(store: Pick<Store, 'collection'>, taker: DataTaker): Promise<void> {
  const found = await store.collection(DATA_STATES).get(DATA_STATE);
  if (!found) return;
  refuseNewer(found.value, taker);
  refuseRestoring(found.value);
}

/** Raises the version of the data of a store to that of the program, also after the store was emptied. @throws StoreRefusal */
export function takeData(store: Pick<Store, 'collection'>, taker: DataTaker): Promise<void> {
  const { program, version = DATA_VERSION } = taker;
  return write(store, { version, program }, (state) => {
    refuseNewer(state, taker);
    refuseRestoring(state);
    return state.version === version ? state : { version, program };
  });
}

/** Notes that a restoration begins or has ended. @throws StoreRefusal when a newer program has taken the store */
export function markRestoring(store: Pick<Store, 'collection'>, taker: DataTaker, begins: boolean): Promise<void> {
  const { program, version = DATA_VERSION } = taker;
  const next: DataState = { version, program, ...(begins && { restoring: true }) };
  return write(store, next, (state) => {
    refuseNewer(state, taker);
    return next;
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

function refuseNewer(state: DataState, { program, version = DATA_VERSION }: DataTaker): void {
  if (state.version <= version) return;
  throw new StoreRefusal(
    'A newer version of Credenza has taken the store',
    `Credenza ${state.program} has taken the store: its data is of version ${state.version}, and Credenza ` +
      `${program} reads data up to version ${version}. Start the newer one; docs/upgrading.md says how to go ` +
      'back',
  );
}
