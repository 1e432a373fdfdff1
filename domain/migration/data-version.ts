import type { CollectionSpec, Store } from '../../ports/store.ts';
import { insertFirst, tooManyRequests, update } from '../foundation/records.ts';
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
}

/** The collection of the record. */
export const DATA_STATES: CollectionSpec<DataState> = { name: 'data-version', listed: false, sealed: false };

/** The key of the record. */
export const DATA_STATE = { id: 'current' };

/** A program and the version of the data that it writes. */
export interface DataTaker {
  program: string;
  version?: number;
}

/** A record appears once unless the store is emptied, so the second attempt finds it. */
const ATTEMPTS = 3;

/** @throws StoreRefusal when a newer program has taken the store */
export async function refuseNewerData(store: Pick<Store, 'collection'>, taker: DataTaker): Promise<void> {
  const found = await store.collection(DATA_STATES).get(DATA_STATE);
  if (found) refuseNewer(found.value, taker);
}

/** Raises the version of the data of a store to that of the program, also after the store was emptied. @throws StoreRefusal */
export async function takeData(store: Pick<Store, 'collection'>, taker: DataTaker): Promise<void> {
  const { program, version = DATA_VERSION } = taker;
  const collection = store.collection(DATA_STATES);
  const change = (state: DataState): DataState => {
    refuseNewer(state, taker);
    return state.version === version ? state : { version, program };
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (await update({ collection, key: DATA_STATE, change })) return;
    if (await insertFirst(collection, { ...DATA_STATE, value: { version, program } })) return;
  }
  throw tooManyRequests();
}

function refuseNewer(state: DataState, { program, version = DATA_VERSION }: DataTaker): void {
  if (state.version <= version) return;
  throw new StoreRefusal(
    'A newer version of Credenza has taken the store',
    `Credenza ${state.program} has taken the store: its data is of version ${state.version}, and Credenza ${program} reads data up to version ${version}. Start the newer one; docs/upgrading.md says how to go back`,
  );
}
