import { wallSeconds } from '../support/cores.ts';
import { interleave, type Line, median, ratioOf, type Slice } from '../support/harness.ts';
import { encode, load } from '../support/load.ts';
import { ORDER, USUAL_SIZE } from '../support/orders-document.ts';
import { type Server, serveOrders } from '../support/servers.ts';
import { steadyLatencies } from '../support/steady.ts';

const SLICE_MS = 400;
const REQUEST = encode({
  method: 'POST',
  target: '/orders',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(ORDER),
});

/**
 * A slice that returns the 99th percentile, in milliseconds, at half the maximum rate of the server. The maximum is
 * measured before each slice: it depends on what else the machine does.
 */
function ninetyNinth(server: Server): Slice {
  const maximum = load({ ...server, cpuSeconds: wallSeconds }, () => REQUEST);
  return async () => {
    const latencies = await steadyLatencies(server.port, {
      request: REQUEST,
      rate: (await maximum()) / 2,
      ms: SLICE_MS,
    });
    const sorted = latencies.sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  };
}

const milliseconds = (values: readonly number[]): string => `${median(values).toFixed(2)} ms`;

/** Steady load at half the maximum rate of each. */
export async function edgeLatency(): Promise<Line[]> {
  const [ours, hand] = await Promise.all([
    serveOrders({ name: 'support/edge-server', size: USUAL_SIZE }),
    serveOrders({ name: 'baselines/hand-written', size: USUAL_SIZE }),
  ]);
  const p99 = await interleave({ ours: ninetyNinth(ours), hand: ninetyNinth(hand) }, { warmUp: 5 });
  await Promise.all([ours.close(), hand.close()]);
  return [
    {
      work: 'POST of 1 KB, HTTP, p99 at half the maximum rate',
      ours: milliseconds(p99.ours),
      beside: `${milliseconds(p99.hand)} koa + router + ajv by hand`,
      ratio: ratioOf(p99.ours, p99.hand),
      goal: { atMost: 3 },
    },
  ];
}
