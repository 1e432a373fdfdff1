import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ClientAddresses } from '../../../adapters/http/edge/client-addresses.ts';
import { RateLimits } from '../../../adapters/http/edge/rate-limits.ts';
import { buildApplication } from '../../../adapters/http/edge/server.ts';
import { withValidators } from '../../../adapters/http/edge/validation.ts';
import { loadContract } from '../../../adapters/http/messages/document.ts';
import type { AnyHandler } from '../../../adapters/http/messages/operations.ts';
import { MemoryCounters } from '../../../adapters/memory/counters.ts';
import { DomainError, oauthError } from '../../../domain/foundation/errors.ts';
import type { LimitRule } from '../../../ports/counters.ts';
import { NO_TRACING } from '../../../ports/tracing.ts';
import { joinDocuments, readDocuments, withResolved } from '../../../scripts/join-documents.mjs';
import { handStopwatch } from '../../support/stores/counters.ts';

/** Endpoints with a target in the path, GET and POST. */
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  'x-cors': 'any',
  paths: {
    '/v1/{target}/request': {
      parameters: [{ name: 'target', in: 'path', required: true, schema: { type: 'string' } }],
      get: operation('getRequest', 'verifier2_request_endpoint'),
      post: {
        ...operation('postRequest', 'verifier2_response_endpoint'),
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
    '/unlimited': { get: operation('getUnlimited') },
  },
};

function operation(operationId: string, section?: string): Record<string, unknown> {
  const responses = { 200: { description: 'x', content: { 'application/json': { schema: {} } } } };
  return { operationId, security: [], responses, ...(section ? { 'x-rate-limit': section } : {}) };
}

const backoff = { windowSeconds: 60, threshold: 2, blockSeconds: 300 };
const RULES: Record<string, LimitRule> = {
  verifier2_request_endpoint: { requestsPerMinute: 3 },
  verifier2_response_endpoint: { requestsPerMinute: 100, backoff },
};
const joined = withResolved(joinDocuments({ ...readDocuments(), own: DOCUMENT }));
const nothing = () => {};
const LOG = { debug: nothing, info: nothing, warn: nothing, error: nothing };

describe('limits in the router', () => {
  let server: Server;
  let url: string;
  let handle: AnyHandler;
  let calls: number;

  async function build(rules: Record<string, LimitRule>) {
    const contract = loadContract({
      joined: await joined,
      documents: ['own'],
      features: [],
      publicUrl: 'http://127.0.0.1',
    });
    const limits = new RateLimits({
      counters: new MemoryCounters(handStopwatch()),
      rules,
      metrics: { limited: nothing },
    });
    const handler: AnyHandler = (input) => {
      calls += 1;
      return handle(input);
    };
    return buildApplication({
      ...withValidators(contract),
      handlers: { getRequest: handler, postRequest: handler, getUnlimited: handler },
      sessions: { authenticate: async () => undefined },
      admission: {},
      origins: { publicUrl: 'http://127.0.0.1', corsOrigins: [] },
      limits,
      streams: { timers: { every: () => nothing }, connections: { whenEnding: () => nothing } },
      sources: new ClientAddresses([]),
      log: LOG,
      metrics: { request: nothing },
      tracing: NO_TRACING,
    });
  }

  beforeEach(async () => {
    calls = 0;
    handle = async () => ({ status: 200, body: {} });
    server = createServer((await build(RULES)).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const call = async (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> => {
    const body = method === 'POST' ? '{}' : undefined;
    return fetch(`${url}${path}`, { method, body, headers: { 'content-type': 'application/json', ...headers } });
  };
  const statuses = async (method: string, path: string, times: number): Promise<number[]> => {
    const all: number[] = [];
    for (let n = 0; n < times; n += 1) all.push((await call(method, path)).status);
    return all;
  };

  it('counts HEAD as GET', async () => {
    expect(await statuses('HEAD', '/v1/acme.verifier/request', 2)).to.deep.equal([200, 200]);
    expect(await statuses('GET', '/v1/acme.verifier/request', 2)).to.deep.equal([200, 429]);
    expect(await statuses('HEAD', '/v1/acme.verifier/request', 1)).to.deep.equal([429]);
  });

  it('counts neither OPTIONS nor preflight requests', async () => {
    const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    for (let n = 0; n < 6; n += 1) expect((await call('OPTIONS', '/v1/a/request', preflight)).status).to.equal(204);
    for (let n = 0; n < 6; n += 1) expect((await call('OPTIONS', '/v1/a/request')).status).to.equal(204);
    expect(await statuses('GET', '/v1/a/request', 4)).to.deep.equal([200, 200, 200, 429]);
  });

  it('counts each service separately, and all other targets together', async () => {
    expect(await statuses('GET', '/v1/acme.one/request', 4)).to.deep.equal([200, 200, 200, 429]);
    expect(await statuses('GET', '/v1/acme.%6Fne/request', 1)).to.deep.equal([429]);
    expect(await statuses('GET', '/v1/acme.two/request', 1)).to.deep.equal([200]);
    const wrong = ['a%20b', 'a..b', '.a', 'a%2Fb', 'x'.repeat(129), 'ä'].map((target) => `/v1/${target}/request`);
    const all: number[] = [];
    for (const path of wrong) all.push(...(await statuses('GET', path, 1)));
    expect(all).to.deep.equal([200, 200, 200, 429, 429, 429]);
  });

  it('does not limit operations without a section', async () => {
    expect(new Set(await statuses('GET', '/unlimited', 20))).to.deep.equal(new Set([200]));
    expect((await call('GET', '/unlimited')).headers.get('ratelimit')).to.equal(null);
  });

  it('exposes its headers to web pages', async () => {
    const { headers } = await call('GET', '/v1/a/request', { origin: 'https://a.example' });
    expect(headers.get('access-control-expose-headers')).to.include('ratelimit').and.include('retry-after');
  });

  it('does not start with an operation of an unknown section', async () => {
    const failed = await build({}).catch((error: Error) => error.message);
    expect(failed).to.equal('There is no rate limit verifier2_request_endpoint');
  });

  describe('failures', () => {
    const path = '/v1/acme.verifier/request';
    const failing = (error: Error): void => {
      handle = () => Promise.reject(error);
    };

    it('block from the one that reaches the threshold, which has its own answer', async () => {
      failing(new DomainError('BadRequest', 'no'));
      expect(await statuses('POST', path, 4)).to.deep.equal([400, 400, 429, 429]);
      expect(calls).to.equal(2);
      expect(await statuses('POST', '/v1/acme.other/request', 1)).to.deep.equal([400]);
    });

    it('include those that a handler answers', async () => {
      handle = async () => ({ status: 404, body: {} });
      expect(await statuses('POST', path, 3)).to.deep.equal([404, 404, 429]);
    });

    it('are not reset by successes in between', async () => {
      failing(new DomainError('NotFound', 'no'));
      await call('POST', path);
      handle = async () => ({ status: 200, body: {} });
      await call('POST', path);
      failing(oauthError('invalid_grant', 'no'));
      expect(await statuses('POST', path, 2)).to.deep.equal([400, 429]);
    });

    const innocent: [string, Error][] = [
      ['our own', new Error('oops')],
      ['those of the store', new DomainError('StoreUnavailable', 'no')],
      ['those of others', new DomainError('UpstreamFailed', 'no')],
      ['answers that ask to come again', oauthError('issuance_pending', 'later')],
    ];
    for (const [what, error] of innocent)
      it(`are not ${what}`, async () => {
        failing(error);
        expect(await statuses('POST', path, 6)).to.not.include(429);
      });

    it('are not requests that were refused earlier: a malformed body, another media type', async () => {
      for (let n = 0; n < 6; n += 1) {
        const text = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
        expect((await fetch(`${url}${path}`, text)).status).to.equal(400);
        expect((await fetch(`${url}${path}`, { method: 'POST', body: 'x' })).status).to.equal(415);
      }
      expect(await statuses('POST', path, 1)).to.deep.equal([200]);
    });
  });
});
