import type { Settings } from '../adapters/config/settings.ts';
import { NodeSignatures } from '../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../adapters/outbound/guarded-outbound.ts';
import { systemClock } from '../adapters/system/system.ts';
import { createKeys, operatorEndpoints } from '../composition/platform/keys.ts';
import type { KeyBackends } from '../domain/keys/key-backends.ts';

/** The keys as the issuer itself reaches them, beside the server. */
export function issuerKeys(settings: Settings): { backends: KeyBackends; close(): Promise<void> } {
  const metrics = new PrometheusMetrics();
  const { allow } = settings.outbound;
  const outbound = new GuardedOutbound({
    allow,
    endpoints: operatorEndpoints(settings),
    publicUrl: settings.publicUrl,
    metrics,
  });
  const signatures = new NodeSignatures(metrics);
  const backends = createKeys({ settings, outbound, clock: systemClock, metrics, signatures });
  const close = async (): Promise<void> => {
    await backends.close();
    await outbound.close();
  };
  return { backends, close };
}
