import { interleave, type Line, median, ratioOf, type Slice } from './harness.ts';
import { ORDER, USUAL_SIZE } from './http/document.ts';
import { encode, load } from './http/load.ts';
import { type Forked, serve } from './http/serve.ts';
import { steadyLatencies } from './http/steady.ts';

const SLICE_MS = 400;
const REQUEST = encode({
  method: 'POST',
  target: '/orders',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(ORDER),
});

/** Seconds on the clock, not of processor time: users wait by it. */
const wallSeconds = async (): Promise<number> => performance.now() / 1000;

/**
 * A slice that gives the 99th percentile, in milliseconds, at half of what the server answers at most. The most is found
 * out just before each time: it changes with what else the machine does.
 */
function ninetyNinth(server: Forked): Slice {
  const most = load({ ...server, cpuSeconds: wallSeconds }, () => REQUEST);
  return async () => {
    const latencies = await steadyLatencies(server.port, { request: REQUEST, rate: (await most()) / 2, ms: SLICE_MS });
    const sorted = latencies.sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  };
}

const milliseconds = (values: readonly number[]): string => `${median(values).toFixed(2)} ms`;

/** Steady load, half of what each can answer at most. */
export async function latencyTail(): Promise<Line[]> {
  const [ours, hand] = await Promise.all([
    serve({ name: 'ours', size: USUAL_SIZE }),
    serve({ name: 'hand-written', size: USUAL_SIZE }),
  ]);
  const p99 = await interleave({ ours: ninetyNinth(ours), hand: ninetyNinth(hand) }, { warmUp: 5 });
  ours.close();
  hand.close();
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
