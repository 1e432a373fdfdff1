import { randomBytes } from 'node:crypto';
import type { Log } from '../ports/log.ts';
import type { Outbound } from '../ports/outbound.ts';
import { compiled } from './compiled.ts';

const { MemoryStore } =
  await compiled<typeof import('../adapters/memory/memory-store.ts')>('adapters/memory/memory-store');
const { SealedStore } = await compiled<typeof import('../adapters/decorators/sealing/sealed-store.ts')>(
  'adapters/decorators/sealing/sealed-store',
);
const { AesSecrets } = await compiled<typeof import('../adapters/crypto/sealing.ts')>('adapters/crypto/sealing');
const { NodeSignatures } =
  await compiled<typeof import('../adapters/crypto/signatures.ts')>('adapters/crypto/signatures');
const { LocalKeys } = await compiled<typeof import('../adapters/crypto/local-keys.ts')>('adapters/crypto/local-keys');
const { NodeCertificates } =
  await compiled<typeof import('../adapters/crypto/certificates.ts')>('adapters/crypto/certificates');
const { JwtVc } = await compiled<typeof import('../adapters/formats/jwt-vc/jwt-vc.ts')>(
  'adapters/formats/jwt-vc/jwt-vc',
);
const { CredentialFormats, FORMATS } =
  await compiled<typeof import('../domain/credentials/formats.ts')>('domain/credentials/formats');
const { PrometheusMetrics } =
  await compiled<typeof import('../adapters/metrics/prometheus.ts')>('adapters/metrics/prometheus');
const system = await compiled<typeof import('../adapters/system/system.ts')>('adapters/system/system');
const { KeyBackends } = await compiled<typeof import('../domain/keys/key-backends.ts')>('domain/keys/key-backends');
const { DidResolver } = await compiled<typeof import('../domain/dids/did-resolver.ts')>('domain/dids/did-resolver');

const nothing = () => {};

/** A log that says nothing. */
export const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A network that must not be needed. */
const NO_NETWORK: Outbound = {
  check: () => {},
  send: () => Promise.reject(new Error('This benchmark needs no network')),
};

/** What the services stand on, as in production but for the network and the log: store in memory, sealed. */
export function makeFoundation() {
  const metrics = new PrometheusMetrics();
  const signatures = new NodeSignatures(metrics);
  return {
    metrics,
    signatures,
    certificates: new NodeCertificates(),
    log: SILENT,
    outbound: NO_NETWORK,
    clock: system.systemClock,
    timers: system.systemTimers,
    ids: system.systemIds,
    random: system.systemRandom,
    store: new SealedStore(
      new MemoryStore(system.systemClock),
      new AesSecrets(randomBytes(32), system.systemRandom),
      system.systemClock,
    ),
    keys: new KeyBackends({ jwk: new LocalKeys(metrics) }),
    formats: new CredentialFormats({ ...FORMATS.jwt_vc_json, codec: new JwtVc(signatures) }),
    dids: new DidResolver(NO_NETWORK),
  };
}
