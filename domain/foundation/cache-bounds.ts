const MIB = 1024 * 1024;

/** The most memory that the entries of each cache may take, in bytes; caches of one name have this much each. */
export const CACHE_BYTES = {
  /** Compiled JSONPaths of definitions. */
  'json-paths': 4 * MIB,
  /** Compiled JSON Schemas of policies and filters, with their patterns. */
  'json-schemas': 32 * MIB,
  /** Certificates that were read, and whether one signed the other. */
  certificates: 16 * MIB,
  'certificate-signatures': 1 * MIB,
  /** Imported keys. */
  'public-keys': 8 * MIB,
  'private-keys': 8 * MIB,
  /** Public keys of key management services, and connections to them with one set of credentials each. */
  'kms-public-keys': 3 * MIB,
  'kms-connections': 15 * MIB,
  'token-keys': MIB,
  /** Keys that a did:jwk or did:key spells out. */
  'did-keys': 4 * MIB,
  /** Keys that issuers publish at their URLs, shared among their hosts. */
  'issuer-keys': 4 * MIB,
  /** Trust chains of verifiers and of issuers in federations, shared among the hosts of the entities that they are for. */
  'trust-chains': 4 * MIB,
  /** Which stores wallets have. */
  'wallet-shapes': 2 * MIB,
  /** Login tokens whose signature was checked. */
  'login-tokens': 1 * MIB,
  /** Status lists, shared among the hosts that publish them. */
  'status-lists': 54 * MIB,
  /** Lists of trusted authorities, shared among the hosts that publish them. */
  'trust-lists': 32 * MIB,
  /** Status lists of our own issuers, signed. */
  'published-lists': 8 * MIB,
  /** Failures to sign lists of revoked certificates. */
  'revocation-lists': 1 * MIB,
  /** What callers without a login had stored in the last day, by source. */
  'stranger-bytes': 8 * MIB,
  /** The ends of the chains of recorded events. */
  'audit-chains': 1 * MIB,
  /** Credential offers that were looked at, shared among wallets. */
  'looked-at-offers': 16 * MIB,
  /** What the contents of offers have in common. */
  'issuance-terms': 4 * MIB,
  /** Rights of API keys, as their latest authentication read them. */
  'api-keys': 4 * MIB,
  /** Domains of tenants by target, and targets by domain. */
  'host-aliases': MIB / 2,
  /** DID stores of the registries of tenants, by the targets of domains. */
  'did-registries': MIB / 2,
  /**
   * Issuers and verifiers of tenants, made from the configurations of their services; those of each type have this much. One that is larger
   * than a third is made anew for each request.
   */
  'tenant-services': 16 * MIB,
  /** OpenID Providers. */
  'sign-in-providers': 8 * MIB,
} as const satisfies Record<string, number>;

/** One of the caches of a server process. */
export type CacheName = keyof typeof CACHE_BYTES;
