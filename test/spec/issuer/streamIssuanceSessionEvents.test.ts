import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { EventListener } from '../../actors/event-listener.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { until } from '../../support/runs/waiting.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import { HistoryWriter } from '../../support/stores/history-writer.ts';

describe('streamIssuanceSessionEvents', () => {
  let dataDir: string;
  let server: TestServer;
  let writer: HistoryWriter;
  let session: string;
  const open: EventListener[] = [];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-streams-'));
    server = await startServer({ store: 'sqlite', dataDir });
    writer = await HistoryWriter.open(server.settings);
  });
  beforeEach(async () => {
    session = randomUUID();
    await writer.report(session, 'credential_offer_created', 'credential_offer_retrieved');
  });
  afterEach(() => {
    for (const listener of open.splice(0)) listener.leave();
  });
  after(async () => {
    await writer.close();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function follow(headers?: Record<string, string>, query?: string): Promise<EventListener> {
    const listener = await EventListener.open(server, session, { headers, query });
    open.push(listener);
    return listener;
  }
  const refused = (call: { id?: string; headers?: Record<string, string>; query?: Record<string, string> }) =>
    server.call('streamIssuanceSessionEvents', { path: { sessionId: call.id ?? session }, ...call });

  it('200: everything from the first event on, then what another instance reports, for no cache', async () => {
    const listener = await follow();
    await until(() => listener.ids.length === 2);
    await writer.report(session, 'nonce_request_succeeded');
    server.clock.advance(1000);
    await until(() => listener.ids.length === 3);
    expect(listener.ids).to.deep.equal([1, 2, 3]);
    expect(listener.events.map(({ event }) => event)).to.deep.equal([
      'credential_offer_created',
      'credential_offer_retrieved',
      'nonce_request_succeeded',
    ]);
    for (const event of listener.events) {
      expect(event).to.have.all.keys('target', 'event', 'session');
      expect(event.target).to.equal(session);
      expect(event.session).to.include({ sessionId: session, status: 'ACTIVE' });
    }
    expect(listener.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(listener.headers.get('cache-control')).to.equal('no-store');
    expect(listener.headers.get('x-accel-buffering')).to.equal('no');
    expect(listener.text).to.match(/^retry: 1000\n\n/);
  });

  it('200: goes on after Last-Event-ID, or after lastEventId of the query; the header comes first', async () => {
    const continued = await follow({ 'last-event-id': '1' });
    await until(() => continued.ids.length === 1);
    expect(continued.ids).to.deep.equal([2]);
    const query = '?lastEventId=1';
    const [byQuery, byHeader] = [await follow({}, query), await follow({ 'last-event-id': '0' }, query)];
    await until(() => byQuery.ids.length === 1 && byHeader.ids.length === 2);
    expect([byQuery.ids, byHeader.ids]).to.deep.equal([[2], [1, 2]]);
  });

  it('400: refuses a number that is none, or that no event of the session has', async () => {
    for (const wrong of ['-1', '1.5', '01', 'x', '3', '999999999999999']) {
      const { status, body } = await refused({ headers: { 'last-event-id': wrong } });
      expect([status, body.details[0].path.toLowerCase()], wrong).to.deep.equal([400, '/header/last-event-id']);
    }
    const { status, body } = await refused({ query: { lastEventId: '3' } });
    expect([status, body.details[0].path]).to.deep.equal([400, '/query/lastEventId']);
  });

  it('404: an unknown session; a session of the drafts, whose id stands in its QR code and whose events have the credential', async () => {
    expect((await refused({ id: 'unknown' })).status).to.equal(404);
    const callback = await startCallback();
    const headers = { statusCallbackUri: `${callback.url}/$id` };
    const { id } = await makeOffer(server, degree(await onboard(server)), { headers });
    expect(callback.events).to.have.length(1);
    expect((await refused({ id })).status).to.equal(404);
    await callback.goAway();
  });

  it('429: a ninth stream of one session; when one leaves, another can come', async () => {
    const listeners: EventListener[] = [];
    for (let n = 0; n < 8; n += 1) listeners.push(await follow());
    const { status, headers } = await refused({});
    expect([status, headers.get('retry-after')]).to.deep.equal([429, '5']);
    listeners[3]?.leave();
    await until(async () => {
      const next = await follow().catch(() => undefined);
      return next !== undefined;
    });
    expect(server.lines.filter(({ message }) => message === 'connection failed')).to.deep.equal([]);
  });

  it('sends a comment each 15 seconds, and nothing else while nothing happens', async () => {
    const listener = await follow({ 'last-event-id': '2' });
    for (let comments = 1; comments <= 3; comments += 1) {
      server.clock.advance(14_999);
      server.clock.advance(1);
      await until(() => listener.comments === comments);
    }
    expect(listener.ids).to.deep.equal([]);
  });

  it('ends when the server stops, with every event that it has sent whole', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-streams-'));
    const stopping = await startServer({ store: 'sqlite', dataDir: folder });
    const other = await HistoryWriter.open(stopping.settings);
    await other.report(session, 'credential_offer_created');
    const listener = await EventListener.open(stopping, session);
    await until(() => listener.ids.length === 1);
    await other.close();
    await stopping.close();
    await until(() => listener.isEnded);
    expect(listener.text.endsWith('\n\n')).to.equal(true);
    await rm(folder, { recursive: true, force: true });
  });
});
