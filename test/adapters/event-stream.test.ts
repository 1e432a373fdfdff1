import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { EventStream, type StreamedEvent } from '../../adapters/http/messages/event-stream.ts';

/** Events without end; counts those that were taken. */
class Events implements AsyncIterable<StreamedEvent> {
  taken = 0;
  isLeft = false;
  /** The events there are; a reader waits for more. */
  count = 0;
  #wait: ((result: IteratorResult<StreamedEvent>) => void) | undefined;

  [Symbol.asyncIterator](): AsyncIterator<StreamedEvent> {
    return {
      next: async () => {
        if (this.isLeft) return { done: true, value: undefined };
        if (this.taken === this.count) return new Promise((resolve) => (this.#wait = resolve));
        this.taken += 1;
        return { value: { sequence: this.taken, body: `"${'x'.repeat(1000)}"` } };
      },
      return: async () => {
        this.isLeft = true;
        this.#wait?.({ done: true, value: undefined });
        return { done: true, value: undefined };
      },
    };
  }
}

describe('stream of server-sent events', () => {
  let events: Events;
  let stream: EventStream;
  let beats: Set<() => void>;
  let endings: Set<() => void>;

  const adding = (set: () => Set<() => void>) => (work: () => void) => {
    set().add(work);
    return () => void set().delete(work);
  };
  beforeEach(() => {
    events = new Events();
    [beats, endings] = [new Set(), new Set()];
    stream = new EventStream(events, {
      timers: { every: (_ms, work) => adding(() => beats)(work) },
      connections: { whenEnding: adding(() => endings) },
    });
  });
  const settled = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await setImmediate();
  };
  const beat = (): void => {
    for (const work of beats) work();
  };

  it('takes the next event when the client reads: one that does not read holds nothing but what fits its buffers', async () => {
    events.count = 100_000;
    const client = new PassThrough({ highWaterMark: 16 * 1024 });
    stream.pipe(client);
    await settled();
    for (let n = 0; n < 10_000; n += 1) beat();
    await settled();
    expect(events.taken).to.be.within(10, 60);
    expect(client.readableLength + client.writableLength + stream.readableLength).to.be.lessThan(64 * 1024);
    const before = events.taken;
    while (client.read() !== null);
    await settled();
    expect(events.taken).to.be.greaterThan(before);
  });

  it('a client that leaves ends the events, the comments and the wait for the stop', async () => {
    stream.resume();
    await settled();
    stream.destroy();
    await settled();
    expect([events.isLeft, beats.size, endings.size]).to.deep.equal([true, 0, 0]);
  });

  it('the stop of the server ends it, also while it waits for an event', async () => {
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
    });
    const ended = new Promise((resolve) => stream.once('end', resolve));
    events.count = 1;
    await settled();
    beat();
    for (const end of endings) end();
    await ended;
    beat();
    expect(text).to.match(/^retry: 1000\n\nid: 1\ndata: "x+"\n\n:\n\n$/);
    await settled();
    expect([events.isLeft, beats.size, endings.size]).to.deep.equal([true, 0, 0]);
  });
});
