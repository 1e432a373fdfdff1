/** What becomes of something in a configuration of the reference implementation. */
export type Verdict = 'understood' | 'ignored' | 'missing';

/** The verdict on a member, and what an operator does or need not do. */
export type Fate = readonly [verdict: Verdict, text: string];

/** A file: what becomes of its members by their names; `all` of every other one. */
export interface ReferenceFile {
  /** The file of ours with the same members, as which it is checked. */
  same?: string;
  members: Readonly<Record<string, Fate>>;
  all?: Fate;
}

const PUBLIC_URL: Fate = ['understood', 'write it as CREDENZA_PUBLIC_URL'];
const NO_PASSWORDS: Fate = ['ignored', 'passwords are hashed with scrypt and a salt each'];
const OWN_KEYS: Fate = ['ignored', 'the server makes such keys itself and keeps them sealed in its store'];
const SAME_KEYS: Fate = ['understood', 'the sections of rate-limit.conf named issuer2_token_endpoint and so on'];
const STORE: Fate = ['missing', 'write store.conf (SQLite, PostgreSQL or Redis); data is not taken over'];
const CLIENTS: Fate = ['understood', 'write it in credential-issuer-metadata.conf'];
const PROFILES: Fate = ['understood', 'write it in verifier-service.conf and wallet-service.conf'];
const NONE: Fate = ['ignored', 'there is nothing of this kind here'];
const ABSENT: Fate = ['missing', 'there is nothing of this kind here'];
const KEY_SERVICE: Fate = [
  'missing',
  'a key reference has its credentials, or the machine; kms.conf has what is shared',
];

/** The files of the reference implementation, all of its services together, without `.conf`. */
export const REFERENCE_FILES: Readonly<Record<string, ReferenceFile>> = {
  _features: { same: '_features', members: {} },
  auth: {
    members: {
      requireHttps: ['ignored', 'a proxy in front of the server speaks TLS'],
      signingKey: OWN_KEYS,
      verificationKey: OWN_KEYS,
      signingStoredKey: OWN_KEYS,
      encryptionKey: OWN_KEYS,
      signKey: OWN_KEYS,
      tokenKey: OWN_KEYS,
      issTokenClaim: ['ignored', 'it is CREDENZA_PUBLIC_URL'],
      audTokenClaim: ['ignored', 'it is CREDENZA_PUBLIC_URL'],
      tokenLifetime: ['understood', 'write it as tokenLifetimeSeconds'],
      tokenExpiry: ['understood', 'write it as tokenLifetimeSeconds'],
      authFlows: ['understood', 'logins are by email and password; write expiration as tokenLifetimeSeconds'],
      pepper: NO_PASSWORDS,
      hashAlgorithm: NO_PASSWORDS,
      hashMigrations: NO_PASSWORDS,
    },
  },
  'authentication-service': { same: 'authentication-service', members: {} },
  'credential-issuer-metadata': { same: 'credential-issuer-metadata', members: {} },
  'data-retention': {
    members: {},
    all: ['understood', 'sessions end by themselves; see retentionSeconds of verifier-service.conf and audit.conf'],
  },
  database: { members: { databaseType: STORE }, all: ['ignored', 'it is how MongoDB is reached'] },
  'database-documentdb': { members: { databaseType: STORE }, all: ['ignored', 'it is how MongoDB is reached'] },
  db: { members: { dataSource: STORE, database: STORE }, all: ['ignored', 'it is about a database of the other kind'] },
  'debug-endpoints': { members: {}, all: ABSENT },
  'dev-mode': { members: {}, all: ['ignored', 'there is no mode for development'] },
  'dev-mode-access': { members: {}, all: ['ignored', 'there is no mode for development'] },
  'ensured-response-time': { members: {}, all: ['ignored', 'each call to another server has a deadline'] },
  enterprise: {
    members: { baseDomain: PUBLIC_URL, baseSsl: PUBLIC_URL, basePort: PUBLIC_URL },
  },
  httpclient: { members: {}, all: NONE },
  'issuer-service': {
    members: {
      baseUrl: PUBLIC_URL,
      ciTokenKey: OWN_KEYS,
      ciTokenStoredKey: OWN_KEYS,
      credentialEncryptionKey: OWN_KEYS,
      clientAuthenticationConfig: CLIENTS,
      clientAttestationConfig: CLIENTS,
      enforcePushedAuthorizationRequests: CLIENTS,
    },
  },
  'issuer2-profiles': { same: 'issuer2-profiles', members: {} },
  'issuer2-rate-limit': { members: { token: SAME_KEYS, credential: SAME_KEYS } },
  'key-generation-defaults': { same: 'key-generation-defaults', members: {} },
  'ktor-authnz': { members: {}, all: ['missing', 'accounts log in by email and password, certificate or key'] },
  license: { members: {}, all: ['ignored', 'no licence is needed'] },
  logging: { members: {}, all: ['understood', 'the log is JSON on standard output; its level is CREDENZA_LOG_LEVEL'] },
  'network-fetch-guard': {
    members: {
      allowLoopback: ['understood', 'write 127.0.0.0/8 and ::1/128 in allow of outbound.conf'],
      allowPrivateNetworks: ['understood', 'write the networks in allow of outbound.conf'],
      additionalTrustedHostSuffixes: ['understood', 'write each host in allow of outbound.conf'],
    },
  },
  notification: { members: {}, all: ABSENT },
  oci: { members: {}, all: KEY_SERVICE },
  'oci-rest-api': { members: {}, all: KEY_SERVICE },
  oidc: { members: {}, all: ['missing', 'wallets have no logins at other servers'] },
  persistence: { same: 'store', members: {} },
  prometheus: { members: {}, all: ['ignored', 'metrics are always at /metrics'] },
  'rate-limit': { same: 'rate-limit', members: {} },
  'registration-defaults': { same: 'registration-defaults', members: {} },
  'resource-access': { members: {}, all: KEY_SERVICE },
  'superadmin-registration': { same: 'superadmin-registration', members: {} },
  telemetry: { members: {}, all: ['missing', 'there are metrics and a log with request ids, and no traces'] },
  'transaction-data-profiles': { members: { transactionDataProfiles: PROFILES } },
  trust: { members: {}, all: ABSENT },
  'trusted-ca': { same: 'trusted-ca', members: {} },
  'verifier-service': {
    same: 'verifier-service',
    members: {
      baseUrl: PUBLIC_URL,
      urlPrefix: ['ignored', 'it follows from CREDENZA_PUBLIC_URL'],
      key: ['understood', 'write it as requestSigningKey'],
      x5c: ['understood', 'write it as PEM in a file, and its name as requestSigningCertFile'],
    },
  },
  wallet: { members: {}, all: ['ignored', 'services share one address'] },
  'wallet-service': {
    same: 'wallet-service',
    members: {
      publicBaseUrl: PUBLIC_URL,
      clientIdTrust: ['understood', 'write its members in trusted-verifiers.conf'],
    },
  },
  'wallet2-persistence': { members: { jdbcUrl: STORE }, all: ['ignored', 'it is about a database of the other kind'] },
  web: {
    members: {
      webHost: ['understood', 'write it as CREDENZA_HOST'],
      webPort: ['understood', 'write it as CREDENZA_PORT; all services share one'],
      humanReadableResultEncoding: ['ignored', 'answers have no spaces'],
    },
  },
};

/** Features of the reference implementation that are no features here, and do not stand in `choices.ts`. */
export const REFERENCE_FEATURES: Readonly<Record<string, Fate>> = {
  'debug-endpoints': ABSENT,
  'dev-mode': ['missing', 'there is no mode for development; take it out'],
  'ebsi-v3.2-verifier-conformance-test': ABSENT,
  entra: ABSENT,
  'ktor-authnz': ABSENT,
  maintenance: ABSENT,
  oidc: ABSENT,
  push: ABSENT,
  'silent-exchange': ['missing', 'policies of holders decide on what arrives; take it out'],
  stopwatch: ABSENT,
  telemetry: ['missing', 'there are metrics and a log with request ids, and no traces; take it out'],
  tenant: ABSENT,
  web3: ABSENT,
};
