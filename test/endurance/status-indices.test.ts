import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import type { TakerPlan } from '../support/processes/index-taker.ts';
import { testScript } from '../support/processes/script.ts';
import { inTier } from '../support/runs/tier.ts';
import { openStore } from '../support/stores/stores.ts';

const PROCESSES = inTier({ hard: 8, usual: 2 });
const INDICES = inTier({ hard: 1_000_000, usual: 4_000 });
const EACH = 100;

describe(`${INDICES} entries of status lists that ${PROCESSES} processes take at once`, () => {
  const takers: ChildProcess[] = [];
  before(() => {
    const { file, execArgv } = testScript('test/support/processes/index-taker.ts');
    for (let n = 0; n < PROCESSES; n += 1) takers.push(fork(file, { execArgv, serialization: 'advanced' }));
  });
  after(() => {
    for (const taker of takers) taker.kill('SIGKILL');
  });

  for (const name of ['SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'])
    it(`are all different, on ${name}`, async () => {
      const under = await openStore(name);
      await under.store.ping();
      const plan: TakerPlan = { shared: under.shared, calls: INDICES / PROCESSES / EACH, each: EACH };
      const taken = new Set<string>();
      await Promise.all(
        takers.map(async (taker) => {
          taker.send(plan);
          const [own] = (await once(taker, 'message')) as [string[]];
          for (const place of own) taken.add(place);
        }),
      );
      expect(taken.size).to.equal(INDICES);
      await under.close();
    });
});
