import { expect } from 'chai';
import fc from 'fast-check';
import { wholeSeconds } from '../../domain/limits/rate-limit.ts';
import type { Admission, BackoffRule, CounterKey, Counters, LimitRule } from '../../ports/counters.ts';

/** Counters with a clock that the test moves. */
export interface CountersUnderTest {
  counters: Counters;
  /** Milliseconds; a multiple of `granularityMs`. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The differences between kinds of counters. */
export interface ContractOptions {
  /** The steps in which the clock can be moved exactly, in milliseconds. */
  granularityMs: number;
  numRuns: number;
}

type Step = { advance: number } | { admit: number } | { fail: number };

/** A model of the rules that records every event and counts anew each time. */
class Model {
  #now = 0;
  readonly #keys = new Map<number, { admitted: number[]; failures: number[]; blocks: number[] }>();
  readonly #rule: LimitRule;

  constructor(rule: LimitRule) {
    this.#rule = rule;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  admit(key: number): { outcome: string; seconds: number; remaining: number } {
    const { admitted } = this.#of(key);
    const counted = admitted.filter((time) => time > this.#now - 60_000);
    const limit = this.#rule.requestsPerMinute;
    const room = counted.length < limit ? 0 : (counted[counted.length - limit] ?? 0) + 60_000 - this.#now;
    const block = Math.max(0, this.#blockEnd(key) - this.#now);
    const seconds = Math.ceil(Math.max(room, block) / 1000);
    if (block > 0) return { outcome: 'blocked', seconds, remaining: 0 };
    if (room > 0) return { outcome: 'refused', seconds, remaining: 0 };
    admitted.push(this.#now);
    return { outcome: 'admitted', seconds, remaining: limit - counted.length - 1 };
  }

  fail(key: number): void {
    const { backoff } = this.#rule;
    const state = this.#of(key);
    if (!backoff || this.#blockEnd(key) > this.#now) return;
    state.failures = [...state.failures.filter((time) => time > this.#now - backoff.windowSeconds * 1000), this.#now];
    if (state.failures.length < backoff.threshold) return;
    state.blocks.push(this.#now);
    state.failures = [];
  }

  #blockEnd = (key: number): number =>
    (this.#of(key).blocks.at(-1) ?? -1e9) + (this.#rule.backoff?.blockSeconds ?? 0) * 1000;

  #of(key: number) {
    const known = this.#keys.get(key) ?? { admitted: [], failures: [], blocks: [] };
    this.#keys.set(key, known);
    return known;
  }
}

const BACKOFF: BackoffRule = { windowSeconds: 40, threshold: 3, blockSeconds: 90 };
let fresh = 0;

/** New keys. Some differ in one part only, or would be equal if their parts were concatenated. */
function freshKeys(): CounterKey[] {
  fresh += 1;
  const target = `org.t${fresh}`;
  return [
    { section: 'a_endpoint', target, source: '192.0.2.1' },
    { section: 'a_endpoint', target, source: '192.0.2.11' },
    { section: 'b_endpoint', target, source: '192.0.2.1' },
    { section: 'a_endpoint', target: `${target}1`, source: '92.0.2.1' },
    { section: 'a_endpoint', target: '', source: `${target}192.0.2.1` },
  ];
}

const told = ({ outcome, waitMs, remaining }: Admission) => ({
  outcome,
  seconds: waitMs === 0 ? 0 : wholeSeconds(waitMs),
  remaining,
});

/** The contract of every kind of counters. */
export function countersContract(
  name: string,
  open: () => Promise<CountersUnderTest>,
  { granularityMs, numRuns }: ContractOptions,
): void {
  describe(`counters: ${name}`, () => {
    let tested: CountersUnderTest;
    before(async () => {
      tested = await open();
    });
    after(() => tested.close());

    const steps = fc.array(
      fc.oneof(
        {
          weight: 2,
          arbitrary: fc.integer({ min: 0, max: 30_000 / granularityMs }).map((n) => ({ advance: n * granularityMs })),
        },
        { weight: 4, arbitrary: fc.nat(4).map((admit) => ({ admit })) },
        { weight: 2, arbitrary: fc.nat(4).map((fail) => ({ fail })) },
      ),
      { maxLength: 60 },
    );
    const rules = fc.record({
      requestsPerMinute: fc.integer({ min: 1, max: 6 }),
      backoff: fc.option(fc.constant(BACKOFF), { nil: undefined }),
    });

    async function follow(rule: LimitRule, trace: Step[]): Promise<void> {
      const model = new Model(rule);
      const keys = freshKeys();
      for (const step of trace) {
        if ('advance' in step) {
          model.advance(step.advance);
          await tested.advance(step.advance);
        } else if ('fail' in step) {
          model.fail(step.fail);
          await tested.counters.fail(keys[step.fail] ?? FIRST, rule);
        } else {
          const decided = told(await tested.counters.admit(keys[step.admit] ?? FIRST, rule));
          expect(decided).to.deep.equal(model.admit(step.admit));
        }
      }
    }

    it('property: decides like a model: at most N in any 60 s, no refusal when fewer were admitted, blocks as configured, keys apart', async () => {
      await fc.assert(fc.asyncProperty(rules, steps, follow), { numRuns });
    });

    it('counts a request for less than 60 seconds', async () => {
      const [key = FIRST] = freshKeys();
      const admit = () => tested.counters.admit(key, { requestsPerMinute: 2 });
      await admit();
      await tested.advance(10_000);
      await admit();
      await tested.advance(50_000 - granularityMs);
      expect((await admit()).outcome).to.equal('refused');
      await tested.advance(granularityMs);
      expect(await admit()).to.include({ outcome: 'admitted', remaining: 0 });
      expect((await admit()).outcome).to.equal('refused');
    });

    const rule: LimitRule = { requestsPerMinute: 3 };
    const spread = fc.array(fc.integer({ min: 0, max: 20_000 / granularityMs }), { minLength: 2, maxLength: 2 });

    it('property: waiting Retry-After suffices, and one second less does not', async () => {
      await fc.assert(
        fc.asyncProperty(spread, fc.boolean(), async (pauses, patient) => {
          const [key = FIRST] = freshKeys();
          const admit = () => tested.counters.admit(key, rule);
          for (const pause of [0, ...pauses]) {
            await tested.advance(pause * granularityMs);
            expect(await admit()).to.include({ outcome: 'admitted' });
          }
          const refused = await admit();
          expect(refused.outcome).to.equal('refused');
          const seconds = wholeSeconds(refused.waitMs);
          await tested.advance((patient ? seconds : seconds - 1) * 1000);
          expect((await admit()).outcome).to.equal(patient ? 'admitted' : 'refused');
        }),
        { numRuns },
      );
    });

    describe('backoff', () => {
      const blocking: LimitRule = { requestsPerMinute: 100, backoff: BACKOFF };
      let key: CounterKey;
      const admit = () => tested.counters.admit(key, blocking);
      const fail = async (times: number) => {
        for (let time = 0; time < times; time += 1) await tested.counters.fail(key, blocking);
      };
      beforeEach(() => {
        key = freshKeys()[0] ?? FIRST;
      });

      it('starts with the failure that reaches the threshold, and lasts exactly as configured', async () => {
        await fail(2);
        expect((await admit()).outcome).to.equal('admitted');
        await fail(1);
        expect(told(await admit())).to.deep.include({ outcome: 'blocked', seconds: 90 });
        await tested.advance(90_000 - 1000);
        expect(told(await admit())).to.deep.include({ outcome: 'blocked', seconds: 1 });
        await tested.advance(1000);
        expect((await admit()).outcome).to.equal('admitted');
      });

      it('is not prolonged by requests during the block, and starts anew after it', async () => {
        await fail(3);
        for (let second = 0; second < 90; second += 10) {
          expect(told(await admit())).to.deep.include({ outcome: 'blocked', seconds: 90 - second });
          await fail(1);
          await tested.advance(10_000);
        }
        expect(await admit()).to.include({ outcome: 'admitted', remaining: 99 });
        await fail(2);
        expect((await admit()).outcome).to.equal('admitted');
        await fail(1);
        expect((await admit()).outcome).to.equal('blocked');
      });

      it('is not reset by successes', async () => {
        for (const _ of [1, 2, 3]) {
          expect((await admit()).outcome).to.equal('admitted');
          await fail(1);
          await tested.advance(5000);
        }
        expect((await admit()).outcome).to.equal('blocked');
      });

      it('counts only failures within the window', async () => {
        await fail(2);
        await tested.advance(40_000);
        await fail(2);
        expect((await admit()).outcome).to.equal('admitted');
      });

      it('returns the wait for the limit when it exceeds the block', async () => {
        const both = { requestsPerMinute: 1, backoff: { ...BACKOFF, blockSeconds: 10 } };
        await tested.counters.admit(key, both);
        for (const _ of [1, 2, 3]) await tested.counters.fail(key, both);
        expect(told(await tested.counters.admit(key, both))).to.deep.include({ outcome: 'blocked', seconds: 60 });
        await tested.advance(20_000);
        expect(told(await tested.counters.admit(key, both))).to.deep.include({ outcome: 'refused', seconds: 40 });
      });

      it('does not exist without a rule for it', async () => {
        for (let time = 0; time < 20; time += 1) await tested.counters.fail(key, rule);
        expect((await tested.counters.admit(key, rule)).outcome).to.equal('admitted');
      });
    });

    it('admits exactly the allowed number of concurrent requests', async () => {
      const [key = FIRST] = freshKeys();
      const decided = await Promise.all(
        Array.from({ length: 50 }, () => tested.counters.admit(key, { requestsPerMinute: 7 })),
      );
      const admitted = decided.filter(({ outcome }) => outcome === 'admitted');
      expect(admitted.map(({ remaining }) => remaining).sort()).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    });

    it('applies a lowered limit', async () => {
      const [key = FIRST] = freshKeys();
      for (const _ of [1, 2, 3]) {
        await tested.counters.admit(key, rule);
        await tested.advance(10_000);
      }
      const lowered = { requestsPerMinute: 2 };
      expect(told(await tested.counters.admit(key, lowered))).to.deep.include({ outcome: 'refused', seconds: 40 });
      await tested.advance(40_000);
      expect((await tested.counters.admit(key, lowered)).outcome).to.equal('admitted');
    });
  });
}

const FIRST: CounterKey = { section: 'a_endpoint', target: '', source: '192.0.2.1' };
