import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { EventDelivery, ROUND_MS } from '../../../domain/events/delivery.ts';
import type { NewEvent, ReportedEvent } from '../../../domain/events/event-log.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Outbound, OutboundRequest } from '../../../ports/outbound.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { silentLog } from '../../support/servers/silent-log.ts';
import { TOY_SESSIONS, toyHistory, toyLogs, toyStep } from '../../support/stores/toy-sessions.ts';

/** How long the second try of a delivery waits. */
const PAUSE_MS = 5000;

/** A store in memory that counts the calls for sessions and event logs, by method. */
class CountedLogs extends MemoryStore {
  calls: Record<string, number> = {};

  override collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const inner = super.collection(spec);
    if (spec.name !== TOY_SESSIONS.name && !spec.name.endsWith('-logs')) return inner;
    return new Proxy(inner, {
      get: (target, name: keyof Collection<T>) => {
        this.calls[name] = (this.calls[name] ?? 0) + 1;
        return (target[name] as (...args: unknown[]) => unknown).bind(target);
      },
    });
  }
}

describe('delivery of events', () => {
  let now: number;
  let store: CountedLogs;
  let sent: OutboundRequest[];
  /** Answers a call; a receiver with `gone` in its URL cannot be reached unless a test replaces this. */
  let answer: (request: OutboundRequest) => void | Promise<void>;
  let work: Promise<void>[];

  beforeEach(() => {
    now = 1_800_000_000_000;
    store = new CountedLogs({ now: () => now });
    sent = [];
    work = [];
    answer = ({ url }) => {
      if (url.includes('gone')) throw new DomainError('UpstreamFailed', 'gone');
    };
  });

  const outbound: Outbound = {
    check: () => {},
    send: async (request) => {
      await answer(request);
      sent.push(request);
      return { status: 204, headers: {}, body: new Uint8Array() };
    },
  };
  const deliveryOn = (on: Store, way = outbound): EventDelivery =>
    new EventDelivery({
      name: 'issuance',
      store: on,
      logs: toyLogs(on),
      outbound: way,
      clock: { now: () => now },
      ids: { uuid: () => randomUUID() },
      log: silentLog,
      background: { once: (_name, run) => void work.push(run()) },
    });
  const event = (session: string, type = 't', url = 'https://gone.example') => ({
    session,
    destination: { url },
    step: randomUUID(),
    isOnce: false,
    type,
    body: '{}',
    expiresAt: now + 3_600_000,
  });
  const record = (
    delivery: EventDelivery,
    { session: id, destination, expiresAt, ...report }: NewEvent,
    reports: readonly ReportedEvent[] = [report],
  ) => toyStep({ store, delivery }, { id, destination, expiresAt }, reports);
  const types = () => sent.map(({ headers }) => headers?.['x-event-sequence']);
  const beside = async (): Promise<void> => {
    while (work.length > 0) await work.shift();
  };

  it('600 sessions whose receivers cannot be reached hold back no other, and their logs are not read while they wait', async () => {
    const delivery = deliveryOn(store);
    for (let n = 0; n < 600; n += 1) await record(delivery, event(`failing-${n}`));
    await beside();
    const late = deliveryOn(store);
    const own = await late.append(event('late', 't', 'https://here.example'));
    expect(own?.id).to.be.a('string');
    now += 15_000;
    // Everything is due now; afterwards every failing event waits for its next attempt.
    for (let tick = 0; tick < 3; tick += 1) await late.resume();
    expect(sent.map(({ url }) => url)).to.deep.equal(['https://here.example']);
    store.calls = {};
    await late.resume();
    expect(store.calls).to.deep.equal({});
  });

  describe('in a round in which receivers do not answer in time', () => {
    const TIMEOUT_MS = 5000;
    /** When each call started, by its URL, and how many ran at once. */
    let started: { url: string; at: number }[];
    let [running, most] = [0, 0];

    /** Receivers with `gone` in their URL are called until the time is over, which passes for all who wait at once. */
    const slowly = (): EventDelivery => {
      [started, running, most] = [[], 0, 0];
      const send = async ({ url }: OutboundRequest) => {
        started.push({ url, at: now });
        running += 1;
        most = Math.max(most, running);
        const ends = now + TIMEOUT_MS;
        await new Promise((turn) => setImmediate(turn));
        running -= 1;
        if (!url.includes('gone')) return { status: 204, headers: {}, body: new Uint8Array() };
        now = Math.max(now, ends);
        throw new DomainError('UpstreamTimeout', 'gone');
      };
      return deliveryOn(store, { check: () => {}, send });
    };
    /** Stores events that no request delivers, as a killed process leaves them. */
    const left = async (urls: string[]): Promise<void> => {
      const killed = deliveryOn(store);
      for (const [n, url] of urls.entries()) await killed.append(event(`${url} ${n}`, 't', url));
      now += 15_000;
    };
    const calls = (part: string) => started.filter(({ url }) => url.includes(part)).length;

    it('no delivery starts after its end, and 500 receivers hold back no other for long', async () => {
      await left(Array.from({ length: 500 }, (_, n) => `https://gone-${n}.example`));
      const delivery = slowly();
      const began = now;
      await delivery.resume();
      expect(started.length).to.be.within(32, 96);
      expect(Math.max(...started.map(({ at }) => at))).to.be.below(began + ROUND_MS);
      expect(most).to.be.at.most(32);
      await left(['https://here.example']);
      let rounds = 0;
      for (; calls('here') === 0; rounds += 1) await delivery.resume();
      expect(rounds).to.be.at.most(8);
    });

    it('a receiver with many sessions comes after the others: after its turn, and when it does not answer', async () => {
      const many = Array.from({ length: 300 }, () => 'https://gone.example/hook');
      const others = Array.from({ length: 100 }, (_, n) => `https://here-${n % 2}.example/${n}`);
      await left([...many, ...others]);
      const delivery = slowly();
      await delivery.resume();
      expect([calls('here'), calls('gone') < 96]).to.deep.equal([100, true]);
      // What is left of it was moved: new events of others are seen before.
      await left(['https://here.example']);
      await delivery.resume();
      expect(calls('here.example')).to.equal(1);
    });

    it('a session that another instance delivers does not make its receiver one that does not answer', async () => {
      await left(['https://here.example/1', 'https://here.example/2']);
      const [one, other] = [slowly(), deliveryOn(store)];
      await Promise.all([one.resume(), other.resume()]);
      expect(started.length + sent.length).to.equal(2);
    });
  });

  it('an event behind one that waits is looked at when that one is due, not before', async () => {
    const delivery = deliveryOn(store);
    await record(delivery, event('a'));
    await beside();
    await record(delivery, event('a'));
    await beside();
    store.calls = {};
    now += PAUSE_MS - 1;
    await delivery.resume();
    expect(store.calls).to.deep.equal({});
    answer = () => {};
    now += 1;
    await delivery.resume();
    expect(types()).to.deep.equal(['1', '2']);
  });

  it('events of one session that are recorded at once are sent one after the other, in their order, once each', async () => {
    const [one, other] = [deliveryOn(store), deliveryOn(store)];
    const events = Array.from({ length: 20 }, () => event('a', 't', 'https://here.example'));
    await Promise.all(events.map((next, n) => record(n % 2 ? one : other, next)));
    await beside();
    now += 20_000;
    for (let tick = 0; tick < 3; tick += 1) await one.resume();
    expect(types()).to.deep.equal(Array.from({ length: 20 }, (_, n) => String(n + 1)));
    expect(new Set(sent.map(({ headers }) => headers?.['x-event-id'])).size).to.equal(20);
  });

  describe('events that happened together', () => {
    const MARKS = { name: 'issuance-due-events', listed: true, sealed: false, afterRestore: 'kept' as const };
    const marks = () => store.collection(MARKS).list({ parent: '', order: 'id', offset: 0, limit: 100 });
    const reports = (count: number) => Array.from({ length: count }, (_, n) => ({ ...event('a'), type: `t${n}` }));
    const source = (url: string) => event('a', 't', url);
    const sequences = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1));

    it('are one write with one mark, and are sent in their order; each delivery is two writes', async () => {
      const waiting: number[] = [];
      answer = async () => {
        if (sent.length === 0) waiting.push((await marks()).length);
      };
      await record(deliveryOn(store), source('https://here.example'), reports(4));
      await beside();
      expect(types()).to.deep.equal(sequences(4));
      expect(store.calls).to.deep.equal({ get: 2, insert: 1, replace: 8 });
      expect([waiting, await marks()]).to.deep.equal([[1], []]);
    });

    it('are sent by another process when the first one dies between them, once each', async () => {
      const send: Outbound['send'] = (request) => (sent.length === 2 ? new Promise(() => {}) : outbound.send(request));
      await record(deliveryOn(store, { ...outbound, send }), source('https://here.example'), reports(4));
      while (sent.length < 2) await new Promise((turn) => setImmediate(turn));
      now += 20_000;
      for (let tick = 0; tick < 2; tick += 1) await deliveryOn(store).resume();
      expect(types()).to.deep.equal(sequences(4));
      expect(await marks()).to.deep.equal([]);
    });

    it('are found by a mark whose own event is not in the log, as long as others wait', async () => {
      await record(deliveryOn(store), source('https://gone.example'), reports(2));
      await beside();
      const [mark] = await marks();
      await store.collection(MARKS).remove({ id: mark?.id ?? '' });
      const value = { session: toyHistory('a'), event: randomUUID(), dueAt: now };
      await store.collection(MARKS).insert({ id: `${String(now).padStart(15, '0')}-${value.event}`, value });
      now += 90_000;
      await deliveryOn(store).resume();
      answer = () => {};
      // It is the third try, after a pause of twice the first.
      now += 2 * PAUSE_MS;
      await deliveryOn(store).resume();
      expect(types()).to.deep.equal(['1', '2']);
      now += 90_000;
      await deliveryOn(store).resume();
      expect(await marks()).to.deep.equal([]);
    });

    it('that were reported before are left out', async () => {
      const delivery = deliveryOn(store);
      const [first, ...others] = reports(3).map((report) => ({ ...report, isOnce: true }));
      if (first) await record(delivery, source('https://here.example'), [first]);
      await beside();
      await record(delivery, source('https://here.example'), [first ?? event('a'), ...others]);
      await beside();
      expect(sent.map(({ headers }) => headers?.['x-event-sequence'])).to.deep.equal(['1', '2', '3']);
    });
  });

  it('an event of a session without a receiver is one write, and nothing is sent', async () => {
    const delivery = deliveryOn(store);
    const { destination: _, ...unsent } = event('a');
    for (let n = 0; n < 3; n += 1) {
      store.calls = {};
      await record(delivery, { ...unsent, step: randomUUID() });
      expect(store.calls).to.deep.equal(n === 0 ? { get: 1, insert: 1 } : { get: 1, replace: 1 });
    }
    expect([sent.length, work.length]).to.deep.equal([0, 0]);
  });
});
