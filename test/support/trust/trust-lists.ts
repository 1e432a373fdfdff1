import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { Vicals } from '../../../adapters/formats/vical/vical.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { EtsiLists } from '../../../adapters/trust-lists/etsi-lists.ts';
import { TrustLists, type TrustListsParts } from '../../../domain/trust/trust-lists.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import { threadScript } from '../processes/script.ts';

const refusing: Outbound = {
  check: () => {},
  send: () => Promise.reject(new Error('nothing is called in this test')),
};

/** Lists of trusted authorities with real parsers; without `outbound` nothing is fetched. */
export function testTrustLists(parts: Partial<TrustListsParts> = {}): TrustLists {
  const signatures = new NodeSignatures(new PrometheusMetrics());
  return new TrustLists({
    outbound: refusing,
    clock: { now: () => Date.now() },
    certificates: new NodeCertificates(),
    readers: {
      vical: new Vicals({ signatures }),
      etsi: new EtsiLists({ signatures, script: threadScript('adapters/trust-lists/xml-worker.ts') }),
    },
    configured: [],
    ...parts,
  });
}
