import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../../adapters/config/settings.ts';
import type { CheckedContract } from '../../adapters/http/edge/validation.ts';
import type { CONNECTION_TIMEOUTS } from '../../adapters/http/messages/connection-limits.ts';
import type { ServedParts } from '../../adapters/http/messages/document.ts';
import { JsonLog } from '../../adapters/log/json-log.ts';
import type { Telemetry } from '../../adapters/metrics/open-telemetry.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import {
  systemClock,
  systemIds,
  systemMonotonicClock,
  systemRandom,
  systemTimers,
  systemTurns,
} from '../../adapters/system/system.ts';
import type { SupportedFormat } from '../../domain/credentials/formats/formats.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock, Ids, MonotonicClock, Random, Timers, Turns } from '../../ports/system.ts';
import { NO_TRACING, type Tracing } from '../../ports/tracing.ts';
import { provide, token } from './wire.ts';

/** What the process itself offers: time, identifiers, randomness, its log, its metrics and traces. */
export interface System {
  clock: Clock;
  monotonicClock: MonotonicClock;
  timers: Timers;
  turns: Turns;
  ids: Ids;
  random: Random;
  log: Log;
  metrics: PrometheusMetrics;
  tracing: Tracing;
}

/** What a process adds, and a test replaces or adds. */
export interface Overrides extends Partial<Pick<System, 'clock' | 'monotonicClock' | 'timers' | 'log'>> {
  timeouts?: typeof CONNECTION_TIMEOUTS & { keepAliveTimeout?: number };
  /** Milliseconds for an outbound call that states no limit of its own. */
  outboundTimeoutMs?: number;
  /** Loads the contract instead of reading the one that the build wrote. */
  checkedContract?: (served: ServedParts) => Promise<CheckedContract>;
  /** Formats in addition to those of this build. */
  formats?: readonly SupportedFormat[];
  /** Wraps the database below its sealing, to make it fail. */
  wrapStore?: (store: Store) => Store;
  telemetry?: Telemetry;
}

export const SettingsT = token<Settings>('settings');
export const SystemT = token<System>('system');

/** Binds the settings and what the process offers. */
export const systemModule =
  (settings: Settings, overrides: Overrides) =>
  (o: ContainerModuleLoadOptions): void => {
    provide(o, SettingsT, () => settings);
    provide(o, SystemT, () => createSystem(settings, overrides));
  };

/** Returns the clock, the log and the like of this process, or what a test uses instead. */
export const createSystem = ({ logLevel }: Pick<Settings, 'logLevel'>, overrides: Overrides): System => ({
  clock: overrides.clock ?? systemClock,
  monotonicClock: overrides.monotonicClock ?? systemMonotonicClock,
  timers: overrides.timers ?? systemTimers,
  turns: systemTurns,
  ids: systemIds,
  random: systemRandom,
  log: overrides.log ?? new JsonLog(logLevel),
  metrics: new PrometheusMetrics(overrides.telemetry?.sink),
  tracing: overrides.telemetry?.tracing ?? NO_TRACING,
});
