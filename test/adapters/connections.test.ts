import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Connections } from '../../adapters/http/messages/connections.ts';
import { pause, until } from '../support/runs/waiting.ts';
import { RawConnection } from '../support/servers/raw-connection.ts';

const GRACE = { delayMs: 0, graceMs: 5000 };

describe('Connections', () => {
  let server: Server;
  let connections: Connections;
  let url: string;
  let waiting: ServerResponse[];
  let drained: Promise<void>;

  beforeEach(async () => {
    waiting = [];
    server = createServer((_request, response) => void waiting.push(response));
    connections = new Connections([server]);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await drained;
  });

  const closes = (text: string): number[] =>
    text
      .split('HTTP/1.1 ')
      .slice(1)
      .map((answer) => (/\r\nConnection: close\r\n/i.test(answer) ? 1 : 0));

  it('several requests on one connection are all answered, and the last answer closes it', async () => {
    const client = await RawConnection.open(url);
    for (const path of ['/1', '/2']) client.get(path);
    await until(() => waiting.length === 2);
    drained = connections.drain(GRACE);
    client.get('/3');
    await until(() => waiting.length === 3);
    for (const response of waiting.reverse()) response.end('done');
    expect(closes(await client.ended())).to.deep.equal([0, 0, 1]);
    await drained;
  });

  it('a partially received request is read and answered, also on a reused connection', async () => {
    const clients = await Promise.all([RawConnection.open(url), RawConnection.open(url)]);
    const [used, fresh] = clients as [RawConnection, RawConnection];
    used.get('/first');
    await until(() => waiting.length === 1);
    waiting.pop()?.end();
    await used.answers();
    for (const { socket } of clients) socket.write('GET /second HTTP/1.1\r\nHo');
    await pause(50);
    drained = connections.drain(GRACE);
    await pause(200);
    for (const { socket } of clients) socket.write('st: x\r\n\r\n');
    await until(() => waiting.length === 2);
    for (const response of waiting) response.end();
    expect(closes(await used.ended())).to.deep.equal([0, 1]);
    expect(closes(await fresh.ended())).to.deep.equal([1]);
    await drained;
  });

  it('an answer that has begun is completed, then its connection is closed', async () => {
    const client = await RawConnection.open(url);
    client.get('/');
    await until(() => waiting.length === 1);
    const [response] = waiting as [ServerResponse];
    response.writeHead(200, { 'content-length': 8 }).write('half');
    await client.answers();
    drained = connections.drain(GRACE);
    await pause(100);
    response.end('half');
    expect(await client.ended()).to.match(/\r\n\r\nhalfhalf$/);
    await drained;
  });

  it('answers that go on for ever are asked to end when the drain begins, not during the delay, and their connections end', async () => {
    const client = await RawConnection.open(url);
    client.get('/');
    await until(() => waiting.length === 1);
    const [response] = waiting as [ServerResponse];
    response.write('first ');
    let isAsked = false;
    connections.whenEnding(() => {
      isAsked = true;
      response.end('last');
    });
    const takeBack = connections.whenEnding(() => expect.fail('was taken back'));
    takeBack();
    drained = connections.drain({ delayMs: 1000, graceMs: 5000 });
    await pause(50);
    expect(isAsked).to.equal(false);
    expect(await client.ended()).to.match(/first .*last/s);
    await drained;
  });

  it('a connection without a request is closed at once', async () => {
    const client = await RawConnection.open(url);
    drained = connections.drain(GRACE);
    await client.ended(4500);
    await drained;
  });

  it('connections without an answer within the grace time are destroyed', async () => {
    const client = await RawConnection.open(url);
    client.get('/');
    await until(() => waiting.length === 1);
    const started = performance.now();
    drained = connections.drain({ delayMs: 0, graceMs: 300 });
    await drained;
    expect(performance.now() - started).to.be.within(290, 4900);
    expect(await client.ended()).to.equal('');
  });

  it('during the delay, connections are accepted and kept until their first request', async () => {
    drained = connections.drain({ delayMs: 1000, graceMs: 5000 });
    expect(connections.isStopping).to.equal(true);
    const client = await RawConnection.open(url);
    await pause(100);
    client.get('/');
    await until(() => waiting.length === 1);
    waiting[0]?.end();
    expect(closes(await client.ended())).to.deep.equal([1]);
    await drained;
  });
});
