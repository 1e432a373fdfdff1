import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { LocalKeys } from '../../../adapters/kms/local/local-keys.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { KeyBackends } from '../../../domain/keys/key-backends.ts';

/** Local keys with what verifies their signatures. */
export function localKeys() {
  const metrics = new PrometheusMetrics();
  const signatures = new NodeSignatures(metrics);
  const service = new LocalKeys({ metrics, signatures, work: { run: (_turn, work) => work() } });
  return { service, signatures, backends: new KeyBackends({ jwk: service }) };
}
