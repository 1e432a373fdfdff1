import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { BODY_ROOM, BODY_ROOM_OF_SOURCE } from '../../adapters/http/messages/body-room.ts';
import { STREAM_BYTES } from '../../adapters/http/messages/connection-limits.ts';
import type { Operation } from '../../adapters/http/messages/document.ts';
import { IncomingBody } from '../../adapters/http/messages/incoming-body.ts';
import { AHEAD_BYTES, LINES_TYPE } from '../../adapters/http/messages/lines.ts';
import { contract } from '../support/documents/contract.ts';
import type { BodyReader, Question } from '../support/processes/body-reader.ts';
import { testScript } from '../support/processes/script.ts';
import { until } from '../support/runs/waiting.ts';
import { RawConnection } from '../support/servers/raw-connection.ts';
import { useServer } from '../support/servers/server.ts';

const KIB = 1024;
const MIB = KIB * KIB;
/** Chunks of one byte, which is the framing with the most parts. */
const CHUNK = '1\r\n \r\n';
const SINGLE_BYTES = CHUNK.repeat(8 * KIB);
/** What measuring the memory of a process leaves open, in bytes. */
const NOISE = 4 * MIB;

describe('the memory of a body that is being read', () => {
  describe('by a server with a heap of 256 MiB', () => {
    let child: ChildProcess;
    let reader: BodyReader;
    let death: Promise<never>;
    const connections: RawConnection[] = [];

    const ask = async <T = number>(question: Question | 'start'): Promise<T> => {
      child.send(question);
      const [answer] = await Promise.race([once(child, 'message'), death]);
      return answer as T;
    };

    before(async () => {
      const { file, execArgv } = testScript('test/support/processes/body-reader.ts');
      child = fork(file, {
        execArgv: [...execArgv, '--expose-gc', '--max-old-space-size=256'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      death = once(child, 'exit').then(() => {
        throw new Error('The server died');
      });
      death.catch(() => undefined);
      reader = await ask<BodyReader>('start');
    });
    after(() => {
      for (const { socket } of connections) socket.destroy();
      child.kill('SIGKILL');
    });

    /** Begins a request of an operation by a source of its own. */
    async function begin(operation: Operation, index: number): Promise<void> {
      const { method, path, realm, requestBody } = operation;
      const connection = await RawConnection.open(reader.url);
      connections.push(connection);
      const head = [
        `${method} ${path.replaceAll(/\{[^}]+\}/g, 'x')} HTTP/1.1`,
        'Host: x',
        `X-Forwarded-For: 198.51.100.${index % 250}`,
        `Authorization: Bearer ${reader.tokens[realm]}`,
        `Content-Type: ${Object.keys(requestBody?.content ?? {})[0]}`,
        'Transfer-Encoding: chunked',
      ];
      connection.socket.write(`${head.join('\r\n')}\r\n\r\n`);
    }

    it('is at most twice what was received, at every operation that has one, in chunks of one byte', async () => {
      const { operations } = await contract;
      // Bulks of tenants look for their target before they read a line, others for an access token before the body.
      const reading = operations.filter(
        ({ requestBody, mounted, lateBody }) =>
          requestBody && !lateBody && !(mounted && LINES_TYPE in requestBody.content),
      );
      expect(reading).to.have.length.above(100);
      const earlier = await ask('received');
      const send = async (text: string): Promise<void> => {
        for (const { socket } of connections) socket.write(text);
        const all = connections.reduce((sum, { socket }) => sum + socket.bytesWritten, earlier);
        await until(async () => (await ask('received')) >= all, 120_000);
      };
      for (const [index, operation] of reading.entries()) await begin(operation, index);
      // What the server makes at the first use of an operation is made when the first byte has come.
      await send(CHUNK);
      const kept = await ask('kept');
      await send(SINGLE_BYTES);
      for (const [index, { text }] of connections.entries()) expect(text, reading[index]?.operationId).to.equal('');
      const received = (reading.length * SINGLE_BYTES.length) / CHUNK.length;
      expect((await ask('kept')) - kept).to.be.below(2 * received + NOISE);
    });
  });

  it('is at most twice what was received while the client waits for one that is read in pieces', async () => {
    let incoming: IncomingBody | undefined;
    let request: IncomingMessage | undefined;
    let received = 0;
    const share = {
      grow: (size: number) => {
        received = size;
      },
      giveBack: () => undefined,
    };
    const host = createServer({ highWaterMark: STREAM_BYTES }, (arrived: IncomingMessage, response: ServerResponse) => {
      request = arrived;
      incoming = new IncomingBody({ request, response, share, most: AHEAD_BYTES, beyond: 'wait' });
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const memory = (): number => {
      for (let round = 0; round < 3; round += 1) gc();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const connection = await RawConnection.open(`http://127.0.0.1:${(host.address() as AddressInfo).port}`);
    const sending = connection.socket;
    sending.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await until(() => request !== undefined);
    const before = memory();
    const most = AHEAD_BYTES - 16 * KIB;
    sending.write(`${most.toString(16)}\r\n${' '.repeat(most)}\r\n`);
    await until(() => received >= most);
    for (let count = 0; count < 4; count += 1) sending.write(SINGLE_BYTES);
    await until(() => request?.isPaused() === true);
    expect(received).to.be.within(AHEAD_BYTES, AHEAD_BYTES + 64 * KIB);
    expect(memory() - before - sending.writableLength).to.be.below(2 * received + NOISE);
    // What was received is read, and then the rest.
    const pieces = (incoming as IncomingBody).pieces();
    expect((await pieces.next()).value).to.have.length.within(AHEAD_BYTES, received);
    expect(request?.isPaused()).to.equal(false);
    sending.destroy();
    host.close();
  });
});

describe('the room for bodies', () => {
  const server = useServer({ settings: { services: { trustedProxies: ['127.0.0.1'] } } });
  const open: RawConnection[] = [];
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.destroy();
  });

  /** Sends all but the last byte of a body of 1 MiB. */
  async function send(source: string): Promise<RawConnection> {
    const connection = await RawConnection.open(server.url);
    open.push(connection);
    const head = `POST /openid4vc/verify HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${source}\r\nContent-Type: application/json\r\n`;
    connection.socket.write(`${head}Content-Length: ${MIB}\r\n\r\n${' '.repeat(MIB - 1)}`);
    await until(() => connection.socket.writableLength === 0);
    return connection;
  }
  /** Whether another body of a source is read. */
  const isRead = async (source: string): Promise<boolean> => {
    const headers = { 'x-forwarded-for': source, 'content-type': 'application/json' };
    const { status } = await server.fetch('/openid4vc/verify', { method: 'POST', headers, body: ' '.repeat(MIB) });
    expect(status).to.be.oneOf([400, 429, 503]);
    return status === 400;
  };

  /** The one connection whose body was refused, once there is one. */
  async function refused(): Promise<string> {
    const answered = () => open.filter(({ text }) => text !== '');
    await until(() => answered().length > 0);
    expect(answered()).to.have.length(1);
    const [{ text } = { text: '' }] = answered();
    expect(text).to.match(/\r\nretry-after: 1\r\n/i);
    return text;
  }
  const fill = (source: string, count = BODY_ROOM_OF_SOURCE / MIB) =>
    Promise.all(Array.from({ length: count }, () => send(source)));

  it('429: a source has a part of it, which it has again when its clients have left', async () => {
    await fill('203.0.113.1', BODY_ROOM_OF_SOURCE / MIB + 1);
    expect(await refused()).to.match(/^HTTP\/1\.1 429 /);
    expect(await isRead('203.0.113.2')).to.equal(true);
    for (const { socket } of open.splice(0)) socket.destroy();
    await until(() => isRead('203.0.113.1'));
  });

  it('503: all bodies together have 64 MiB, which others have again when these have left', async () => {
    for (let index = 0; index < BODY_ROOM / BODY_ROOM_OF_SOURCE; index += 1) await fill(`203.0.113.${index}`);
    await fill('203.0.113.99', 1);
    expect(await refused()).to.match(/^HTTP\/1\.1 503 /);
    for (const { socket } of open.splice(0)) socket.destroy();
    await until(() => isRead('203.0.113.99'));
  });
});
