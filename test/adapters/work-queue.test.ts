import { expect } from 'chai';
import fc from 'fast-check';
import { WorkQueue } from '../../adapters/crypto/work-queue.ts';
import { DomainError, isDomainError } from '../../domain/foundation/errors.ts';

/** Work that runs until the test finishes it, with the sources in the order of their starts. */
class Bench {
  readonly started: string[] = [];
  readonly refused: string[] = [];
  readonly #queue: WorkQueue;
  readonly #running: (() => void)[] = [];
  mostRunning = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#queue = new WorkQueue({ maxRunning, maxWaiting });
  }

  async ask(source: string): Promise<void> {
    const work = (): Promise<void> => {
      this.started.push(source);
      return new Promise((done) => {
        this.#running.push(done);
        this.mostRunning = Math.max(this.mostRunning, this.#running.length);
      });
    };
    this.#queue.run({ source }, work).catch((error: unknown) => {
      if (!isDomainError(error, 'Overloaded')) throw error;
      this.refused.push(source);
    });
    await settled();
  }

  /** Finishes the work that started first. @returns whether there was any */
  async finish(): Promise<boolean> {
    const done = this.#running.shift();
    done?.();
    await settled();
    return done !== undefined;
  }

  async finishAll(): Promise<void> {
    while (await this.finish());
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sources = fc.constantFrom('a', 'b', 'c', 'd');
const counted = (all: readonly string[], source: string): number => all.filter((one) => one === source).length;

describe('WorkQueue', () => {
  it('property: at most maxRunning run and maxWaiting wait; all others are refused, and none is lost', () =>
    fc.assert(
      fc.asyncProperty(fc.array(sources, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (asked, running) => {
        const bench = new Bench(running, 5);
        for (const source of asked) await bench.ask(source);
        expect(bench.started).to.have.length(Math.min(asked.length, running));
        expect(bench.refused).to.have.length(Math.max(0, asked.length - running - 5));
        await bench.finishAll();
        expect(bench.started.length + bench.refused.length).to.equal(asked.length);
        expect(bench.mostRunning).to.be.at.most(running);
      }),
      { numRuns: 40 },
    ));

  it('property: between two turns of a source each other source that waits has one', () =>
    fc.assert(
      fc.asyncProperty(fc.array(sources, { minLength: 2, maxLength: 30 }), async (asked) => {
        const bench = new Bench(1, 100);
        await bench.ask('first');
        for (const source of asked) await bench.ask(source);
        await bench.finishAll();
        const turns = bench.started.slice(1);
        for (const [at, source] of turns.entries()) {
          const next = turns.indexOf(source, at + 1);
          if (next < 0) continue;
          const between = turns.slice(at + 1, next);
          const waiting = new Set(turns.slice(next).filter((one) => one !== source));
          for (const other of waiting) expect(between, `${turns.join('')} at ${at}`).to.include(other);
        }
      }),
      { numRuns: 60 },
    ));

  it('property: of a full queue no source is refused while another has two more waiting', () =>
    fc.assert(
      fc.asyncProperty(fc.array(sources, { maxLength: 40 }), async (asked) => {
        const bench = new Bench(1, 6);
        await bench.ask('first');
        for (const source of asked) await bench.ask(source);
        const waiting = new Map(
          ['a', 'b', 'c', 'd'].map((one) => [one, counted(asked, one) - counted(bench.refused, one)]),
        );
        const most = Math.max(...waiting.values());
        for (const [source, count] of waiting)
          if (bench.refused.includes(source)) expect(count, asked.join('')).to.be.at.least(most - 1);
        await bench.finishAll();
      }),
      { numRuns: 60 },
    ));

  it('continues after failed work', async () => {
    const queue = new WorkQueue({ maxRunning: 1, maxWaiting: 1 });
    const failing = queue.run({ source: 'a' }, () => Promise.reject(new Error('no')));
    const next = queue.run({ source: 'a' }, async () => 'done');
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(await next).to.equal('done');
    expect(await queue.run({ source: 'a' }, async () => 'again')).to.equal('again');
  });

  it('drops what waits when its client leaves, in favour of others, and begins nothing for a client that has left', async () => {
    const queue = new WorkQueue({ maxRunning: 1, maxWaiting: 1 });
    let finish = (): void => {};
    const running = queue.run({ source: 'a' }, () => new Promise<void>((done) => (finish = done)));
    const client = new AbortController();
    const begun: string[] = [];
    const wanted = (source: string, left?: AbortSignal) =>
      queue.run({ source, left }, async () => void begun.push(source)).catch((error: Error) => error.message);
    const first = wanted('b', client.signal);
    client.abort();
    expect(await first).to.equal('The request broke off');
    const second = wanted('c');
    expect(await wanted('d', client.signal)).to.equal('The request broke off');
    finish();
    await Promise.all([running, second]);
    expect(begun).to.deep.equal(['c']);
  });

  it('returns when to retry', async () => {
    const queue = new WorkQueue({ maxRunning: 1, maxWaiting: 0 });
    let finish = (): void => {};
    const running = queue.run({ source: 'a' }, () => new Promise<void>((done) => (finish = done)));
    const error = await queue.run({ source: 'b' }, async () => undefined).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(DomainError).and.include({ code: 'Overloaded', retryAfterSeconds: 5 });
    finish();
    await running;
  });
});
