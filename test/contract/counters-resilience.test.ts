import { expect } from 'chai';
import { CircuitBreaker } from '../../adapters/decorators/resilience/circuit-breaker.ts';
import { ResilientCounters } from '../../adapters/decorators/resilience/resilient-counters.ts';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { RedisCounters } from '../../adapters/redis/counters.ts';
import { RedisConnection } from '../../adapters/redis/redis-connection.ts';
import type { Admission, CounterKey, Counters, LimitRule } from '../../ports/counters.ts';
import type { Log } from '../../ports/log.ts';
import { handStopwatch } from '../support/stores/counters.ts';
import { type RedisNode, startNode } from '../support/stores/redis.ts';

const RULE: LimitRule = {
  requestsPerMinute: 5,
  backoff: { windowSeconds: 60, threshold: 2, blockSeconds: 300 },
};
const keyOf = (source: string): CounterKey => ({ section: 'wallet_auth_endpoint', target: '', source });
const ADMITTED: Admission = { outcome: 'admitted', remaining: 4, waitMs: 0, resetMs: 60_000 };

function collect(lines: string[]): Log {
  const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

describe('Circuit', () => {
  const fail = () => Promise.reject(new Error('no'));
  const succeed = () => Promise.resolve('yes');
  function circuit() {
    const monotonicClock = handStopwatch();
    const changes: boolean[] = [];
    const changed = (isOpen: boolean) => void changes.push(isOpen);
    return { monotonicClock, changes, tested: new CircuitBreaker({ monotonicClock, timeoutMs: 30, changed }) };
  }

  it('returns the outcome, and undefined when there is none in time', async () => {
    const { tested } = circuit();
    expect(await tested.call(succeed)).to.deep.equal({ value: 'yes' });
    expect(await tested.call(fail)).to.equal(undefined);
    const started = performance.now();
    expect(await tested.call(() => new Promise(() => {}))).to.equal(undefined);
    expect(performance.now() - started).to.be.within(25, 1000);
  });

  it('opens after three successive failures, tries every five seconds, and logs each change once', async () => {
    const { tested, monotonicClock, changes } = circuit();
    for (const call of [fail, fail, succeed, fail, fail]) await tested.call(call);
    expect(changes).to.deep.equal([]);
    await tested.call(fail);
    expect(changes).to.deep.equal([true]);
    let calls = 0;
    const counted = (call: () => Promise<unknown>) => () => {
      calls += 1;
      return call();
    };
    expect(await tested.call(counted(succeed))).to.equal(undefined);
    monotonicClock.advance(5000);
    await Promise.all([1, 2, 3].map(() => tested.call(counted(fail))));
    expect(calls).to.equal(1);
    expect(await tested.call(counted(succeed))).to.equal(undefined);
    monotonicClock.advance(5000);
    expect(await tested.call(counted(succeed))).to.deep.equal({ value: 'yes' });
    expect(changes).to.deep.equal([true, false]);
  });
});

describe('ResilientCounters', () => {
  /** A store with an answer that the test sets. */
  function scripted() {
    const monotonicClock = handStopwatch();
    const lines: string[] = [];
    const answer: { now: () => Promise<Admission> } = { now: async () => ADMITTED };
    const shared: Counters = { admit: () => answer.now(), fail: async () => void (await answer.now()) };
    const local = new MemoryCounters(monotonicClock);
    const down = () => Promise.reject(new Error('down'));
    const counters = new ResilientCounters({ shared, local, monotonicClock, log: collect(lines) });
    return { monotonicClock, lines, answer, down, counters, admit: () => counters.admit(keyOf('1'), RULE) };
  }

  it('grants no source a new allowance when the store is lost', async () => {
    const { admit, answer, down, monotonicClock } = scripted();
    for (const _ of [1, 2, 3]) await admit();
    answer.now = down;
    expect([(await admit()).outcome, (await admit()).outcome]).to.deep.equal(['admitted', 'admitted']);
    expect(await admit()).to.include({ outcome: 'refused', waitMs: 60_000 });
    monotonicClock.advance(60_000);
    expect((await admit()).outcome).to.equal('admitted');
  });

  it('grants no source a new allowance when the store is back', async () => {
    const { admit, answer, down, monotonicClock } = scripted();
    answer.now = down;
    for (const _ of [1, 2, 3, 4, 5]) expect((await admit()).outcome).to.equal('admitted');
    answer.now = async () => ADMITTED;
    monotonicClock.advance(10_000);
    expect((await admit()).outcome).to.equal('refused');
    monotonicClock.advance(50_000);
    expect((await admit()).outcome).to.equal('admitted');
  });

  it('uses the decision of the store while it answers, regardless of the counts of this process', async () => {
    const { admit } = scripted();
    for (let n = 0; n < 20; n += 1) expect((await admit()).outcome).to.equal('admitted');
  });

  it('does not count a refusal of the store in this process', async () => {
    const { admit, answer, down } = scripted();
    answer.now = async () => ({ outcome: 'refused', remaining: 0, waitMs: 30_000, resetMs: 30_000 });
    for (let n = 0; n < 20; n += 1) await admit();
    answer.now = down;
    for (const _ of [1, 2, 3, 4, 5]) expect((await admit()).outcome).to.equal('admitted');
  });

  it('applies blocks that began elsewhere until they end', async () => {
    const { admit, answer, down, monotonicClock } = scripted();
    answer.now = async () => ({ outcome: 'blocked', remaining: 0, waitMs: 120_500, resetMs: 120_500 });
    await admit();
    answer.now = down;
    expect(await admit()).to.include({ outcome: 'blocked', waitMs: 120_500 });
    monotonicClock.advance(120_500);
    expect((await admit()).outcome).to.equal('admitted');
  });

  it('blocks on its own while the store is unreachable', async () => {
    const { admit, counters, answer, down } = scripted();
    answer.now = down;
    for (const _ of [1, 2]) await counters.fail(keyOf('1'), RULE);
    expect((await admit()).outcome).to.equal('blocked');
    expect((await counters.admit(keyOf('2'), RULE)).outcome).to.equal('admitted');
  });
});

describe('limits on a Redis that fails', () => {
  let node: RedisNode;
  let link: RedisConnection;
  let lines: string[];
  let monotonicClock: ReturnType<typeof handStopwatch>;
  let counters: Counters;
  const silent = collect([]);

  beforeEach(async () => {
    node = await startNode();
    link = new RedisConnection({ cluster: false, nodes: [node], user: '', password: '', tls: false }, silent);
    lines = [];
    monotonicClock = handStopwatch();
    const shared = new RedisCounters(link);
    counters = new ResilientCounters({
      shared,
      local: new MemoryCounters(monotonicClock),
      monotonicClock,
      log: collect(lines),
    });
  });
  afterEach(async () => {
    link.close();
    node.resume();
    await node.stop();
  });

  async function outcomes(source: string, count: number): Promise<string[]> {
    const all: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const started = performance.now();
      all.push((await counters.admit(keyOf(source), RULE)).outcome);
      expect(performance.now() - started).to.be.below(5000);
    }
    return all;
  }

  const five = ['admitted', 'admitted', 'admitted', 'admitted', 'admitted'];

  /** Waits for the connection, then for the next attempt of the circuit. */
  async function back(): Promise<void> {
    while (
      !(await link.ping().then(
        () => true,
        () => false,
      ))
    )
      await new Promise((resolve) => setTimeout(resolve, 20));
    monotonicClock.advance(5000);
    await counters.admit(keyOf('probe'), RULE);
  }

  const WENT = 'warn rate limits are counted in this process: their store does not answer';
  const CAME = 'info rate limits are counted in their store again';

  it('continue while it is suspended, and return to it', async () => {
    expect(await outcomes('1', 3)).to.deep.equal(five.slice(0, 3));
    node.pause();
    expect(await outcomes('1', 3)).to.deep.equal(['admitted', 'admitted', 'refused']);
    expect(await outcomes('2', 6)).to.deep.equal([...five, 'refused']);
    node.resume();
    await back();
    expect(await outcomes('3', 6)).to.deep.equal([...five, 'refused']);
    expect(lines).to.deep.equal([WENT, CAME]);
  });

  it('continue while it is down, and use it again when it is back without data', async () => {
    expect(await outcomes('1', 3)).to.deep.equal(five.slice(0, 3));
    await node.kill();
    expect(await outcomes('1', 4)).to.deep.equal(['admitted', 'admitted', 'refused', 'refused']);
    expect(await outcomes('2', 6)).to.deep.equal([...five, 'refused']);
    await node.start();
    await back();
    expect((await outcomes('1', 1))[0]).to.equal('refused');
    monotonicClock.advance(60_000);
    expect(await outcomes('1', 6)).to.deep.equal([...five, 'refused']);
    expect(lines).to.deep.equal([WENT, CAME]);
    expect(await node.command('DBSIZE')).to.be.greaterThan(0);
  });

  it('use it at once after it was only emptied', async () => {
    expect(await outcomes('1', 6)).to.deep.equal([...five, 'refused']);
    await node.command('FLUSHALL');
    await node.command('SCRIPT', 'FLUSH');
    expect(await outcomes('1', 6)).to.deep.equal([...five, 'refused']);
    expect(lines).to.deep.equal([]);
  });

  it('send it one request per decision', async () => {
    await counters.admit(keyOf('1'), RULE);
    await counters.fail(keyOf('first'), RULE);
    await node.command('CONFIG', 'RESETSTAT');
    const many = Array.from({ length: 40 }, (_, n) => counters.admit(keyOf(String(n % 10)), RULE));
    await Promise.all(many);
    for (const _ of [1, 2]) await counters.fail(keyOf('1'), RULE);
    const stats = String(await node.command('INFO', 'commandstats'));
    const calls = (command: string) => Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
    expect([calls('evalsha'), calls('eval')]).to.deep.equal([42, 0]);
  });

  it('continue while it refuses writes', async () => {
    await node.command('CONFIG', 'SET', 'maxmemory', '1');
    expect(await outcomes('1', 6)).to.deep.equal([...five, 'refused']);
    expect(lines).to.deep.equal([WENT]);
  });
});
