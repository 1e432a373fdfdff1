import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { byEmail } from '../../actors/accounts.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';

const LIMIT = 3;
const body = JSON.stringify(byEmail('unknown'));

describe('bypassing a limit', () => {
  let server: TestServer;
  afterEach(() => server.close());

  async function start(trustedProxies: string[] = []): Promise<void> {
    server = await startServer({
      settings: { rateLimit: { wallet_auth_endpoint: { requestsPerMinute: LIMIT } }, services: { trustedProxies } },
    });
  }

  const login = async (headers: Record<string, string> = {}, path = '/wallet-api/auth/login'): Promise<number> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    return (await fetch(`${server.url}${path}`, init)).status;
  };

  const passed = (statuses: number[]): number => statuses.filter((status) => status === 401).length;

  it('with forged forwarding headers: exactly the allowed number is admitted', async () => {
    await start();
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const forged = `203.0.113.${n}`;
      const names = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'];
      const all = Object.fromEntries(names.map((name) => [name, forged]));
      statuses.push(await login({ ...all, forwarded: `for=${forged};by=${forged}` }));
    }
    expect(passed(statuses)).to.equal(LIMIT);
  });

  it('with hops in front of the one that a trusted proxy adds: exactly the allowed number is admitted, and other clients too', async () => {
    await start(['127.0.0.0/8', '10.0.0.0/8']);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push(await login({ 'x-forwarded-for': `203.0.113.${n}, 10.0.0.${n}, 198.51.100.7, 10.1.1.${n}` }));
    expect(passed(statuses)).to.equal(LIMIT);
    expect(await login({ 'x-forwarded-for': '198.51.100.8' })).to.equal(401);
  });

  it('with a new IPv6 address of one network each time: exactly the allowed number is admitted', async () => {
    await start(['127.0.0.1']);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push(await login({ 'x-forwarded-for': `2001:db8:1:2:${n.toString(16)}::${n}` }));
    expect(passed(statuses)).to.equal(LIMIT);
    expect(await login({ 'x-forwarded-for': '2001:db8:1:3::1' })).to.equal(401);
  });

  it('with other spellings of the path: those that match a route are counted together', async () => {
    await start();
    const paths = [
      '/wallet-api/auth/login',
      '/wallet-api/auth/login/',
      '/Wallet-API/auth/LOGIN',
      '/wallet-api/auth/login?x=1',
      '/wallet-api//auth/login',
      '/wallet-api/auth/%6cogin',
      '/wallet-api/./auth/login',
      '/wallet-api/auth/x/../login',
    ];
    const statuses: number[] = [];
    for (const path of [...paths, ...paths]) statuses.push(await login({}, path));
    expect(passed(statuses)).to.be.at.most(LIMIT);
    expect(statuses.filter((status) => status === 401 || status === 400)).to.have.length(LIMIT);
    expect(new Set(statuses)).to.include(429);
  });

  it('with pipelined requests on one connection: exactly the allowed number is admitted', async () => {
    await start();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /wallet-api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    for (let n = 0; n < 10; n += 1)
      socket.write(`${head}Content-Length: ${body.length}\r\n${n === 9 ? 'Connection: close\r\n' : ''}\r\n${body}`);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await once(socket, 'close');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    expect(statuses).to.have.length(10);
    expect(passed(statuses)).to.equal(LIMIT);
  });

  it('by setting the clock: limits do not use the wall clock', async () => {
    await start();
    for (let n = 0; n < LIMIT; n += 1) await login();
    const { now } = Date;
    try {
      Date.now = () => now() + 3_600_000;
      expect(await login()).to.equal(429);
      Date.now = () => now() - 3_600_000;
      expect(await login()).to.equal(429);
    } finally {
      Date.now = now;
    }
  });
});
