import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../adapters/config/settings.ts';
import { NodeCertificates } from '../adapters/crypto/certificates.ts';
import { LocalKeys } from '../adapters/crypto/local-keys.ts';
import { ScryptPasswords } from '../adapters/crypto/passwords.ts';
import { NodeSignatures } from '../adapters/crypto/signatures.ts';
import { JwtVc } from '../adapters/formats/jwt-vc.ts';
import type { CONNECTION_TIMEOUTS } from '../adapters/http/connection-limits.ts';
import type { JoinedDocument } from '../adapters/http/document.ts';
import { Rfc9535Paths } from '../adapters/json/json-paths.ts';
import { CallerSchemas } from '../adapters/json/json-schemas.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { PrometheusMetrics } from '../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../adapters/outbound/guarded-outbound.ts';
import { systemClock, systemIds, systemMonotonicClock, systemRandom, systemTimers } from '../adapters/system/system.ts';
import { DidResolver } from '../domain/dids/did-resolver.ts';
import { KeyBackends } from '../domain/keys/key-backends.ts';
import { ServerKeys } from '../domain/keys/server-keys.ts';
import type { CredentialFormats } from '../ports/credential-formats.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, MonotonicClock, Timers } from '../ports/system.ts';
import {
  CertificatesT,
  ClockT,
  DidResolverT,
  FormatsT,
  IdsT,
  JsonPathsT,
  JsonSchemasT,
  KeyRingT,
  LogT,
  MetricsT,
  MonotonicClockT,
  OutboundT,
  PasswordsT,
  RandomT,
  ServerKeysT,
  SettingsT,
  SignaturesT,
  StoreT,
  TimersT,
} from './tokens.ts';
import { provide, token } from './wire.ts';

/** The metrics as their adapter, which can also expose them. */
export const PrometheusT = token<PrometheusMetrics>('prometheus');
/** The guard as its adapter, which can also be closed. */
export const GuardT = token<GuardedOutbound>('guard');

/** What a test may put in the place of the real thing. */
export interface TestOverrides {
  clock?: Clock;
  monotonicClock?: MonotonicClock;
  timers?: Timers;
  log?: Log;
  timeouts?: typeof CONNECTION_TIMEOUTS;
  /** Instead of the one that the build wrote. */
  document?: JoinedDocument;
  /** Stands between the database and its sealing, to make it fail. */
  wrapStore?: (store: Store) => Store;
}

/** Everything the services stand on, except the store. */
export const foundationModule =
  (
    settings: Settings,
    { clock = systemClock, monotonicClock = systemMonotonicClock, timers = systemTimers, log }: TestOverrides,
  ) =>
  (o: ContainerModuleLoadOptions): void => {
    provide(o, SettingsT, () => settings);
    provide(o, ClockT, () => clock);
    provide(o, MonotonicClockT, () => monotonicClock);
    provide(o, TimersT, () => timers);
    provide(o, IdsT, () => systemIds);
    provide(o, RandomT, () => systemRandom);
    provide(o, LogT, () => log ?? jsonLog(settings.logLevel));
    provide(o, PrometheusT, () => new PrometheusMetrics());
    provide(o, MetricsT, (metrics): Metrics => metrics, PrometheusT);
    provide(
      o,
      GuardT,
      (metrics) => new GuardedOutbound({ allow: settings.outbound.allow, publicUrl: settings.publicUrl, metrics }),
      MetricsT,
    );
    provide(o, OutboundT, (guard) => guard, GuardT);
    provide(o, PasswordsT, () => new ScryptPasswords({ logN: settings.auth.password.scryptLogN }));
    provide(o, SignaturesT, (metrics) => new NodeSignatures(metrics), MetricsT);
    provide(o, CertificatesT, () => new NodeCertificates());
    provide(o, JsonSchemasT, () => new CallerSchemas());
    provide(o, JsonPathsT, () => new Rfc9535Paths());
    provide(o, FormatsT, (signatures): CredentialFormats => ({ jwt_vc_json: new JwtVc(signatures) }), SignaturesT);
    provide(o, KeyRingT, (metrics) => new KeyBackends({ jwk: new LocalKeys(metrics) }), MetricsT);
    provide(o, DidResolverT, (outbound) => new DidResolver(outbound), OutboundT);
    provide(o, ServerKeysT, (store, keys, clock) => new ServerKeys(store, keys, clock), StoreT, KeyRingT, ClockT);
  };
