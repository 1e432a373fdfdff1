import { expect } from 'chai';
import fc from 'fast-check';
import {
  appended,
  created,
  delivered,
  type EventLog,
  leased,
  MAX_ATTEMPTS,
  nextPending,
  postponed,
  removed,
  stopped,
} from '../../../domain/events/event-log.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';

const empty = (): EventLog => created({ destination: { url: 'https://a.example' } });
const LEASE = 100;
const LAPSED = { owner: 'o', until: 0 };

type Step = {
  move: 'append' | 'lease' | 'deliver' | 'postpone' | 'stop' | 'remove';
  id: string;
  step: string;
  at: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  move: fc.constantFrom('append', 'append', 'append', 'lease', 'deliver', 'postpone', 'stop', 'remove'),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  step: fc.constantFrom('s', 't', 'u'),
  at: fc.nat(1000),
});

function apply(log: EventLog, { move, id, step: name, at }: Step, isOnce: boolean): EventLog {
  const lease = { owner: id, until: at + LEASE };
  const moves = {
    append: () => appended(log, { id, step: name, type: 't', body: `body of ${id}`, isOnce, lease, dueAt: at }, at),
    lease: () => leased(log, id, lease, at),
    deliver: () => delivered(log, id),
    postpone: () => postponed(log, id, at),
    stop: () => stopped(log, id),
    remove: () => removed(log, id),
  };
  try {
    return moves[move]();
  } catch (error) {
    if (error instanceof DomainError && ['Busy', 'Conflict'].includes(error.code)) return log;
    throw error;
  }
}

const walks = (look: (before: EventLog, next: Step, after: EventLog, isOnce: boolean) => void): void =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, isOnce) => {
      const used = new Set<string>();
      steps.reduce((before, next, index) => {
        // Ids are random: each append has its own.
        const own =
          next.move === 'append' ? { ...next, id: `${next.id}${index}` } : { ...next, id: last(before, next) };
        used.add(own.id);
        const after = apply(before, own, isOnce);
        look(before, own, after, isOnce);
        return after;
      }, empty());
    }),
    { numRuns: 500 },
  );

/** The id of some event of the log. */
const last = ({ events }: EventLog, { at }: Step): string => events[at % Math.max(1, events.length)]?.id ?? 'none';

describe('event log', () => {
  it('sequences grow with each event, and pending events are in their order', () => {
    walks((before, _, after) => {
      const sequences = after.events.map(({ sequence }) => sequence);
      expect(sequences).to.deep.equal([...sequences].sort((a, b) => a - b));
      expect(new Set(sequences).size).to.equal(sequences.length);
      expect(after.next).to.be.at.least(before.next);
      for (const sequence of sequences) expect(sequence).to.be.lessThan(after.next);
    });
  });

  it('an event keeps its id and its body for as long as it is in the log', () => {
    walks((before, _, after) => {
      const bodies = new Map(before.events.map(({ id, body }) => [id, body]));
      for (const { id, body } of after.events) if (bodies.has(id)) expect(body).to.equal(bodies.get(id));
    });
  });

  it('a step that happens once has one event at most', () => {
    walks((_, __, { events }, isOnce) => {
      if (isOnce) expect(new Set(events.map(({ step: name }) => name)).size).to.equal(events.length);
    });
  });

  it('an event is delivered by one request at a time', () => {
    walks((before, { move, id, at }, after) => {
      if (move !== 'lease' || before === after) return;
      const { lease } = before.events.find((event) => event.id === id) ?? {};
      expect(lease === undefined || lease.until <= at).to.equal(true);
    });
  });

  it('the next event to deliver is the oldest pending one, and none while that is leased or not due', () => {
    walks((_, { at }, after) => {
      const first = after.events.find(({ state }) => state === 'pending');
      const next = nextPending(after, at);
      const isFree = first && first.dueAt <= at && (first.lease?.until ?? 0) <= at;
      expect(next).to.equal(isFree ? first : undefined);
    });
  });

  it('an event that was tried too often is stopped; its pauses grow', () => {
    let log = appended(empty(), { id: 'a', step: 's', type: 't', isOnce: true, lease: LAPSED, dueAt: 0 }, 0);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect(log.events[0]?.state).to.equal('pending');
      log = postponed(log, 'a', 0);
      pauses.push(log.events[0]?.dueAt ?? 0);
    }
    expect(log.events[0]?.state).to.equal('stopped');
    expect(pauses).to.deep.equal([...pauses].sort((a, b) => a - b));
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).to.be.lessThan(30 * 60_000);
  });

  it('a log has a bounded number of events and bytes: those that are not pending make room, oldest first', () => {
    const add = (log: EventLog, id: string, body = '') =>
      appended(log, { id, step: id, type: 't', isOnce: true, body, lease: LAPSED, dueAt: 0 }, 0);
    let log = empty();
    for (let n = 0; n < 300; n += 1) log = stopped(add(log, `e${n}`), `e${n}`);
    expect(log.events).to.have.length(100);
    expect(log.events.at(-1)?.id).to.equal('e299');
    const large = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 10; n += 1) log = stopped(add(log, `l${n}`, large), `l${n}`);
    expect(JSON.stringify(log).length).to.be.lessThan(5 * 1024 * 1024);
    let pending = empty();
    for (let n = 0; n < 100; n += 1) pending = add(pending, `e${n}`);
    expect(() => add(pending, 'more'))
      .to.throw(DomainError)
      .with.property('code', 'Overloaded');
  });

  it('a log remembers the last delivered events only', () => {
    let log = empty();
    for (let n = 0; n < 50; n += 1)
      log = delivered(
        appended(log, { id: `e${n}`, step: `s${n}`, type: 't', isOnce: true, lease: LAPSED, dueAt: 0 }, 0),
        `e${n}`,
      );
    expect(log.events).to.have.length(8);
    expect(log.events.at(-1)).to.deep.include({ id: 'e49', sequence: 50, state: 'delivered' });
  });

  describe('as a history', () => {
    const history = (log: Partial<EventLog> = {}): EventLog => ({ ...created({ isHistory: true }), ...log });
    const add = (log: EventLog, id: string, body = '{}', now = 0): EventLog =>
      appended(log, { id, step: id, type: 't', isOnce: false, body, dueAt: now }, now);

    it('without a receiver nothing is pending; sequences count from 1 without gaps, and times and bodies are kept', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(1000), { maxLength: 100 }), (times) => {
          const log = times.reduce((before, at, n) => add(before, `e${n}`, `{"n":${n}}`, at), history());
          expect(log.events.map(({ sequence, at, body, state }) => ({ sequence, at, body, state }))).to.deep.equal(
            times.map((at, n) => ({ sequence: n + 1, at, body: `{"n":${n}}`, state: 'delivered' })),
          );
        }),
      );
    });

    it('a delivered event stays, also after many others, with its sequence', () => {
      let log = history({ destination: { url: 'https://a.example' } });
      for (let n = 1; n <= 50; n += 1) log = delivered(add(log, `e${n}`), `e${n}`);
      expect(log.events.map(({ sequence }) => sequence)).to.deep.equal(Array.from({ length: 50 }, (_, n) => n + 1));
    });

    it('is bounded in events and in characters: the oldest make room, and sequences go on', () => {
      let log = history();
      for (let n = 1; n <= 250; n += 1) log = add(log, `e${n}`);
      expect([log.events.length, log.events[0]?.sequence, log.next]).to.deep.equal([100, 151, 251]);
      for (let n = 1; n <= 20; n += 1) log = add(log, `l${n}`, 'x'.repeat(64 * 1024));
      expect(JSON.stringify(log).length).to.be.lessThan(300 * 1024);
      expect(log.events.at(-1)?.sequence).to.equal(270);
    });
  });
});
