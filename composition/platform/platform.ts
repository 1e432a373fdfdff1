import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../../adapters/config/settings.ts';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { ScryptPasswords } from '../../adapters/crypto/passwords.ts';
import { nodePemKeys } from '../../adapters/crypto/pem-keys.ts';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { Readiness } from '../../adapters/decorators/resilience/readiness.ts';
import { Rfc9535Paths } from '../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../adapters/json/json-schemas.ts';
import { WholePatterns } from '../../adapters/json/whole-patterns.ts';
import { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import type { CredentialFormats } from '../../domain/credentials/formats/formats.ts';
import { JwtVcIssuers } from '../../domain/credentials/jwt-vc-issuers.ts';
import { DidCreator } from '../../domain/dids/did-creator.ts';
import { DidRegistrar } from '../../domain/dids/did-registrar.ts';
import { DidResolver } from '../../domain/dids/did-resolver.ts';
import { ActivityLog } from '../../domain/holdings/activity.ts';
import { WalletStores } from '../../domain/holdings/places/wallet-stores.ts';
import type { KeyBackends } from '../../domain/keys/key-backends.ts';
import { ServerKeys } from '../../domain/keys/server-keys.ts';
import { ServerSecret } from '../../domain/keys/server-secret.ts';
import { IssuedStatements } from '../../domain/status/issued-statements.ts';
import type { ListAuthority } from '../../domain/status/list-authority.ts';
import type { StatusLookup } from '../../domain/status/status-lookup.ts';
import type { IssuerTrust } from '../../domain/trust/issuer-trust.ts';
import type { TrustLists } from '../../domain/trust/trust-lists.ts';
import { OpaRules, type RuleEngine } from '../../domain/verifier/policies/opa-rules.ts';
import type { Certificates } from '../../ports/certificates.ts';
import type { JsonPaths } from '../../ports/json-path.ts';
import type { JsonSchemas } from '../../ports/json-schema.ts';
import type { Patterns } from '../../ports/patterns.ts';
import type { PemKeys } from '../../ports/pem-keys.ts';
import type { PublishedKeys } from '../../ports/published-keys.ts';
import type { Passwords } from '../../ports/secrets.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Store } from '../../ports/store.ts';
import { Background } from './background.ts';
import { createFormats } from './formats.ts';
import { createKeys, operatorAuthorities, operatorEndpoints } from './keys.ts';
import { type IssuedListServices, statusPlatform } from './status-lists.ts';
import { StoreT } from './stores.ts';
import { type Overrides, SettingsT, type System, SystemT } from './system.ts';
import { createTrust } from './trust.ts';
import { provide, token } from './wire.ts';

/** What every service is built on, made once; constructors declare the members they use. */
export interface Platform extends System {
  settings: Settings;
  store: Store;
  /** Whether the store can be used. */
  readiness: Readiness;
  outbound: GuardedOutbound;
  keys: KeyBackends;
  serverKeys: ServerKeys;
  /** The secret of the nonces that are stored only when they are used. */
  secret: ServerSecret;
  dids: DidResolver;
  /** Keys that issuers publish at their URLs; shared by all services, so that they are fetched and cached once. */
  issuers: PublishedKeys;
  didCreator: DidCreator;
  formats: CredentialFormats;
  statements: IssuedStatements;
  /** Shared by all services, so that a list is fetched and cached once. */
  statuses: StatusLookup;
  /** Decides who may sign the lists of an issuer. */
  listAuthority: ListAuthority;
  /** The status lists of the credentials that are issued here. */
  issuedLists: IssuedListServices;
  signatures: Signatures;
  certificates: Certificates;
  /** Which issuers the verifier believes. */
  trust: IssuerTrust;
  trustLists: TrustLists;
  /** Reads another version of trusted-issuers.conf; returns what believes it from then on. */
  followTrustedIssuers(next: Pick<Settings, 'trustedIssuers'>): () => void;
  pems: PemKeys;
  schemas: JsonSchemas;
  paths: JsonPaths;
  patterns: Patterns;
  /** Shared by all services, so that rules of one name take turns. */
  ruleEngine: RuleEngine;
  passwords: Passwords;
  /** The event log of wallets. */
  activity: ActivityLog;
  /** Which stores wallets have. */
  stores: WalletStores;
  /** Ends before the store is closed. */
  background: Background;
}

export const PlatformT = token<Platform>('platform');

/** Binds the platform; `formats` are added to those of this build. */
export const platformModule =
  (overrides: Pick<Overrides, 'formats' | 'outboundTimeoutMs'>) =>
  (o: ContainerModuleLoadOptions): void =>
    provide(
      o,
      PlatformT,
      (settings, system, { store }) => createPlatform({ ...overrides, settings, system, store }),
      SettingsT,
      SystemT,
      StoreT,
    );

/** What the platform is created from. */
interface PlatformParts extends Pick<Overrides, 'formats' | 'outboundTimeoutMs'> {
  settings: Settings;
  system: System;
  store: Store;
}

/** Creates the platform. */
export function createPlatform({ settings, system, store, formats = [], outboundTimeoutMs }: PlatformParts): Platform {
  const { auth } = settings;
  const { metrics } = system;
  const outbound = createOutbound(settings, { ...system, timeoutMs: outboundTimeoutMs });
  const signatures = new NodeSignatures(metrics);
  const dids = new DidResolver(outbound, settings.didRegistrar);
  const registrar = new DidRegistrar({ ...system, outbound, settings });
  const issuers = new JwtVcIssuers({ ...system, outbound });
  const certificates = new NodeCertificates();
  const supported = createFormats({ ...system, signatures, certificates, more: formats });
  const statements = new IssuedStatements({ ...supported, dids, issuers });
  const keys = createKeys({ ...system, settings, outbound, metrics, signatures });
  const trust = createTrust({ ...system, ...supported, settings, certificates, outbound, signatures });
  const sources = { ...supported, outbound, dids, issuers, statements, signatures, certificates };
  return {
    ...system,
    settings,
    store,
    readiness: new Readiness({ ...system, store }),
    outbound,
    keys,
    serverKeys: new ServerKeys(store, keys, system.clock),
    secret: new ServerSecret({ ...system, store }, 'nonces'),
    dids,
    issuers,
    didCreator: new DidCreator({ ...system, registrar }),
    formats: supported.formats,
    statements,
    ...statusPlatform({ ...system, ...sources, ...trust, settings, store, keys }),
    signatures,
    certificates,
    ...trust,
    pems: nodePemKeys,
    ...createEvaluators({ ...system, outbound }),
    background: new Background(system),
    activity: new ActivityLog({ ...system, store }),
    stores: new WalletStores({ ...system, store }),
    passwords: new ScryptPasswords({ logN: auth.password.scryptLogN }),
  };
}

function createOutbound(
  settings: Settings,
  parts: Pick<System, 'metrics' | 'tracing'> & { timeoutMs: number | undefined },
): GuardedOutbound {
  const { publicUrl, outbound } = settings;
  const endpoints = operatorEndpoints(settings);
  const authorities = operatorAuthorities(settings);
  return new GuardedOutbound({ allow: outbound.allow, endpoints, authorities, publicUrl, ...parts });
}

/** What evaluates the schemas, paths, patterns and rules of callers. */
const createEvaluators = (parts: Pick<Platform, 'outbound' | 'log'>) => ({
  schemas: new CallerSchemas(),
  paths: new Rfc9535Paths(),
  patterns: new WholePatterns(),
  ruleEngine: new OpaRules(parts),
});
