import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { EventDelivery } from '../../../domain/events/delivery.ts';
import type { EventReader } from '../../../domain/events/event-watch.ts';
import { EventWatches } from '../../../domain/events/event-watches.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import type { Store } from '../../../ports/store.ts';
import { silentLog } from '../../support/servers/silent-log.ts';
import { TOY_SESSIONS, toyHistory, toyLogs, toyStep } from '../../support/stores/toy-sessions.ts';

let time = 1_800_000_000_000;
const clock = { now: () => time };

/** An instance: what writes events, and its readers; `look` lets it look at the store, as its timer does. */
class Instance {
  readonly #ticks = new Set<() => void>();
  readonly watches: EventWatches;
  readonly #delivery: EventDelivery;
  /** What runs in the background. */
  work: Promise<void>[] = [];

  constructor(readonly store: Store) {
    const background = { once: (_name: string, run: () => Promise<void>) => void this.work.push(run()) };
    const timers = {
      every: (_ms: number, tick: () => void) => {
        this.#ticks.add(tick);
        return () => void this.#ticks.delete(tick);
      },
    };
    const common = { name: 'issuance' as const, store, background, logs: toyLogs(store) };
    this.watches = new EventWatches({ ...common, timers });
    const outbound = { check: () => {}, send: () => Promise.reject(new Error('nothing is sent')) };
    const ids = { uuid: () => randomUUID() };
    const stored = this.watches.note.bind(this.watches);
    this.#delivery = new EventDelivery({ ...common, outbound, clock, ids, log: silentLog, stored });
  }

  /** How many sessions are looked at. */
  get watched(): number {
    return this.#ticks.size;
  }

  /** Does a step with so many events. */
  write(id: string, count = 1): Promise<unknown> {
    const events = Array.from({ length: count }, () => ({ step: randomUUID(), isOnce: false, type: 't', body: '{}' }));
    const [store, delivery] = [this.store, this.#delivery];
    return toyStep({ store, delivery }, { id, expiresAt: clock.now() + 1000 }, events);
  }

  open(id: string, after: number): Promise<EventReader> {
    return this.watches.open(toyHistory(id), after);
  }

  /** Stores an event for a callback, in a log that is no history. */
  async append(session: string): Promise<void> {
    const event = { step: randomUUID(), isOnce: true, type: 't', body: '{}' };
    await this.#delivery.append({ ...event, session, expiresAt: clock.now() + 1000 });
  }

  async look(): Promise<void> {
    for (const tick of this.#ticks) tick();
    await Promise.all(this.work.splice(0));
  }
}

/** Collects what a reader gives, until it ends. */
function collect(reader: EventReader): number[] & { isEnded?: boolean } {
  const seen: number[] & { isEnded?: boolean } = [];
  void (async () => {
    for await (const { sequence } of reader) seen.push(sequence);
    seen.isEnded = true;
  })();
  return seen;
}

const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 5; turns += 1) await setImmediate();
};
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const codeOf = (error: unknown): string => (isDomainError(error) ? error.code : String(error));

describe('readers of a history', () => {
  it('a reader that is cut off at any time and goes on at any instance sees every event once, in order', async () => {
    const step = fc.record({ move: fc.constantFrom('write', 'write', 'look', 'move', 'cut'), at: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = new MemoryStore(clock);
        const instances: [Instance, Instance] = [new Instance(store), new Instance(store)];
        await instances[0].write('a');
        let written = 1;
        const seen: number[] = [];
        let reader = await instances[0].open('a', 0);
        let part = collect(reader);
        for (const { move, at } of steps) {
          const instance = instances[at ? 0 : 1];
          if (move === 'write') {
            await instance.write('a');
            written += 1;
          } else if (move === 'look') await instance.look();
          else {
            if (move === 'move') await settled();
            await reader.return();
            await settled();
            seen.push(...part);
            reader = await instance.open('a', seen.at(-1) ?? 0);
            part = collect(reader);
          }
        }
        for (const instance of instances) await instance.look();
        await settled();
        expect([...seen, ...part]).to.deep.equal(upTo(written));
        await reader.return();
        expect(instances.map(({ watched }) => watched)).to.deep.equal([0, 0]);
      }),
      { numRuns: 150 },
    );
  });

  it('an event of this process is seen at once; of another one with the next look, one for all readers of the session', async () => {
    const store = new MemoryStore(clock);
    const [own, other] = [new Instance(store), new Instance(store)];
    await own.write('a');
    const readers = [await own.open('a', 0), await own.open('a', 0)];
    const seen = readers.map(collect);
    await own.write('a');
    await settled();
    expect(seen).to.deep.equal([upTo(2), upTo(2)]);
    await other.write('a');
    await settled();
    expect(seen).to.deep.equal([upTo(2), upTo(2)]);
    expect(own.watched).to.equal(1);
    await own.look();
    await settled();
    expect(seen).to.deep.equal([upTo(3), upTo(3)]);
  });

  it('a reader ends with the log, and by return while it waits; nothing is watched afterwards', async () => {
    const store = new MemoryStore(clock);
    const instance = new Instance(store);
    for (const session of ['a', 'b']) await instance.write(session);
    const [left, expired] = [await instance.open('a', 1), await instance.open('b', 0)];
    const seen = [left, expired].map(collect);
    await settled();
    await left.return();
    await store.collection(TOY_SESSIONS).remove({ parent: 'toys', id: 'b' });
    await instance.look();
    await settled();
    expect(seen.map((part) => [[...part], part.isEnded])).to.deep.equal([
      [[], true],
      [[1], true],
    ]);
    expect(instance.watched).to.equal(0);
  });

  it('a session without an event is followed until its end', async () => {
    const store = new MemoryStore(clock);
    const [own, other] = [new Instance(store), new Instance(store)];
    const open = async (session: string) => collect(await own.open(session, 0));
    expect(await own.open('a', 0).catch(codeOf)).to.equal('NotFound');
    for (const session of ['a', 'b']) await other.write(session, 0);
    expect(await own.open('a', 1).catch(codeOf)).to.equal('BadRequest');
    const seen = [await open('a'), await open('b')];
    await own.look();
    await other.write('a');
    await own.look();
    await settled();
    expect(seen.map((part) => [[...part], part.isEnded])).to.deep.equal([
      [[1], undefined],
      [[], undefined],
    ]);
    time += 1000;
    await own.look();
    await settled();
    expect(seen.map(({ isEnded }) => isEnded)).to.deep.equal([true, true]);
    expect(own.watched).to.equal(0);
  });

  it('a reader that takes nothing has no events waiting for it: it reads on from the shared log', async () => {
    const instance = new Instance(new MemoryStore(clock));
    await instance.write('a');
    const reader = await instance.open('a', 0);
    for (let n = 2; n <= 150; n += 1) await instance.write('a');
    const first = await reader.next();
    // The log has kept the last hundred.
    expect(first.value?.sequence).to.equal(51);
    await reader.return();
    expect(await reader.next()).to.deep.equal({ done: true, value: undefined });
  });

  it('only histories are shown, and no event that does not exist is gone on from', async () => {
    const instance = new Instance(new MemoryStore(clock));
    await instance.append('draft');
    await instance.write('a');
    const open = (session: string, after: number) => instance.open(session, after).catch(codeOf);
    expect(await instance.watches.open('draft', 0).catch(codeOf)).to.equal('NotFound');
    expect(await open('none', 0)).to.equal('NotFound');
    expect(await open('a', 2)).to.equal('BadRequest');
    expect(await open('a', 1)).to.be.an('object');
  });

  it('the readers of a session are bounded, and make room when they leave', async () => {
    const instance = new Instance(new MemoryStore(clock));
    const readers: EventReader[] = [];
    const open = async (session: string): Promise<unknown> =>
      instance.open(session, 0).then((reader) => void readers.push(reader), codeOf);
    for (const session of ['s0', 's1']) await instance.write(session);
    for (let n = 0; n < 8; n += 1) expect(await open('s0')).to.equal(undefined);
    expect(await open('s0')).to.equal('TooManyRequests');
    expect(await open('s1')).to.equal(undefined);
    await readers.shift()?.return();
    expect(await open('s0')).to.equal(undefined);
    for (const reader of readers) await reader.return();
    expect(instance.watched).to.equal(0);
  });
});
