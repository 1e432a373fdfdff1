import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { SlidingWindowLogs } from '../../adapters/memory/sliding-window-logs.ts';
import type { CounterKey, LimitRule } from '../../ports/counters.ts';
import { handStopwatch } from '../support/stores/counters.ts';

const keyOf = (source: string, section = 'wallet_auth_endpoint'): CounterKey => ({ section, target: '', source });
const address = (n: number): string => `${(n >> 16) + 11}.${(n >> 8) & 255}.${n & 255}.10`;

describe('TimeRings', () => {
  it('property: returns the same times as a list after any claims, additions and releases', () => {
    const pauses = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 0, max: 20_000 })), { maxLength: 200 });
    fc.assert(
      fc.property(
        pauses,
        fc.constantFrom(7, 2 ** 32 - 90_000, 2 ** 40),
        fc.constantFrom(1, 3, 32),
        (trace, start, size) => {
          const rings = new SlidingWindowLogs(size);
          const lists: { ring: number; times: number[] }[] = [0, 1, 2].map(() => ({ ring: rings.claim(), times: [] }));
          let now = start;
          for (const [at, pause] of trace) {
            now += pause;
            const list = lists[at];
            if (!list) continue;
            list.times = list.times.filter((time) => time > now - 60_000);
            expect(rings.live(list.ring, now)).to.equal(list.times.length);
            expect(list.times.map((_, index) => rings.at(list.ring, index))).to.deep.equal(list.times);
            if (list.times.length > 20) {
              rings.release(list.ring);
              Object.assign(list, { ring: rings.claim(), times: [] });
            }
            rings.live(list.ring, now);
            rings.push(list.ring, now);
            list.times.push(now);
          }
        },
      ),
    );
  });
});

describe('MemoryCounters', () => {
  it('applies a limit of thousands per minute', async () => {
    const monotonicClock = handStopwatch();
    const counters = new MemoryCounters(monotonicClock);
    const rule = { requestsPerMinute: 5000 };
    for (let n = 0; n < 5000; n += 1) {
      expect((await counters.admit(keyOf('1'), rule)).remaining).to.equal(4999 - n);
      monotonicClock.advance(10);
    }
    expect(await counters.admit(keyOf('1'), rule)).to.include({ outcome: 'refused', waitMs: 10_000 });
    monotonicClock.advance(10_000);
    expect((await counters.admit(keyOf('1'), rule)).outcome).to.equal('admitted');
    expect((await counters.admit(keyOf('1'), rule)).outcome).to.equal('refused');
  });

  it('removes a key that is unused for any time', async () => {
    const monotonicClock = handStopwatch();
    const counters = new MemoryCounters(monotonicClock);
    const rule = { requestsPerMinute: 1 };
    for (const pause of [60_000, 65_536, 2 ** 32, 2 ** 32 + 65_536 * 3, 86_400_000 * 400]) {
      expect((await counters.admit(keyOf('1'), rule)).outcome, String(pause)).to.equal('admitted');
      expect((await counters.admit(keyOf('1'), rule)).outcome).to.equal('refused');
      monotonicClock.advance(pause);
    }
  });

  describe('when it is full of keys', () => {
    const rule: LimitRule = {
      requestsPerMinute: 2,
      backoff: { windowSeconds: 60, threshold: 2, blockSeconds: 300 },
    };
    async function full() {
      const monotonicClock = handStopwatch();
      const counters = new MemoryCounters(monotonicClock, 100);
      for (let n = 0; n < 100; n += 1) {
        await counters.admit(keyOf(address(n)), rule);
        await counters.admit(keyOf(address(n)), rule);
      }
      return { monotonicClock, counters };
    }

    it('continues to count known ones, and limits all new ones together', async () => {
      const { counters } = await full();
      const outcomes: string[] = [];
      for (let n = 0; n < 500; n += 1) outcomes.push((await counters.admit(keyOf(address(n)), rule)).outcome);
      expect(outcomes.filter((outcome) => outcome === 'admitted')).to.have.length(2);
      expect(outcomes.slice(0, 100)).to.not.include('admitted');
      expect((await counters.admit(keyOf('new', 'other_endpoint'), rule)).outcome).to.equal('admitted');
    });

    it('accepts others again when requests are older than a minute', async () => {
      const { counters, monotonicClock } = await full();
      monotonicClock.advance(60_000);
      for (let n = 500; n < 600; n += 1)
        expect((await counters.admit(keyOf(address(n)), rule)).outcome).to.equal('admitted');
    });

    it('keeps every block', async () => {
      const { counters, monotonicClock } = await full();
      for (const _ of [1, 2]) await counters.fail(keyOf(address(7)), rule);
      for (let n = 0; n < 4; n += 1) {
        monotonicClock.advance(60_000);
        for (let more = 0; more < 300; more += 1) await counters.admit(keyOf(address(1000 * (n + 1) + more)), rule);
        expect((await counters.admit(keyOf(address(7)), rule)).outcome).to.equal('blocked');
      }
    });
  });

  it('stores no long names: 20,000 targets of 2,000 characters need at most 12 MB', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const counters = new MemoryCounters(handStopwatch());
    const targetOf = (n: number): string => `${n}-${'x'.repeat(2000)}`;
    const rule = { requestsPerMinute: 1 };
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 20_000; n += 1) {
      const key = { section: 'verifier2', target: targetOf(n), source: '192.0.2.1' };
      expect((await counters.admit(key, rule)).outcome).to.equal('admitted');
    }
    collect();
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).to.be.at.most(12);
    const again = { section: 'verifier2', target: targetOf(7), source: '192.0.2.1' };
    expect((await counters.admit(again, rule)).outcome).to.equal('refused');
  });

  it('needs at most 15 MB for 100,000 sources at their limit', async () => {
    const { gc } = globalThis as { gc?: () => void };
    const used = async () => {
      for (const _ of [1, 2, 3]) {
        gc?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = await used();
    const counters = new MemoryCounters(handStopwatch());
    const rule = { requestsPerMinute: 10 };
    for (let times = 0; times < 10; times += 1)
      for (let n = 0; n < 100_000; n += 1) await counters.admit(keyOf(address(n)), rule);
    expect((await counters.admit(keyOf(address(0)), rule)).outcome).to.equal('refused');
    const megabytes = ((await used()) - before) / 2 ** 20;
    console.log(`      ${megabytes.toFixed(1)} MB`);
    if (gc) expect(megabytes).to.be.at.most(15);
  });
});
