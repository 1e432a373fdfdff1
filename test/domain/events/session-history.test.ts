import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { EventDelivery } from '../../../domain/events/delivery.ts';
import { type EventLog, type History, historyOf, NO_HISTORY } from '../../../domain/events/event-log.ts';
import { EventLogs, historyName, readLog } from '../../../domain/events/event-logs.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { update } from '../../../domain/foundation/records.ts';
import { withStoredForm } from '../../../domain/foundation/stored-form.ts';
import type { OutboundRequest } from '../../../ports/outbound.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { silentLog } from '../../support/servers/silent-log.ts';

/** A session that counts its steps. */
interface Session {
  steps: string[];
  history?: History;
}

const SESSIONS: CollectionSpec<Session> = { name: 'toy-sessions', listed: true, sealed: false, afterRestore: 'kept' };
const KEY = { parent: 'p', id: 's' };
const URL = 'https://receiver.example';
const MANY = 120;

describe('a history in the record of its session', () => {
  let now: number;
  let store: MemoryStore;
  let sent: OutboundRequest[];
  let warnings: string[];
  let work: (() => Promise<void>)[];

  beforeEach(() => {
    now = 1_800_000_000_000;
    store = new MemoryStore({ now: () => now });
    [sent, warnings, work] = [[], [], []];
  });

  /** An instance of the service; `destination`: who receives the events of its sessions. */
  class Instance {
    readonly #sessions: Collection<Session>;
    readonly logs: EventLogs;
    readonly delivery: EventDelivery;
    readonly #destination: { url: string } | undefined;
    send: (request: OutboundRequest) => void = (request) => void sent.push(request);

    constructor(on: Store, destination?: { url: string }) {
      this.#destination = destination;
      const earlier = (id: string) => this.logs.earlier(id);
      this.#sessions = withStoredForm<Session, Session>(
        on.collection(SESSIONS),
        { read: (value) => value, write: (value) => value },
        async (stored) =>
          stored.value.history
            ? stored
            : { ...stored, value: { ...stored.value, history: await earlier(`earlier ${stored.id}`) } },
      );
      const place = {
        collection: this.#sessions,
        read: ({ history = NO_HISTORY }: Session): EventLog => ({ ...history, destination, isHistory: true }),
        write: (session: Session, log: EventLog) => ({ ...session, history: historyOf(log) }),
      };
      this.logs = new EventLogs({ store: on, name: 'issuance' }, (key) => readLog(place, key));
      this.delivery = new EventDelivery({
        name: 'issuance',
        store: on,
        logs: this.logs,
        outbound: {
          check: () => {},
          send: async (request) => {
            this.send(request);
            return { status: 204, headers: {}, body: new Uint8Array() };
          },
        },
        clock: { now: () => now },
        ids: { uuid: () => randomUUID() },
        log: { ...silentLog, warn: (message) => void warnings.push(message) },
        background: { once: (_name, run) => void work.push(run) },
      });
    }

    insert(session: Session = { steps: [], history: NO_HISTORY }) {
      return this.#sessions.insert({ ...KEY, value: session, expiresAt: now + 3_600_000 });
    }

    /** Does a step, which has one event for each type. */
    step(...types: string[]): Promise<unknown> {
      const events = types.map((type) => ({ step: randomUUID(), isOnce: false, type, body: '{}' }));
      const source = { session: historyName(KEY), destination: this.#destination, expiresAt: now + 3_600_000 };
      return this.delivery.recording(source, (record) =>
        update({
          collection: this.#sessions,
          key: KEY,
          change: ({ steps, history = NO_HISTORY }) => ({
            steps: [...steps, ...types],
            history: record(history, events),
          }),
        }),
      );
    }

    async read() {
      const { steps, history } = (await this.#sessions.get(KEY))?.value ?? { steps: [] };
      return { steps, types: history?.events.map(({ type }) => type), ids: history?.events.map(({ id }) => id) };
    }
  }

  const beside = async () => {
    for (const run of work.splice(0)) await run();
  };
  const received = () => sent.map(({ headers }) => headers?.['x-event-sequence']);
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1));

  it('however steps of several instances meet, each is written once with its events, in the order of the steps', async () => {
    const types = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(types, async (steps) => {
        store = new MemoryStore({ now: () => now });
        const instances = [new Instance(store, { url: URL }), new Instance(store, { url: URL })];
        sent = [];
        await instances[0]?.insert();
        await Promise.all(steps.map((one, index) => instances[index % 2]?.step(...one)));
        const { steps: done = [], types: told } = (await instances[0]?.read()) ?? {};
        expect(told).to.deep.equal(done);
        expect(done.toSorted()).to.deep.equal(steps.flat().toSorted());
        await beside();
        expect(received()).to.deep.equal(upTo(done.length));
      }),
      { numRuns: 50 },
    );
  });

  it('what a process did not send that was killed after the step is sent by another one, with the same ids', async () => {
    const [killed, other] = [new Instance(store, { url: URL }), new Instance(store, { url: URL })];
    await killed.insert();
    await killed.step('a', 'b');
    await other.delivery.resume();
    expect(received()).to.deep.equal(['1', '2']);
    expect(sent.map(({ headers }) => headers?.['x-event-id'])).to.deep.equal((await other.read()).ids);
    await beside();
    expect(sent).to.have.length(2);
  });

  it('a step that is not written has no event', async () => {
    const instance = new Instance(store, { url: URL });
    await instance.step('a');
    await beside();
    await instance.delivery.resume();
    expect(sent).to.deep.equal([]);
  });

  it('events that have no place hinder no step', async () => {
    const instance = new Instance(store, { url: URL });
    instance.send = () => {
      throw new DomainError('UpstreamFailed', 'gone');
    };
    await instance.insert();
    for (let n = 0; n < MANY; n += 1) await instance.step(`step ${n}`);
    const { steps, types } = await instance.read();
    expect(steps).to.have.length(MANY);
    expect(types).to.deep.equal(steps.slice(0, 100));
    expect(warnings.filter((text) => text.includes('could not be stored'))).to.have.length(MANY - 100);
  });

  it('goes on from one that an earlier version stored beside the session', async () => {
    const instance = new Instance(store);
    const event = { step: 's', attempts: 0, dueAt: 0, at: now, state: 'delivered' as const, body: '{}' };
    const events = [1, 2].map((sequence) => ({ ...event, id: `id ${sequence}`, type: `old ${sequence}`, sequence }));
    await instance.logs.insert(`earlier ${KEY.id}`, { next: 3, events, isHistory: true }, now + 3_600_000);
    await instance.insert({ steps: ['old 1', 'old 2'] });
    await instance.step('new');
    const { steps, types, ids } = await instance.read();
    expect(types).to.deep.equal(steps);
    expect(ids?.slice(0, 2)).to.deep.equal(['id 1', 'id 2']);
    const log = await instance.logs.get(historyName(KEY));
    expect(log?.value.events.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
  });
});
