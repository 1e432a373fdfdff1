import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTelemetry } from '../../adapters/metrics/open-telemetry.ts';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { silentLog } from '../support/servers/silent-log.ts';

type Json = Record<string, unknown>;
type Span = Json & { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Json[] };

/** All objects in a message that have a member. */
const within = (value: unknown, member: string): Json[] =>
  value === null || typeof value !== 'object'
    ? []
    : [...(member in value ? [value as Json] : []), ...Object.values(value).flatMap((one) => within(one, member))];

describe('Telemetry', () => {
  let folder: string;
  let collector: Server;
  const received: { path: string; text: string }[] = [];
  const running: CommandProcess[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-telemetry-'));
    await writeFile(join(folder, 'services.conf'), 'stopDelaySeconds = 0\n');
    await writeFile(join(folder, 'outbound.conf'), 'allow = ["127.0.0.1"]\n');
    collector = createServer(async (request, response) => {
      const chunks = await request.toArray();
      received.push({ path: request.url ?? '', text: Buffer.concat(chunks).toString() });
      response.setHeader('content-type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    collector.closeAllConnections();
    collector.close();
    await rm(folder, { recursive: true, force: true });
  });

  const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  async function serve(more: Record<string, string>): Promise<{ url: string; command: CommandProcess }> {
    const command = runCommandProcess(['serve'], { DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0', ...more });
    running.push(command);
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    return { url, command };
  }

  it('of a process: a span for each request below that of its caller, with calls and the store below it, and no personal data', async () => {
    const upstream: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      upstream.push(request.headers.traceparent as string);
      response.statusCode = 404;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { url, command } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector),
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'cards',
    });
    const [traceId, parent, person] = ['ab'.repeat(16), 'cd'.repeat(8), 'ada.lovelace'];
    const offer = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(`${urlOf(other)}/${person}`)}`;
    const account = { type: 'email', name: person, email: `${person}@example.org`, password: 'a long secret-password' };
    const headers = {
      traceparent: `00-${traceId}-${parent}-01`,
      tracestate: `vendor=${person}`,
      baggage: `who=${person}`,
      'user-agent': person,
      'x-request-id': person,
    };
    const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    expect((await post('/wallet-api/auth/register', account)).status).to.equal(201);
    const login = Object(await (await post('/wallet-api/auth/login', account)).json());
    const authorization = `Bearer ${login.token}`;
    const { wallets } = Object(
      await (await fetch(`${url}/wallet-api/wallet/accounts/wallets`, { headers: { authorization } })).json(),
    );
    const used = await post(`/wallet-api/wallet/${wallets[0].id}/exchange/useOfferRequest`, offer, {
      authorization,
      'content-type': 'text/plain',
    });
    expect(used.status).to.be.greaterThan(399);
    expect((await command.stop()).code).to.equal(0);
    other.close();

    const text = received.map((one) => one.text).join('\n');
    for (const secret of [person, login.token, wallets[0].id, 'secret-password'])
      expect(text, secret).to.not.include(secret);
    const traces = received.filter(({ path }) => path === '/v1/traces').map((one) => JSON.parse(one.text));
    expect(text).to.include('cards');
    const spans = within(traces, 'spanId') as Span[];
    const request = spans.find(({ name }) => name.startsWith('POST') && name.includes('useOfferRequest'));
    expect(request).to.include({ traceId, parentSpanId: parent, kind: 2 });
    const below = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(below.map(({ name }) => name)).to.include.members(['store get', 'GET']);
    const call = below.find(({ name }) => name === 'GET');
    expect(upstream).to.include(`00-${traceId}-${call?.spanId}-01`);
    const lines = command.output.err.split('\n').filter((line) => line.includes('"operation":"acceptCredentialOffer"'));
    expect(lines.map((line) => JSON.parse(line).traceId)).to.deep.equal([traceId]);
    const metrics = within(
      received.filter(({ path }) => path === '/v1/metrics').map((one) => JSON.parse(one.text)),
      'name',
    );
    expect(metrics.map(({ name }) => name)).to.include.members(['credenza_request_seconds', 'credenza_store_seconds']);
  });

  it('of a collector that is down does not stop a request, and the process ends in time', async () => {
    const { url, command } = await serve({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' });
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
    const { code, ms } = await command.stop();
    expect(code).to.equal(0);
    expect(ms).to.be.lessThan(10_000);
  });

  it('is off unless an endpoint is named, and with OTEL_SDK_DISABLED; /metrics has the process', async () => {
    const reporter = { version: '1', instance: 'a', log: silentLog };
    const off: Record<string, string>[] = [
      {},
      { OTEL_SERVICE_NAME: 'cards', OTEL_EXPORTER_OTLP_ENDPOINT: '' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector), OTEL_SDK_DISABLED: 'true' },
    ];
    for (const environment of off) expect(await openTelemetry(environment, reporter)).to.equal(undefined);
    const { url, command } = await serve({});
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_active_handles_total',
    ])
      expect(text).to.match(new RegExp(`^${name} `, 'm'));
    expect(text).to.match(/^credenza_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.\S+"\} 1$/m);
    expect(text).to.match(/^credenza_store_seconds_count\{operation="get",outcome="done"\} [1-9]/m);
    await command.stop();
  });
});
