import { expect } from 'chai';
import { FaultyStore, StoreFaults } from '../../support/faulty-store.ts';
import { startServer, type TestServer } from '../../support/server.ts';

describe('the service itself', () => {
  const faults = new StoreFaults();
  let server: TestServer;
  before(async () => {
    server = await startServer({
      wrapStore: (store) => new FaultyStore(store, faults),
      settings: { services: { corsOrigins: ['https://app.example.org'] } },
    });
  });
  after(() => server.close());
  afterEach(() => {
    faults.down = false;
  });

  describe('getLiveness', () => {
    it('200: answers even while the store is down', async () => {
      faults.down = true;
      expect((await server.call('getLiveness')).body).to.deep.equal([{ name: 'http', status: 'Healthy' }]);
    });
  });

  describe('getReadiness', () => {
    it('200: the store answers', async () => {
      expect((await server.call('getReadiness')).status).to.equal(200);
    });

    it('503: the store does not answer, and is ready again without a restart', async () => {
      faults.down = true;
      expect(await server.call('getReadiness')).to.deep.include({
        status: 503,
        body: [{ name: 'store', status: 'Unhealthy' }],
      });
      faults.down = false;
      expect((await server.call('getReadiness')).status).to.equal(200);
    });
  });

  describe('getMetrics', () => {
    it('200: counts requests by operation and status', async () => {
      await server.call('getLiveness');
      const { body } = await server.call('getMetrics');
      expect(body).to.match(/credenza_request_seconds_count\{operation="getLiveness",status="200"\} [1-9]/);
    });
  });

  describe('getContract', () => {
    it('200: is the OpenAPI document of what is served, with this address', async () => {
      const { body } = await server.call('getContract');
      expect(body).to.include({ openapi: '3.1.0' });
      expect(body.servers).to.deep.equal([{ url: server.url }]);
      expect(body.paths).to.include.keys('/livez', '/onboard/issuer', '/openid4vc/verify', '/v1/revocations/check');
      expect(JSON.stringify(body)).to.not.include('common.yaml');
    });
  });

  describe('getDocsPage', () => {
    it('200: loads only files of this server', async () => {
      const { body, headers } = await server.call('getDocsPage');
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect([...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)).to.deep.equal([
        'docs/swagger-ui.css',
        'docs/swagger-ui-bundle.js',
        'docs/page.js',
      ]);
    });
  });

  describe('getDocsAsset', () => {
    it('200: serves each file with its type', async () => {
      for (const [asset, type] of [
        ['swagger-ui.css', 'text/css'],
        ['swagger-ui-bundle.js', 'text/javascript'],
        ['page.js', 'text/javascript'],
      ] as const) {
        const { headers } = await server.call('getDocsAsset', { path: { asset } });
        expect(headers.get('content-type')).to.equal(`${type}; charset=utf-8`);
      }
    });

    it('400: refuses every other name', async () => {
      expect((await server.call('getDocsAsset', { path: { asset: '../package.json' } })).status).to.equal(400);
    });
  });
});

describe('every answer', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ settings: { services: { corsOrigins: ['https://app.example.org'] } } });
  });
  after(() => server.close());

  it('404: an unknown path gets the error body with the request id', async () => {
    const answer = await server.fetch('/nothing', { headers: { 'x-request-id': 'my-id' } });
    expect(answer.status).to.equal(404);
    expect(answer.body).to.deep.equal({
      exception: true,
      id: 'NotFound',
      status: 'Not Found',
      code: '404',
      message: 'There is nothing at this path',
      requestId: 'my-id',
    });
    expect(answer.headers.get('x-request-id')).to.equal('my-id');
  });

  it('a request id that could be misread is replaced', async () => {
    const answer = await server.fetch('/livez', { headers: { 'x-request-id': 'a b<script>' } });
    expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('405: a known path with another method names the right ones', async () => {
    const answer = await server.fetch('/onboard/issuer', { method: 'DELETE' });
    expect(answer.status).to.equal(405);
    expect(answer.headers.get('allow')).to.include('POST');
    expect(answer.body.id).to.equal('MethodNotAllowed');
  });

  it('HEAD is answered as GET without a body', async () => {
    const response = await fetch(`${server.url}/livez`, { method: 'HEAD' });
    expect([response.status, await response.text()]).to.deep.equal([200, '']);
  });

  it('CORS: protocol endpoints take any origin, without credentials, and every documented header', async () => {
    const preflight = await server.fetch('/openid4vc/verify', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://portal.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'successredirecturi',
      },
    });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-origin')).to.equal('*');
    expect(preflight.headers.get('access-control-allow-credentials')).to.equal(null);
    const allowed = preflight.headers.get('access-control-allow-headers');
    for (const name of ['successredirecturi', 'errorredirecturi', 'statuscallbackuri', 'stateid', 'content-type'])
      expect(allowed).to.include(name);
  });

  it('CORS: the wallet takes only the configured origins, with credentials', async () => {
    const ask = (origin: string) =>
      server.fetch('/wallet-api/auth/login', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const known = await ask('https://app.example.org');
    expect(known.headers.get('access-control-allow-origin')).to.equal('https://app.example.org');
    expect(known.headers.get('access-control-allow-credentials')).to.equal('true');
    expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('the log has one line for each request, with its operation and without its content', async () => {
    await server.fetch('/wallet-api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'email', email: 'secret-person@example.org', password: 'secret-password' }),
    });
    const line = server.lines.findLast(({ message }) => message === 'request');
    expect(line?.fields).to.include({ operation: 'loginAccount', status: 401, method: 'POST' });
    expect(JSON.stringify(server.lines)).to.not.include('secret-');
  });
});
