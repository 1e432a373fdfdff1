import type { WrittenProfiles } from '../../domain/issuer/issuance-profile.ts';
import type { WrittenIssuer } from '../../domain/issuer/profiles/configured-issuer.ts';
import type { PageLimits } from '../../domain/limits/pagination.ts';
import type { LoginServer } from '../../domain/oauth/external-login.ts';
import type { TransactionDataProfile } from '../../domain/presentation/transaction-data.ts';
import type { WrittenSignIn } from '../../domain/sign-in/written-sign-in.ts';
import type { Registration } from '../../domain/tenancy/accounts/bootstrap.ts';
import type { AuditRules } from '../../domain/tenancy/audit/audit-retention.ts';
import type { LocalAttesterSettings, RemoteAttesterSettings } from '../../domain/wallet/issuance/wallet-attester.ts';
import type { SignatureDemand } from '../../domain/wallet/issuers/signed-metadata.ts';
import type { KeyType } from '../../ports/key-service.ts';

/** The services one process can run. */
export type ServiceName = 'wallet' | 'wallet2' | 'issuer' | 'verifier' | 'status' | 'enterprise' | 'portal' | 'signin';

/** Where data is stored; all members but the type are for databases with servers. */
export interface StoreSettings {
  type: 'sqlite' | 'kvstore' | 'kvstore-cluster' | 'postgresql' | 'memory';
  nodes: { host: string; port: number }[];
  /** '' for the default user of Redis. */
  user: string;
  /** '' for none. */
  password: string;
  tls: boolean;
  /** Of Redis. */
  keyPrefix: string;
  /** Of PostgreSQL. */
  database: string;
  schema: string;
  /** The most that one process opens to PostgreSQL. */
  connections: number;
}

/** The sections of `rate-limit.conf` without a backoff. */
export type VolumeSection = 'audit_endpoint' | 'key_endpoint' | 'open_endpoints' | 'sign_in_endpoint';

/** Those with a backoff; with the others they are what operations name in `x-rate-limit`. */
export type RateLimitSection =
  | 'issuer2_token_endpoint'
  | 'issuer2_credential_endpoint'
  | 'verifier2_request_endpoint'
  | 'verifier2_response_endpoint'
  | 'superadmin_create_by_token_endpoint'
  | 'wallet_auth_endpoint'
  | 'enterprise_auth_endpoint'
  | 'draft_token_endpoint'
  | 'draft_credential_endpoint';

/** What callers without a login may do and have stored, but for those of the operator's own networks; 0 for any number. */
export interface OpenEndpointsSettings extends VolumeSettings {
  storedMiBPerDay: number;
  largestKiB: number;
  longestSeconds: number;
}

/** The allowance of one source at endpoints where nothing counts as a failure. */
export interface VolumeSettings {
  /** 0: the section is off. */
  requestsPerMinute: number;
}

/** The allowance of one source at one endpoint; `failure…` applies only with a key-value store (interface: Limits). */
export interface RateLimitSettings {
  /** 0: the section is off. */
  requestsPerMinute: number;
  failureWindowSeconds: number;
  failureThreshold: number;
  failureBlockSeconds: number;
}

/** Where failures and blocks are stored and requests are counted for all instances. */
export type LimitStoreSettings = Pick<StoreSettings, 'nodes' | 'user' | 'password' | 'tls'> & {
  type: 'memory' | 'kvstore' | 'kvstore-cluster';
};

/** How key management services are reached. An endpoint that is named here may be called although it is not public. */
export interface KmsSettings {
  /** Seconds for one operation with all its attempts. */
  timeoutSeconds: number;
  kmsa: {
    /** Called instead of the region's public endpoint. */
    endpoint?: string;
    /** The instance metadata service, which gives the credentials of an instance role. */
    metadataEndpoint: string;
    /** Whether callers may name the role of the machine in key references; false when absent. */
    allowRoleReferences?: boolean;
  };
  kmsb: {
    /** The authority that issues access tokens. */
    authorityHost: string;
    allowHttp: boolean;
  };
  kmsc: { allowHttp: boolean };
  tse: {
    /** Vaults that may be called although their addresses are not public. */
    servers: string[];
    /** A file with the certificates, as PEM, of the authorities that are believed besides those of the system. */
    caFile?: string;
    allowHttp: boolean;
  };
  /** Tokens of hardware security modules, by PKCS#11; `accessKey` is what requests state to use one. */
  pkcs11: { tokens: { name: string; library: string; label: string; pin: string; accessKey: string }[] };
}

/** The registrar of the DID methods that are bound to a network. */
interface DidRegistrarSettings {
  /** Absent when there is none. */
  url?: string;
  /** Resolves the DIDs of these methods; without it they are verified only where they were onboarded. */
  resolverUrl?: string;
  methods: string[];
  /** The types of the keys that the networks accept. */
  keyTypes: string[];
  /** For each call to the registrar. */
  timeoutSeconds: number;
}

/** With what the verifier signs its requests; without a key, with one that the server keeps in its store. */
interface VerifierSettings {
  /** The name in its certificate; the host of `publicUrl` when absent. */
  x509SanDnsClientId?: string;
  /** Paths, from the folder of the configuration. */
  requestSigningKeyFile?: string;
  requestSigningCertFile?: string;
  /** A key reference object instead of a file; a secret. */
  requestSigningKey?: Record<string, unknown> & { type: string };
  /** The name of the verifier of OpenID4VP 1.0 in signed requests of sessions that bring none. */
  clientId?: string;
  /** The start of its links for wallets. */
  urlHost: string;
  clientMetadata?: Record<string, unknown>;
  verifierInfo?: Record<string, unknown>[];
  transactionDataProfiles: TransactionDataProfile[];
  /** Whether the drafts demand the key of the holder, too. */
  requireHolderBinding: boolean;
  presentationMaxAgeSeconds: number;
  retentionSeconds: number;
  presentedData: 'keep' | 'deleteOnHandover';
  /** Its place in a federation; the key is a secret. */
  federation?: { authorityHints: string[]; trustChain?: string[]; key?: Record<string, unknown> & { type: string } };
}

/** Whose credentials the verifier believes. */
export interface TrustedIssuerSettings {
  /** Authorities in PEM. */
  certificates: string[];
  /** Whether certificates are believed while there is no anchor. */
  acceptUnanchored: boolean;
  /** Lists whose authorities are anchors; signers in PEM. */
  vicals: { url: string; signers: string[] }[];
  trustLists: { url: string; signers: string[] }[];
  /** Below these a query may ask for issuers. */
  federations: FederationSettings[];
}

/** A trust anchor with its JWK Set. */
interface FederationSettings {
  entityId: string;
  jwks: { keys: Record<string, unknown>[] };
}

/** What holders can authorize, and how the wallet presents itself to issuers. */
interface WalletSettings {
  transactionDataProfiles: TransactionDataProfile[];
  /** The name of the wallet at authorization servers; PUBLIC_URL when absent. */
  clientId?: string;
  /** Whether wallet API 2 has accounts; without them every caller is the operator. */
  wallet2Accounts: 'required' | 'none';
  /** Where logins at issuers may return to, beside the page of this server. */
  redirectUris: string[];
  /** How many copies of each credential it asks for, where an issuer gives that many. */
  batchSize: number;
  /** Whether the metadata of issuers must be signed. */
  signedIssuerMetadata: SignatureDemand;
  /** Authorities of those who sign it, in PEM. */
  issuerAuthorities: string[];
  /** Authorities of registrars, in PEM. */
  registrars: string[];
  /** Another server that attests the wallet. */
  attestationConfig?: RemoteAttesterSettings;
  /** A key with which this server attests the wallet and its keys. */
  attester?: LocalAttesterSettings & {
    /** A key reference object; a secret. */
    signingKey: Record<string, unknown> & { type: string };
    /** In PEM, that of the key first. */
    x5Chain: string[];
  };
  /** A key reference object of the key of `private_key_jwt`; a secret. */
  clientAssertionKey?: Record<string, unknown> & { type: string };
}

/** Whose signed requests the wallet believes. */
interface TrustedVerifierSettings {
  /** Authorities in PEM; without any, no certificate is judged. */
  certificates: string[];
  federations: FederationSettings[];
  /** Whose attestations of verifiers are believed. */
  attestationIssuers: { issuer: string; jwks: { keys: unknown[] } }[];
  /** Verifiers that are known; one with `jwks` signs its requests. */
  clients: { clientId: string; name: string; responseUris: string[]; jwks?: { keys: unknown[] } }[];
}

/** All settings of the operator, read once at start; openapi/config has each file's schema. */
export interface Settings {
  host: string;
  port: number;
  /** Without a trailing slash; every link we publish starts with it. */
  publicUrl: string;
  configDir: string;
  dataDir: string;
  /** The minimum level of log lines, from LOG_LEVEL. */
  logLevel: string;
  /** Where the operations of management are served, and nowhere else; at the port of all others when absent. */
  admin?: { host: string; port: number };
  /** From the environment, the current key first; a file in the data directory when absent. */
  masterKeys?: string[];
  services: {
    services: ServiceName[];
    corsOrigins: string[];
    trustedProxies: string[];
    workers: number;
    maxConnections: number;
    /** When absent, the command that starts the server decides. */
    stopDelaySeconds?: number;
    /** Who may call the operations of management; when absent, every caller on this machine. */
    management?: 'open' | 'token';
    /** What they must carry; a secret, set with `token` only. */
    managementToken?: string;
  };
  features: { enabled: string[]; disabled: string[]; trustedCa: boolean };
  trustedCa: { certificates: string[] };
  trustedIssuers: TrustedIssuerSettings;
  trustedVerifiers: TrustedVerifierSettings;
  auth: {
    tokenLifetimeSeconds: number;
    x5c: { replay: 'compatible' | 'once' | 'challenge'; autoRegister: boolean; minRsaBits: number };
    password: { scryptLogN: number };
    secondFactor: { required: 'none' | 'superadmins' | 'administrators' };
    lockout: { threshold: number; windowSeconds: number; lockSeconds: number };
  };
  registrationDefaults: {
    defaultKeyConfig: { backend: string; keyType: KeyType; name?: string; config?: Record<string, unknown> };
    defaultDidConfig: { method: string };
  };
  keyGenerationDefaults: Record<string, Record<string, unknown>>;
  outbound: {
    allow: string[];
    /** Secrets, the newest first; empty when callbacks are not signed. */
    callbacks: { signingSecrets: string[] };
  };
  kms: KmsSettings;
  didRegistrar: DidRegistrarSettings;
  /** Where holders log in before credentials are issued to them; absent when there is no such server. */
  authenticationService: { server?: LoginServer };
  store: StoreSettings;
  rateLimit: {
    persistence: LimitStoreSettings;
    /** Addresses and CIDR blocks that the sections of wallets do not limit. */
    exempt: string[];
  } & Record<RateLimitSection, RateLimitSettings> &
    Record<VolumeSection, VolumeSettings> & { open_endpoints: OpenEndpointsSettings };
  issuerMetadata: Omit<WrittenIssuer, keyof WrittenProfiles> & {
    /** A key reference object of the key that signs the metadata; a secret. */
    metadataKey?: Record<string, unknown> & { type: string };
  };
  issuer2Profiles: WrittenProfiles;
  status: {
    minimumListBits: number;
    statusSigningUsages: readonly string[];
    issuedLists: { entries: number; ttlSeconds: number; lifetimeSeconds: number };
  };
  verifier: VerifierSettings;
  wallet: WalletSettings;
  pagination: PageLimits;
  audit: AuditRules;
  /** The pages for people. */
  /** The clients and login profiles of the OpenID Provider. */
  signIn: WrittenSignIn;
  portal: {
    title: string;
    areas: ('tour' | 'wallet' | 'office')[];
    defaultLanguage: 'en' | 'de';
    /** Pages of the operator. */
    links: { imprint?: string; privacy?: string; accessibility?: string };
  };
  /** Keyed by the token, which is a secret. */
  superadminRegistration: { tokens: Record<string, Registration> };
}
