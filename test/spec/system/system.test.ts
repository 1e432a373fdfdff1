import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

/** The answer as sent: fetch would request compression and undo it. */
const wire = (
  url: string,
  encoding?: string,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
    get(url, { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) });
    }).on('error', reject);
  });

/** The files that a browser loads to show the API page. */
const PAGE_PATHS = [
  '/docs',
  '/api.json',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/page.js',
  '/docs/favicon.svg',
  '/favicon.ico',
];

describe('the service itself', () => {
  const faults = new StoreFaults();
  const server = useServer({
    wrapStore: (store) => new FaultyStore(store, faults),
    settings: { services: { corsOrigins: ['https://app.example.org'] } },
  });
  afterEach(() => {
    faults.down = false;
  });

  describe('getLiveness', () => {
    it('200: also while the store is unreachable', async () => {
      faults.down = true;
      expect((await server.call('getLiveness')).body).to.deep.equal([{ name: 'http', status: 'Healthy' }]);
    });
  });

  describe('getReadiness', () => {
    it('200: the store answers', async () => {
      expect((await server.call('getReadiness')).status).to.equal(200);
    });

    it('503: the store does not answer; ready again without a restart', async () => {
      faults.down = true;
      expect(await server.call('getReadiness')).to.deep.include({
        status: 503,
        body: [{ name: 'store', status: 'Unhealthy', reason: 'The store cannot be reached' }],
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
    it('200: is the OpenAPI document of the enabled services, with this address', async () => {
      const { body } = await server.call('getContract');
      expect(body).to.include({ openapi: '3.1.0' });
      expect(body.servers).to.deep.equal([{ url: server.url }]);
      expect(body.paths).to.include.keys('/livez', '/onboard/issuer', '/openid4vc/verify', '/v1/revocations/check');
      expect(JSON.stringify(body)).to.not.include('common.yaml');
    });

    it('200: of one audience, with what its operations use; every operation is of one of the two', async () => {
      const [management, protocol, all] = await Promise.all(
        ['?audience=management', '?audience=protocol', ''].map(
          async (query) => (await server.fetch(`/api.json${query}`)).body,
        ),
      );
      const idsOf = ({ paths }: { paths: Record<string, object> }): string[] =>
        Object.values(paths)
          .flatMap((item) => Object.values(item))
          .flatMap(({ operationId = [] }) => operationId);
      expect([...idsOf(management), ...idsOf(protocol)].sort()).to.deep.equal(idsOf(all).sort());
      expect(idsOf(management)).to.include.members(['createCredentialOffer', 'createTenant', 'listWalletKeys']);
      expect(idsOf(protocol)).to.include.members(['requestOpenid4vciToken', 'getStatusList', 'getLiveness']);
      const schemas = ({ components }: { components: { schemas: object } }) => Object.keys(components.schemas);
      expect(schemas(protocol)).to.include('Problem').and.not.include('AuditPage');
      expect(schemas(management)).to.include.members(['Problem', 'AuditPage']);
      for (const { tags, servers } of [management, protocol]) {
        expect(tags.length).to.be.lessThan(all.tags.length);
        expect(servers).to.deep.equal(all.servers);
      }
    });

    it('400: for another audience', async () => {
      const { status, body } = await server.call('getContract', { query: { audience: 'all' } });
      expect([status, body.details[0].path]).to.deep.equal([400, '/query/audience']);
    });
  });

  describe('getDocsPage', () => {
    it('200: loads only files of this server', async () => {
      const { body, headers } = await server.call('getDocsPage');
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect([...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)).to.deep.equal([
        'docs/favicon.svg',
        'docs/swagger-ui.css',
        'docs/swagger-ui-bundle.js',
        'docs/page.js',
      ]);
    });

    it('200: ignores query parameters', async () => {
      for (const path of ['/docs?x', '/docs?x=1&x=2', '/docs/page.js?v=3'])
        expect((await server.fetch(path)).status, path).to.equal(200);
    });

    for (const path of PAGE_PATHS) {
      it(`200: ${path} is compressed for a caller that accepts gzip, and the same text for one that does not`, async () => {
        const plain = await wire(`${server.url}${path}`);
        expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).to.deep.equal([
          200,
          undefined,
          'Accept-Encoding',
        ]);
        for (const encoding of ['gzip, deflate, br', 'GZIP;q=0.5', '*']) {
          const packed = await wire(`${server.url}${path}`, encoding);
          expect([packed.status, packed.headers['content-encoding']], encoding).to.deep.equal([200, 'gzip']);
          expect(gunzipSync(packed.bytes).equals(plain.bytes)).to.equal(true);
          expect(packed.headers['content-length']).to.equal(String(packed.bytes.length));
          expect(packed.headers['content-type']).to.equal(plain.headers['content-type']);
          if (plain.bytes.length > 1000) expect(packed.bytes.length).to.be.below(plain.bytes.length * 0.6);
        }
        for (const encoding of ['br', 'gzip;q=0', 'gzip; q=0.000, *', 'identity'])
          expect((await wire(`${server.url}${path}`, encoding)).headers, encoding).to.not.have.property(
            'content-encoding',
          );
      });
    }
  });

  describe('getFavicon', () => {
    it('200: the icon of the API page, for every page of this address', async () => {
      const { body, headers } = await server.call('getFavicon');
      expect(headers.get('content-type')).to.equal('image/svg+xml; charset=utf-8');
      expect(body).to.equal((await server.call('getDocsAsset', { path: { asset: 'favicon.svg' } })).body);
    });
  });

  describe('getDocsAsset', () => {
    it('200: serves each file with its type', async () => {
      for (const [asset, type] of [
        ['swagger-ui.css', 'text/css'],
        ['swagger-ui-bundle.js', 'text/javascript'],
        ['page.js', 'text/javascript'],
        ['favicon.svg', 'image/svg+xml'],
      ] as const) {
        const { headers } = await server.call('getDocsAsset', { path: { asset } });
        expect(headers.get('content-type')).to.equal(`${type}; charset=utf-8`);
      }
    });

    it('200: each group of operations links a page that is served', async () => {
      const { tags } = (await server.call('getContract')).body;
      for (const { name, externalDocs } of tags as { name: string; externalDocs: { url: string } }[]) {
        const { status, headers, body } = await server.fetch(`/${externalDocs.url}`);
        expect([status, headers.get('content-type')], name).to.deep.equal([200, 'text/plain; charset=utf-8']);
        expect(body, name).to.match(/^# /);
      }
    });

    it('200: is cached by browsers for an hour', async () => {
      const { headers } = await server.call('getDocsAsset', { path: { asset: 'swagger-ui-bundle.js' } });
      expect(headers.get('cache-control')).to.equal('public, max-age=3600');
    });

    for (const path of PAGE_PATHS) {
      it(`304: ${path} is not sent again to a caller that has it in this encoding`, async () => {
        const etagOf = async (encoding?: string) => String((await wire(`${server.url}${path}`, encoding)).headers.etag);
        const [plain, packed] = [await etagOf(), await etagOf('gzip')];
        expect(plain)
          .to.match(/^"[A-Za-z0-9_-]{22}"$/)
          .and.not.equal(packed);
        const ask = (encoding: string, known: string) =>
          server.fetch(path, { headers: { 'accept-encoding': encoding, 'if-none-match': known } });
        for (const [encoding, known, status] of [
          ['identity', plain, 304],
          ['gzip', packed, 304],
          ['gzip', `"other", W/${packed}`, 304],
          ['identity', '*', 304],
          ['identity', packed, 200],
          ['gzip', '"other"', 200],
        ] as const)
          expect((await ask(encoding, known)).status, `${encoding} ${known}`).to.equal(status);
      });
    }

    it('400: refuses every other name', async () => {
      expect((await server.call('getDocsAsset', { path: { asset: '../package.json' } })).status).to.equal(400);
    });
  });
});

describe('every answer', () => {
  const server = useServer({ settings: { services: { corsOrigins: ['https://app.example.org'] } } });

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

  it('a request id with unsafe characters is replaced', async () => {
    const answer = await server.fetch('/livez', { headers: { 'x-request-id': 'a b<script>' } });
    expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('405: a known path with another method names the allowed ones', async () => {
    const answer = await server.fetch('/onboard/issuer', { method: 'DELETE' });
    expect(answer.status).to.equal(405);
    expect(answer.headers.get('allow')).to.include('POST');
    expect(answer.body.id).to.equal('MethodNotAllowed');
  });

  it('HEAD is answered as GET without a body', async () => {
    const response = await fetch(`${server.url}/livez`, { method: 'HEAD' });
    expect([response.status, await response.text()]).to.deep.equal([200, '']);
  });

  it('CORS: protocol endpoints allow any origin, without credentials, and every documented header', async () => {
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

  it('CORS: the wallet allows only the configured origins, with credentials', async () => {
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
