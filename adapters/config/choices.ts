import type { StoreSettings } from './settings.ts';

/** The accepted names of each store type. */
const STORE_TYPES = {
  sqlite: 'sqlite',
  memory: 'memory',
  kvstore: 'kvstore',
  'kvstore-cluster': 'kvstore-cluster',
  redis: 'kvstore',
  'redis-cluster': 'kvstore-cluster',
  postgresql: 'postgresql',
  postgres: 'postgresql',
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
  'eidas-audit': { description: 'what tenants issue and verify among the recorded events', isDefault: false },
  rejectionreason: { description: 'reasons why a user rejects a credential', isDefault: true },
};

/**
 * What the reference implementation has a feature for and is always served here, so that its configurations start as they
 * are (reference: `_features.conf` of the wallet, the issuers and the enterprise services).
 */
export const ALWAYS_SERVED: ReadonlySet<string> = new Set([
  'account-registration',
  'admin',
  'auth',
  'authentication-service',
  'authservice',
  'client-attester',
  'credential-types',
  'did-web-registry',
  'external-authorization-server-for-issuer',
  'healthchecks',
  'httpclient',
  'issuer-draft-routes',
  'issuer-service',
  'issuer2',
  'key-generation-defaults',
  'logins',
  'oidc-bridge',
  'openapi',
  'persistence',
  'prometheus',
  'registration-defaults',
  'superadmin-registration',
  'transaction-data-profiles',
  'trust-registry',
  'verifier-draft-routes',
  'verifier-service',
  'vical',
  'wallet-draft-routes',
  'wallet-service',
  'wallet2-persistence',
  'web',
  'x509',
]);

const DEFAULTS = Object.keys(FEATURES).filter((name) => FEATURES[name]?.isDefault);

/** The enabled features, those that are on by default too: a disabled one is off even when it is also enabled. */
export const enabledFeatures = (enabled: readonly string[], disabled: readonly string[]): string[] =>
  [...new Set([...enabled, ...DEFAULTS])].filter((name) => !disabled.includes(name) && !ALWAYS_SERVED.has(name));

/** The line at start about names that switch nothing on; none when there are none. */
export function alwaysServed(enabled: readonly string[]): string[] {
  const names = enabled.filter((name) => ALWAYS_SERVED.has(name));
  return names.length === 0
    ? []
    : [`_features.conf: always on here, so enabledFeatures need not name ${names.join(', ')}`];
}
