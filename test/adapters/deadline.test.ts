import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect } from 'chai';
import { inTime } from '../../adapters/system/deadline.ts';

const standStill = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

describe('inTime', () => {
  it('passes on an answer and an error that are in time', async () => {
    expect(await inTime(Promise.resolve(7), 50)).to.equal(7);
    const error = new Error('refused');
    expect(await inTime(Promise.reject(error), 50).catch((caught: unknown) => caught)).to.equal(error);
  });

  it('fails when there is no answer, and says how long it waited', async () => {
    const started = performance.now();
    const failure = await inTime(new Promise(() => undefined), 40).catch((error: Error) => error.message);
    expect(failure).to.equal('No answer within 40 ms');
    expect(performance.now() - started).to.be.at.least(39);
  });

  it('takes an answer that arrived while this process stood still, however late it is read', async () => {
    const server = createServer((socket) => socket.end('answer')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    await once(socket, 'connect');
    const answer = inTime(once(socket, 'data'), 30);
    standStill(100);
    expect(String((await answer)[0])).to.equal('answer');
    socket.destroy();
    server.close();
  });
});
