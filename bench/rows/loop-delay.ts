import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { LocalKeys } from '../../adapters/kms/local/local-keys.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import type { KeyType } from '../../ports/key-service.ts';
import type { Line } from '../support/harness.ts';

/** One RSA-4096 signature in four; the others are the usual ones. */
const MIX: readonly KeyType[] = ['RSA4096', 'secp256r1', 'Ed25519', 'secp256r1'];
const IN_FLIGHT = 16;
const MS = 5000;
const RESOLUTION_MS = 1;
const MOST_MS = 20;

/** How late the event loop is while keys of several types sign, an RSA-4096 key among them. */
export async function loopDelay(): Promise<Line[]> {
  const metrics = new PrometheusMetrics();
  const keys = new LocalKeys({
    metrics,
    signatures: new NodeSignatures(metrics),
    work: { run: (_turn, work) => work() },
  });
  const signers = await Promise.all(
    MIX.map(async (keyType) => keys.signer(await keys.create({ keyType, config: {} }))),
  );
  const data = Buffer.alloc(800, 'x');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const ends = performance.now() + MS;
  let signed = 0;
  const drive = async (from: number): Promise<void> => {
    for (let at = from; performance.now() < ends; at += 1) {
      await signers[at % signers.length]?.sign(data);
      signed += 1;
      // The requests of a server come from the event loop, not from one chain of promises.
      await new Promise((turn) => setImmediate(turn));
    }
  };
  delay.enable();
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, at) => drive(at)));
  delay.disable();
  const ms = delay.percentile(99) / 1e6;
  return [
    {
      work: `event loop, p99 of its delay, ${((1000 * signed) / MS).toFixed(0)} mixed signatures/s`,
      ours: `${ms.toFixed(1)} ms`,
      beside: `${MOST_MS} ms`,
      ratio: ms / MOST_MS,
      goal: { atMost: 1 },
    },
  ];
}
