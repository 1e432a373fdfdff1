import { expect } from 'chai';
import type { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import { fails, get, guardedCalls } from '../support/servers/guarded-calls.ts';

describe('GuardedOutbound, redirects', () => {
  const { host, canary, guard } = guardedCalls();

  const redirecting = (status: number, location: string) =>
    host((request, response) => {
      if (request.url === '/start') response.writeHead(status, { location }).end('moved');
      else response.end(`${request.method} ${request.headers.authorization ?? ''}`);
    });
  const text = async (sending: ReturnType<GuardedOutbound['send']>) => Buffer.from((await sending).body).toString();

  it('refuses a redirect to loopback', async () => {
    const target = await canary();
    for (const name of ['127.0.0.2', 'localhost', '[::1]', '2130706434']) {
      const { port } = await redirecting(302, `http://${name}:${target.port}/`);
      await fails(guard({ allow: ['127.0.0.1'] }).send(get(`http://127.0.0.1:${port}/start`)), 'AddressRefused');
    }
    const { port } = await redirecting(302, 'file:///etc/passwd');
    await fails(guard({ allow: ['127.0.0.1'] }).send(get(`http://127.0.0.1:${port}/start`)), 'AddressRefused');
    expect(target.connections()).to.equal(0);
  });

  it('follows at most three', async () => {
    const { port, requests } = await host((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('done');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    const outbound = guard({ allow: ['127.0.0.1'] });
    expect(await text(outbound.send(get(`http://127.0.0.1:${port}/3`)))).to.equal('done');
    await fails(outbound.send(get(`http://127.0.0.1:${port}/4`)), 'UpstreamFailed');
    expect(requests).to.have.length(8);
  });

  it('turns a POST into a GET after 301, 302 and 303, and repeats it after 307 and 308', async () => {
    for (const [status, method] of [
      [301, 'GET'],
      [302, 'GET'],
      [303, 'GET'],
      [307, 'POST'],
      [308, 'POST'],
    ] as const) {
      const { port, requests } = await redirecting(status, '/next');
      const headers = { 'Content-Type': 'application/json' };
      const url = `http://127.0.0.1:${port}/start`;
      const sent = guard({ allow: ['127.0.0.1'] }).send({
        method: 'POST',
        url,
        expects: 'webhook-reply',
        headers,
        body: '{}',
      });
      expect(await text(sent)).to.equal(`${method} `);
      expect(requests[1]?.headers['content-type']).to.equal(method === 'POST' ? 'application/json' : undefined);
    }
  });

  it('sends Authorization on only within the origin', async () => {
    const elsewhere = await redirecting(307, '/');
    const other = await redirecting(307, `http://127.0.0.1:${elsewhere.port}/end`);
    const same = await redirecting(307, '/end');
    const outbound = guard({ allow: ['127.0.0.1'] });
    const headers = { Authorization: 'secret' };
    const sent = (port: number) => text(outbound.send(get(`http://127.0.0.1:${port}/start`, { headers })));
    expect(await sent(same.port)).to.equal('GET secret');
    expect(await sent(other.port)).to.equal('GET ');
  });

  it('returns a redirect without Location, and fails on one whose Location is not a URL', async () => {
    const { port } = await host((_, response) => void response.writeHead(302).end());
    const outbound = guard({ allow: ['127.0.0.1'] });
    expect(await outbound.send(get(`http://127.0.0.1:${port}/`))).to.have.property('status', 302);
    const broken = await redirecting(302, 'http://');
    await fails(outbound.send(get(`http://127.0.0.1:${broken.port}/start`)), 'UpstreamFailed');
  });
});
