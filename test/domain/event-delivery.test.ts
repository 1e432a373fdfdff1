import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { EventDelivery } from '../../domain/events/delivery.ts';
import type { EventLog } from '../../domain/events/event-log.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Outbound, OutboundRequest } from '../../ports/outbound.ts';
import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import { silentLog } from '../support/silent-log.ts';

const LOGS = 'issuance-event-logs';
const PAUSE_MS = 5000;

/** A store in memory that counts the calls for event logs, by method. */
class CountedLogs extends MemoryStore {
  calls: Record<string, number> = {};

  override collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const inner = super.collection(spec);
    if (spec.name !== LOGS) return inner;
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
  let answer: (request: OutboundRequest) => void;
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
      answer(request);
      sent.push(request);
      return { status: 204, headers: {}, body: new Uint8Array() };
    },
  };
  const deliveryOn = (on: Store): EventDelivery =>
    new EventDelivery({
      name: 'issuance',
      store: on,
      outbound,
      clock: { now: () => now },
      ids: { uuid: () => randomUUID() },
      log: silentLog,
      background: { once: (_name, run) => void work.push(run()) },
    });
  const event = (session: string, type = 't', url = 'https://gone.example') => ({
    session,
    destination: { url },
    isHistory: true,
    step: randomUUID(),
    isOnce: false,
    type,
    body: '{}',
    expiresAt: now + 3_600_000,
  });
  const types = () => sent.map(({ headers }) => headers?.['x-event-sequence']);
  const beside = async (): Promise<void> => {
    while (work.length > 0) await work.shift();
  };

  it('600 sessions whose receivers cannot be reached hold back no other, and their logs are not read while they wait', async () => {
    const delivery = deliveryOn(store);
    for (let n = 0; n < 600; n += 1) await delivery.record(event(`failing-${n}`));
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

  it('an event behind one that waits is looked at when that one is due, not before', async () => {
    const delivery = deliveryOn(store);
    await delivery.record(event('a'));
    await beside();
    await delivery.record(event('a'));
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
    await Promise.all(events.map((next, n) => (n % 2 ? one : other).record(next)));
    await beside();
    now += 20_000;
    for (let tick = 0; tick < 3; tick += 1) await one.resume();
    expect(types()).to.deep.equal(Array.from({ length: 20 }, (_, n) => String(n + 1)));
    expect(new Set(sent.map(({ headers }) => headers?.['x-event-id'])).size).to.equal(20);
  });

  it('an event of a session without a receiver is one write, and nothing is sent', async () => {
    const delivery = deliveryOn(store);
    const { destination: _, ...unsent } = event('a');
    for (let n = 0; n < 3; n += 1) {
      store.calls = {};
      await delivery.record({ ...unsent, step: randomUUID() });
      expect(store.calls).to.deep.equal(n === 0 ? { get: 1, insert: 1 } : { get: 1, replace: 1 });
    }
    expect([sent.length, work.length]).to.deep.equal([0, 0]);
  });

  it('a mark that version 0.4.0 left is delivered too', async () => {
    const id = randomUUID();
    const value: EventLog = {
      destination: { url: 'https://here.example' },
      next: 2,
      events: [{ id, sequence: 1, step: 's', type: 't', body: '{}', state: 'pending', attempts: 0, dueAt: now }],
    };
    await store.collection({ name: LOGS, listed: false, sealed: true }).insert({ id: 'a', value });
    const marks = { name: 'issuance-undelivered-events', listed: true, sealed: false };
    await store.collection(marks).insert({ id, value: { session: 'a' } });
    await deliveryOn(store).resume();
    expect(types()).to.deep.equal(['1']);
    expect(await store.collection(marks).get({ id })).to.equal(undefined);
  });
});
