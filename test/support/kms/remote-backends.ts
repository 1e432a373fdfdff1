import type { Settings } from '../../../adapters/config/settings.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../../adapters/outbound/guarded-outbound.ts';
import { createKeys, operatorAuthorities, operatorEndpoints } from '../../../composition/platform/keys.ts';
import type { Outbound } from '../../../ports/outbound.ts';

/** The settings of the key management services in a test; the defaults for those left out. */
export interface RemoteOptions {
  kmsa?: Partial<Settings['kms']['kmsa']>;
  kmsb?: Partial<Settings['kms']['kmsb']>;
  kmsc?: Partial<Settings['kms']['kmsc']>;
  tse?: Partial<Settings['kms']['tse']>;
  pkcs11?: Settings['kms']['pkcs11'];
  timeoutSeconds?: number;
  /** Pauses before further attempts, in milliseconds; short ones where absent. */
  pausesMs?: readonly number[];
  clock?: { now(): number };
  /** Addresses that may be called although they are not public. */
  allow?: string[];
  /** Replaces the guarded one. */
  outbound?: Outbound;
}

/** All key backends as the server creates them. */
export function remoteBackends({ timeoutSeconds = 5, allow = [], ...parts }: RemoteOptions) {
  const { kmsa, kmsb, kmsc, tse, pkcs11 = { tokens: [] } } = parts;
  const kms: Settings['kms'] = {
    timeoutSeconds,
    kmsa: { metadataEndpoint: 'http://169.254.169.254', ...kmsa },
    kmsb: { authorityHost: 'https://login.microsoftonline.com', allowHttp: false, ...kmsb },
    kmsc: { allowHttp: false, ...kmsc },
    tse: { servers: [], allowHttp: false, ...tse },
    pkcs11,
  };
  const didRegistrar = { methods: [], keyTypes: [] };
  const settings = { kms, didRegistrar, authenticationService: {}, wallet: {} } as unknown as Settings;
  const metrics = new PrometheusMetrics();
  const signatures = new NodeSignatures(metrics);
  const publicUrl = 'http://127.0.0.1:1';
  const endpoints = operatorEndpoints(settings);
  const authorities = operatorAuthorities(settings);
  const outbound = parts.outbound ?? new GuardedOutbound({ allow, endpoints, authorities, publicUrl, metrics });
  const { pausesMs = [1, 3] } = parts;
  const clock = parts.clock ?? { now: Date.now };
  const backends = createKeys({ settings, pausesMs, outbound, clock, metrics, signatures });
  return { backends, signatures, outbound };
}
