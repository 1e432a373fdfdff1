import { Agent, request } from 'undici';
import type { KmsSettings } from '../../adapters/config/settings.ts';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { createKeys } from '../../composition/platform/keys.ts';
import { startFakeAws } from '../../demo/fake-clouds/aws.ts';
import { FakeAzure } from '../../demo/fake-clouds/azure.ts';
import type { FakeServer } from '../../demo/fake-clouds/fake-server.ts';
import { FakeOci } from '../../demo/fake-clouds/oci.ts';
import { FakeHashiVault } from '../../demo/fake-clouds/vault.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';

const DATA = Buffer.alloc(800, 'x');
const SLICE_MS = 300;

/** One fake, and a key to create in it. */
interface Cloud {
  backend: string;
  kms: Partial<KmsSettings>;
  config: Record<string, unknown>;
  signing: FakeServer;
  close(): Promise<void>;
}

const CLOUDS: readonly (() => Promise<Cloud>)[] = [
  async () => {
    const fake = await startFakeAws();
    const { server: signing, close } = fake;
    return { backend: 'kmsa-rest-api', kms: { kmsa: fake.settings }, config: fake.config(), signing, close };
  },
  async () => {
    const fake = await FakeAzure.start();
    const { vault: signing, config, settings } = fake;
    return { backend: 'kmsb-rest-api', kms: { kmsb: settings }, config, signing, close: () => fake.close() };
  },
  async () => {
    const fake = await FakeOci.start();
    const config = fake.configOf(await fake.newUser());
    const kms = { kmsc: { allowHttp: true } };
    return { backend: 'kmsc-rest-api', kms, config, signing: fake.crypto, close: () => fake.close() };
  },
  async () => {
    const fake = await FakeHashiVault.start();
    const { server: signing, config, settings } = fake;
    return { backend: 'tse', kms: { tse: settings }, config, signing, close: () => fake.close() };
  },
];

/** A signature in each key management service, by the processor time of client and fake together. */
export async function kmsSigning(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const start of CLOUDS) lines.push(await beside(await start()));
  return lines;
}

/** Beside the same signed request sent again as it is. */
async function beside({ backend, kms, config, signing, close }: Cloud): Promise<Line> {
  const metrics = new PrometheusMetrics();
  const outbound = new GuardedOutbound({ allow: ['127.0.0.1'], publicUrl: 'http://127.0.0.1:1', metrics });
  const settings = { kms: { timeoutSeconds: 5, ...DEFAULTS, ...kms } };
  const signatures = new NodeSignatures(metrics);
  const backends = createKeys({ settings, outbound, clock: systemClock, metrics, signatures });
  const signer = backends.signer(await backends.create(backend, { keyType: 'secp256r1', config }));
  await signer.sign(DATA);
  const bare = replay(signing);
  const rates = await interleave({
    ours: repeat(() => signer.sign(DATA), SLICE_MS),
    bare: repeat(bare.send, SLICE_MS),
  });
  await bare.close();
  await backends.close();
  await outbound.close();
  await close();
  const line = compared({ work: `signature, ${backend}`, named: 'the bare round trip' }, rates.ours, rates.bare);
  // Rates are compared; the goal is about times.
  return { ...line, ratio: 1 / (line.ratio ?? Number.NaN), goal: { atMost: 5 } };
}

const DEFAULTS = {
  kmsa: { metadataEndpoint: 'http://127.0.0.1:9' },
  kmsb: { authorityHost: 'http://127.0.0.1:9', allowHttp: true },
  kmsc: { allowHttp: true },
  tse: { servers: [], allowHttp: true },
  pkcs11: { tokens: [] },
};

/** Sends the last call to a fake again. */
function replay(signing: FakeServer): { send(): Promise<void>; close(): Promise<void> } {
  const call = signing.calls.at(-1);
  if (!call) throw new Error('Nothing was signed');
  const dispatcher = new Agent();
  const { 'content-length': _, connection: __, ...headers } = call.headers;
  const url = `${signing.url}${call.path}`;
  return {
    send: async () => {
      signing.calls.length = 0;
      const { statusCode, body } = await request(url, {
        method: call.method as 'POST',
        headers: headers as Record<string, string>,
        body: call.body,
        dispatcher,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`The fake answered ${statusCode}: ${text}`);
    },
    close: () => dispatcher.close(),
  };
}
