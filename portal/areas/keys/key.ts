import type { Schemas } from '../../../client/client.ts';

export type Key = Schemas['KeyElement'];

/** The public key in a key, in the shape of any backend. */
export function publicJwkOf({ key }: Pick<Key, 'key'>): Record<string, unknown> | undefined {
  const { jwk, _publicKey: stated } = key as Record<string, unknown>;
  const found = objectIn(jwk) ?? objectIn(stated);
  return objectIn(found?.jwk) ?? found;
}

/** An object, also as JSON text. */
function objectIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value === 'string' && value.startsWith('{')) return objectIn(parsed(value));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The kind of a key for people: its curve, or RSA. */
export function kindOf(key: Key): string {
  const { crv, kty } = publicJwkOf(key) ?? {};
  return String(crv ?? kty ?? '');
}

/** What each backend needs besides the kind of the key; what is secret is typed as a password. */
export const BACKENDS = {
  jwk: {
    types: ['secp256r1', 'Ed25519', 'secp384r1', 'secp521r1', 'secp256k1', 'RSA', 'RSA3072', 'RSA4096'],
    fields: {},
  },
  'kmsa-rest-api': {
    types: ['secp256r1', 'secp384r1', 'secp521r1', 'secp256k1', 'RSA', 'RSA3072', 'RSA4096'],
    fields: { 'auth.region': 'text', 'auth.accessKeyId': 'text', 'auth.secretAccessKey': 'password' },
  },
  'kmsb-rest-api': {
    types: ['secp256r1', 'secp384r1', 'secp521r1', 'secp256k1', 'RSA', 'RSA3072', 'RSA4096'],
    fields: {
      'auth.keyVaultUrl': 'text',
      'auth.tenantId': 'text',
      'auth.clientId': 'text',
      'auth.clientSecret': 'password',
    },
  },
  tse: {
    types: ['secp256r1', 'Ed25519', 'secp384r1', 'secp521r1', 'RSA', 'RSA3072', 'RSA4096'],
    fields: { server: 'text', 'auth.roleId': 'text', 'auth.secretId': 'password' },
  },
  pkcs11: {
    types: ['secp256r1', 'Ed25519', 'secp384r1', 'secp521r1', 'secp256k1', 'RSA', 'RSA3072', 'RSA4096'],
    fields: { token: 'text', 'auth.accessKey': 'password' },
  },
  'kmsc-rest-api': {
    types: ['secp256r1', 'RSA'],
    fields: {
      tenancyId: 'text',
      compartmentId: 'text',
      userId: 'text',
      fingerprint: 'text',
      managementEndpoint: 'text',
      cryptoEndpoint: 'text',
      signingKeyPem: 'password',
    },
  },
} as const satisfies Record<string, { types: Schemas['KeyType'][]; fields: Record<string, 'text' | 'password'> }>;

export type Backend = keyof typeof BACKENDS;

export const isBackend = (name: string): name is Backend => Object.hasOwn(BACKENDS, name);

/** The configuration with what was typed into the fields of a backend. */
export function configOf(
  backend: Backend,
  typed: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const config: Record<string, unknown> = {};
  for (const path of Object.keys(BACKENDS[backend].fields)) {
    const [first = '', second] = path.split('.');
    const value = typed[path] ?? '';
    if (second === undefined) config[first] = value;
    else config[first] = { ...objectIn(config[first]), [second]: value };
  }
  return backend === 'jwk' ? undefined : config;
}
