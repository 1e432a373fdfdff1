import type { StoreSettings } from './settings.ts';

/** What an operator may write for a kind of store, and which it is. */
const STORE_TYPES = {
  sqlite: 'sqlite',
  memory: 'memory',
  kvstore: 'kvstore',
  'kvstore-cluster': 'kvstore-cluster',
  redis: 'kvstore',
  'redis-cluster': 'kvstore-cluster',
} as const satisfies Record<string, StoreSettings['type']>;

export type StoreTypeName = keyof typeof STORE_TYPES;

/** The one name the rest of the house knows for it. */
export const storeTypeOf = <N extends StoreTypeName>(name: N): (typeof STORE_TYPES)[N] => STORE_TYPES[name];

/** The same store under that name. */
export const withStoreType = (store: Omit<StoreSettings, 'type'> & { type: StoreTypeName }): StoreSettings => ({
  ...store,
  type: storeTypeOf(store.type),
});
