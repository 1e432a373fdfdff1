import type { StoreSettings } from './settings.ts';

/** The accepted names of each store type. */
const STORE_TYPES = {
  sqlite: 'sqlite',
  memory: 'memory',
  kvstore: 'kvstore',
  'kvstore-cluster': 'kvstore-cluster',
  redis: 'kvstore',
  'redis-cluster': 'kvstore-cluster',
} as const satisfies Record<string, StoreSettings['type']>;

export type StoreTypeName = keyof typeof STORE_TYPES;

/** The canonical name of a store type. */
export const storeTypeOf = <N extends StoreTypeName>(name: N): (typeof STORE_TYPES)[N] => STORE_TYPES[name];

/** The settings with the canonical name of the store type. */
export const withStoreType = (store: Omit<StoreSettings, 'type'> & { type: StoreTypeName }): StoreSettings => ({
  ...store,
  type: storeTypeOf(store.type),
});

/** A feature that can be switched on and off. */
interface Feature {
  description: string;
  isDefault: boolean;
}

/** The features by name. */
export const FEATURES: Readonly<Record<string, Feature>> = {
  'trusted-ca': { description: 'login to the wallet with an X.509 certificate chain', isDefault: false },
  'external-signature-endpoints': {
    description: 'offers and presentations signed outside the wallet',
    isDefault: true,
  },
  rejectionreason: { description: 'reasons why a user rejects a credential', isDefault: true },
};

const DEFAULTS = Object.keys(FEATURES).filter((name) => FEATURES[name]?.isDefault);

/** The enabled features, those that are on by default too: a disabled one is off even when it is also enabled. */
export const enabledFeatures = (enabled: readonly string[], disabled: readonly string[]): string[] =>
  [...new Set([...enabled, ...DEFAULTS])].filter((name) => !disabled.includes(name));
