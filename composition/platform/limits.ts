import type { ContainerModuleLoadOptions } from 'inversify';
import type {
  LimitStoreSettings,
  RateLimitSection,
  RateLimitSettings,
  Settings,
  VolumeSettings,
} from '../../adapters/config/settings.ts';
import { ResilientCounters } from '../../adapters/decorators/resilience/resilient-counters.ts';
import { type LimitRules, RateLimits } from '../../adapters/http/edge/rate-limits.ts';
import type { StrangerRules } from '../../adapters/http/edge/stranger-bounds.ts';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { RedisCounters } from '../../adapters/redis/counters.ts';
import { RedisConnection } from '../../adapters/redis/redis-connection.ts';
import { readSources } from '../../domain/network/client-address.ts';
import type { Counters, LimitRule } from '../../ports/counters.ts';
import { PlatformT } from './platform.ts';
import { SettingsT, type System, SystemT } from './system.ts';
import { provide, token } from './wire.ts';

/** Where requests and failures are counted. */
interface LimitStore {
  counters: Counters;
  /** Waits for the connection until its timeout; without one each process counts for itself. */
  open(): Promise<void>;
  close(): void;
}

export const LimitStoreT = token<LimitStore>('limit-store');
export const RateLimitsT = token<RateLimits>('rate-limits');

/** What wallets call: the sections that exempt sources are not limited by. */
const OF_WALLETS: ReadonlySet<string> = new Set<RateLimitSection>([
  'issuer2_token_endpoint',
  'issuer2_credential_endpoint',
  'verifier2_request_endpoint',
  'verifier2_response_endpoint',
  'draft_token_endpoint',
  'draft_credential_endpoint',
]);

/** Binds the limits of `rate-limit.conf` and the store that counts for them. */
export function limitsModule(o: ContainerModuleLoadOptions): void {
  provide(o, LimitStoreT, limitStore, SettingsT, SystemT);
  provide(
    o,
    RateLimitsT,
    ({ settings, metrics }, { counters }) =>
      new RateLimits({
        counters,
        rules: rulesOf(settings.rateLimit),
        exempt: { sections: OF_WALLETS, sources: readSources(settings.rateLimit.exempt) },
        metrics,
      }),
    PlatformT,
    LimitStoreT,
  );
}

function limitStore({ rateLimit, store }: Settings, { monotonicClock, log }: System): LimitStore {
  const { persistence } = rateLimit;
  const local = new MemoryCounters(monotonicClock);
  if (persistence.type === 'memory') return { counters: local, open: async () => {}, close: () => {} };
  const address = { ...persistence, cluster: persistence.type === 'kvstore-cluster' };
  const link = new RedisConnection(address, log, 'store of the rate limits');
  const shared = new RedisCounters(link, `${store.keyPrefix}limit:`);
  return {
    counters: new ResilientCounters({ shared, local, monotonicClock, log }),
    // The connection logs why it failed, the counters log that they count locally.
    open: () => link.ping().catch(() => undefined),
    close: () => link.close(),
  };
}

/** The limits in force; without a key-value store no source is blocked (interface: Limits). */
export function rulesOf({ persistence, exempt: _, ...sections }: Settings['rateLimit']): LimitRules {
  const spared = {
    open_endpoints: sparingRule(sections.open_endpoints),
    key_endpoint: sparingRule(sections.key_endpoint),
    sign_in_endpoint: sparingRule(sections.sign_in_endpoint),
  };
  const rules = Object.entries(sections).map(([section, settings]) => [section, ruleOf(settings, persistence)]);
  return { ...Object.fromEntries(rules), ...spared };
}

/** The operator's own backends, each for many users, call from its networks, so that these are spared. */
const sparingRule = ({ requestsPerMinute }: VolumeSettings) =>
  requestsPerMinute > 0 ? { requestsPerMinute, sparesLocal: true } : undefined;

/** What callers without a login may have stored. */
export const strangerRules = ({ open_endpoints: open }: Settings['rateLimit']): StrangerRules => ({
  largestBytes: open.largestKiB * 1024,
  bytesPerDay: open.storedMiBPerDay * 1024 * 1024,
  longestSeconds: open.longestSeconds,
});

function ruleOf(settings: RateLimitSettings | VolumeSettings, { type }: LimitStoreSettings): LimitRule | undefined {
  const { requestsPerMinute } = settings;
  if (requestsPerMinute === 0) return undefined;
  return {
    requestsPerMinute,
    backoff:
      type === 'memory' || !('failureThreshold' in settings)
        ? undefined
        : {
            windowSeconds: settings.failureWindowSeconds,
            threshold: settings.failureThreshold,
            blockSeconds: settings.failureBlockSeconds,
          },
  };
}
