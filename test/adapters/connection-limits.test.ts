import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { CONNECTION_TIMEOUTS } from '../../adapters/http/messages/connection-limits.ts';
import { pause, until } from '../support/runs/waiting.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const SHORT = { requestTimeout: 300, headersTimeout: 150, connectionsCheckingInterval: 50, idleTimeout: 500 };
const HEAD = 'POST /openid4vc/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const PROBE = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

describe('incomplete requests', () => {
  it('are checked often enough: none stays open for more than 35 seconds', () => {
    const { requestTimeout, headersTimeout, connectionsCheckingInterval } = CONNECTION_TIMEOUTS;
    expect(requestTimeout + connectionsCheckingInterval).to.be.at.most(35_000);
    expect(headersTimeout).to.be.at.most(requestTimeout);
    expect(connectionsCheckingInterval).to.equal(5000);
  });
});

describe('connections', () => {
  let server: TestServer;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  /** A connection with what it has received so far. */
  interface Opened {
    socket: Socket;
    heard: () => string;
    closed: Promise<unknown>;
  }

  async function open(): Promise<Opened> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    sockets.push(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    return { socket, heard: () => text, closed };
  }

  /** Sends a request on a new connection and returns the answer; '' when the connection is refused. */
  async function probe(): Promise<string> {
    const { socket, heard } = await open();
    socket.write(PROBE);
    await until(() => socket.closed || heard() !== '');
    return heard();
  }

  const SLOW: Record<string, (socket: Socket) => Promise<void>> = {
    'half a head': async (socket) => void socket.write(HEAD),
    'a body of which half is sent': async (socket) => void socket.write(`${HEAD}Content-Length: 100\r\n\r\n{"a"`),
    'a chunked body without an end': async (socket) =>
      void socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n`),
    'a body that comes byte by byte': async (socket) => {
      socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`);
      for (let n = 0; n < 100 && socket.writable; n += 1) {
        socket.write(' ');
        await pause(20);
      }
    },
  };
  for (const [what, send] of Object.entries(SLOW))
    it(`with ${what} are answered with 408 and closed after the timeout`, async () => {
      server = await startServer({ timeouts: SHORT });
      const { socket, heard, closed } = await open();
      const started = performance.now();
      const sent = send(socket);
      await closed;
      // Longer than a busy machine needs; without the check it takes half a minute.
      expect(performance.now() - started).to.be.lessThan(15_000);
      expect(heard()).to.match(/^HTTP\/1\.1 408 /);
      await sent;
    });

  it('whose client does not read are closed after the idle timeout', async () => {
    server = await startServer({ timeouts: SHORT, settings: { services: { maxConnections: 1 } } });
    const { socket, heard, closed } = await open();
    socket.pause();
    // More than the buffers of the system.
    socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    // Another connection is accepted once this one is closed.
    await until(async () => (await probe()) !== '');
    socket.resume();
    await closed;
    expect(heard().match(/HTTP\/1\.1 200 /g) ?? []).to.have.length.lessThan(30);
  });

  it('are refused beyond maxConnections, which is logged once, and accepted again when one is closed', async () => {
    server = await startServer({ settings: { services: { maxConnections: 3 } } });
    const first = await Promise.all([open(), open(), open()]);
    for (const { socket, heard } of first) {
      socket.write(PROBE);
      await until(() => heard() !== '');
      expect(heard()).to.match(/^HTTP\/1\.1 200 /);
    }
    for (let n = 0; n < 5; n += 1) expect(await probe()).to.equal('');
    const lines = server.lines.filter(({ message }) => message.startsWith('connections are refused'));
    expect(lines.map(({ level, fields }) => ({ level, fields }))).to.deep.equal([
      { level: 'warn', fields: { maxConnections: 3, refused: 1 } },
    ]);
    first[0]?.socket.end();
    await first[0]?.closed;
    let answer = '';
    // The server has seen the end a little later.
    await until(async () => {
      answer = await probe();
      return answer !== '';
    });
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });
});
