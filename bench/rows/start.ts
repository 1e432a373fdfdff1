import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleave, type Line, median, ratioOf } from '../support/harness.ts';
import { fork } from '../support/servers.ts';

/** A start in a fresh process; as a rate, so that it can be compared like everything else. */
const startOf = (module: string, given: string[]) => async (): Promise<number> => {
  const { milliseconds, close } = await fork(module, given);
  await close();
  return 1000 / milliseconds;
};

const duration = (rates: readonly number[]): string => `${(1000 / median(rates)).toFixed(0)} ms`;

/** From loaded modules to the first request that can be answered, all services on, first start in an empty folder. */
export async function start(): Promise<Line[]> {
  const document = join(mkdtempSync(join(tmpdir(), 'bench-')), 'api.json');
  await startOf('support/start-product', [document])();
  const { ours, library } = await interleave(
    { ours: startOf('support/start-product', []), library: startOf('baselines/start-by-library', [document]) },
    { rounds: 7, warmUp: 0 },
  );
  return [
    {
      work: 'start to ready',
      ours: duration(ours),
      beside: `${duration(library)} koa + openapi-backend full init`,
      ratio: ratioOf(library, ours),
      goal: { atMost: 0.9 },
    },
  ];
}
