import { after, before, beforeEach } from 'mocha';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { azureKms } from '../../../adapters/kms/azure/azure-kms.ts';
import { RemoteKeys } from '../../../adapters/kms/remote/remote-keys.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../../adapters/outbound/guarded-outbound.ts';
import { FakeAzure, type FakeAzureOptions } from '../../../demo/kms/azure.ts';
import { KeyBackends } from '../../../domain/keys/key-backends.ts';
import type { Outbound } from '../../../ports/outbound.ts';

/** The moment at which the clock of a fake and of its clients stands until a test moves it. */
export const START_MS = Date.UTC(2026, 0, 1);

/** A fake of Azure Key Vault and a clock that only the test moves. */
export interface AzureUnderTest {
  fake: FakeAzure;
  clock: { time: number; now(): number };
  /** The key backends of a new server process that uses the fake. */
  keys(options?: AzureKeysOptions): KeyBackends;
}

/** How the key backends of a test differ from those of a server. */
export interface AzureKeysOptions {
  timeoutMs?: number;
  allowHttp?: boolean;
  authorityHost?: string;
  outbound?: Outbound;
  /** Entries of outbound.conf; loopback when absent. */
  allow?: string[];
}

/** Starts a fake before the tests of a suite, forgets its calls and faults before each, and closes it after them. */
export function useFakeAzure(options: FakeAzureOptions = {}): AzureUnderTest {
  const clock = { time: START_MS, now: () => clock.time };
  const under = { clock } as AzureUnderTest;
  before(async () => {
    under.fake = await FakeAzure.start({ now: clock.now, ...options });
    under.keys = (differences = {}) => azureKeys(under, differences);
  });
  beforeEach(() => {
    clock.time = START_MS;
    under.fake.reset();
  });
  after(() => under.fake.close());
  return under;
}

function azureKeys({ fake, clock }: AzureUnderTest, options: AzureKeysOptions): KeyBackends {
  const { timeoutMs = 5000, allow = ['127.0.0.1'], outbound, ...settings } = options;
  const metrics = new PrometheusMetrics();
  const signatures = new NodeSignatures(metrics);
  const endpoints = { 'kms-token': [fake.authority.url] };
  const guarded = outbound ?? new GuardedOutbound({ allow, endpoints, publicUrl: 'http://127.0.0.1:9', metrics });
  const kms = azureKms({ settings: { kmsb: { ...fake.settings, ...settings } }, outbound: guarded, timeoutMs, clock });
  return new KeyBackends({ 'kmsb-rest-api': new RemoteKeys({ kms, clock, metrics, signatures, timeoutMs }) });
}
