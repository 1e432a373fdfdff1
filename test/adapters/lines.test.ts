import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { streamOfLines } from '../../adapters/http/messages/lines.ts';

describe('stream of lines', () => {
  it('takes answers as the client reads: one that does not read holds 1 MiB of them and what fits its buffers', async () => {
    const answer = { text: 'x'.repeat(1000) };
    let taken = 0;
    let isLeft = false;
    async function* answers(): AsyncGenerator<object> {
      try {
        for (;;) {
          taken += 1;
          yield answer;
        }
      } finally {
        isLeft = true;
      }
    }
    const stream = streamOfLines(answers());
    const client = new PassThrough({ highWaterMark: 16 * 1024 });
    stream.pipe(client);
    let before = -1;
    while (before !== taken) {
      before = taken;
      for (let turns = 0; turns < 20; turns += 1) await setImmediate();
    }
    expect(taken).to.be.within(1000, 1200);
    client.resume();
    while (taken < 5000) await setImmediate();
    stream.destroy();
    while (!isLeft) await setImmediate();
  });
});
