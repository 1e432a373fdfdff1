import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { ociKms } from '../../../adapters/kms/oci/oci-kms.ts';
import { RemoteKeys } from '../../../adapters/kms/remote/remote-keys.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../../adapters/outbound/guarded-outbound.ts';
import { FakeOci, type OciUser } from '../../../demo/kms/oci.ts';
import { KeyBackends } from '../../../domain/keys/key-backends.ts';
import type { Outbound } from '../../../ports/outbound.ts';

/** A fake of Oracle OCI Vault with one user. */
export interface OciUnderTest {
  fake: FakeOci;
  user: OciUser;
  /** The `config` of a request to create a key, over the given members. */
  config(over?: Record<string, unknown>): Record<string, unknown>;
}

/** Starts a fake for the tests of the enclosing `describe` and closes it after them; calls are forgotten before each test. */
export function useFakeOci(): OciUnderTest {
  const under = {} as OciUnderTest;
  before(async () => {
    const fake = await FakeOci.start();
    const user = await fake.newUser();
    Object.assign(under, { fake, user, config: (over = {}) => ({ ...fake.configOf(user), ...over }) });
  });
  beforeEach(() => under.fake.reset());
  after(() => under.fake?.close());
  return under;
}

/** The options of `ociKeys`. */
export interface OciKeyOptions {
  timeoutMs?: number;
  allowHttp?: boolean;
  outbound?: Outbound;
  now?: () => number;
}

/** Keys in Oracle OCI Vault as the server has them; loopback may be called. */
export function ociKeys({ timeoutMs = 5000, allowHttp = true, outbound, now = Date.now }: OciKeyOptions = {}) {
  const metrics = new PrometheusMetrics();
  const signatures = new NodeSignatures(metrics);
  const guarded =
    outbound ?? new GuardedOutbound({ allow: ['127.0.0.0/8'], publicUrl: 'https://credenza.example.org', metrics });
  const clock = { now };
  const kms = ociKms({ settings: { kmsc: { allowHttp } }, outbound: guarded, clock, timeoutMs });
  const service = new RemoteKeys({ kms, clock, metrics, signatures, timeoutMs });
  return { kms, service, signatures, backends: new KeyBackends({ 'kmsc-rest-api': service }) };
}
