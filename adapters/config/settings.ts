/** The services one process can run. */
export type ServiceName = 'wallet' | 'issuer' | 'verifier' | 'status';

/** Everything the operator decides, read once at start; see openapi/config for each file's schema. */
export interface Settings {
  host: string;
  port: number;
  /** Without a trailing slash; every link we publish starts with it. */
  publicUrl: string;
  configDir: string;
  dataDir: string;
  /** The least severe kind of log line that is written; from LOG_LEVEL. */
  logLevel: string;
  /** From the environment; a generated file in the data directory when absent. */
  masterKey?: string;
  services: { services: ServiceName[]; corsOrigins: string[]; trustedProxies: string[]; workers: number };
  features: { enabled: string[]; disabled: string[]; trustedCa: boolean };
  trustedCa: { certificates: string[] };
  auth: {
    tokenLifetimeSeconds: number;
    x5c: { replay: 'compatible' | 'once' | 'challenge'; autoRegister: boolean; minRsaBits: number };
  };
  registrationDefaults: {
    defaultKeyConfig: { backend: string; keyType: string };
    defaultDidConfig: { method: string };
  };
  keyGenerationDefaults: Record<string, Record<string, unknown>>;
  outbound: { allow: string[] };
  store: { type: 'sqlite' | 'memory' };
  issuerMetadata: {
    issuerDisplay: Record<string, unknown>[];
    /** A list of types (one configuration per issuable format), or a whole credential configuration. */
    supportedCredentialTypes: Record<string, string[] | Record<string, unknown>>;
  };
  status: { minimumListBits: number };
}
