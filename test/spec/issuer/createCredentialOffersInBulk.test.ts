import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LINES_AT_ONCE, MAX_LINES } from '../../../adapters/http/messages/lines.ts';
import { BulkCall, type BulkLine } from '../../actors/bulk-call.ts';
import { EventListener } from '../../actors/event-listener.ts';
import { from, STRANGERS } from '../../actors/strangers.ts';
import { until } from '../../support/runs/waiting.ts';
import { startServer, useServer } from '../../support/servers/server.ts';
import { CountingStore } from '../../support/stores/counting-store.ts';

const PROFILE = 'UniversityDegree_jwt_vc_json';
const OFFER = { profileId: PROFILE, authMethod: 'PRE_AUTHORIZED' };
const MEBIBYTE = 1024 * 1024;
const named = (count: number): { sessionId: string }[] =>
  Array.from({ length: count }, () => ({ ...OFFER, sessionId: randomUUID() }));

describe('createCredentialOffersInBulk', () => {
  let store: CountingStore;
  const server = useServer({
    wrapStore: (inner) => {
      store = new CountingStore(inner, 'issuance-sessions');
      return store;
    },
  });
  const post = (lines: readonly unknown[]) => server.call('createCredentialOffersInBulk', { lines });
  const postText = (text: string) =>
    server.call('createCredentialOffersInBulk', { text, contentType: 'application/x-ndjson' });
  const sessions = () => store.inserts;

  it('200: answers each line as a call of its own would be, with its number, in order', async () => {
    const before = sessions();
    const long = JSON.stringify({ ...OFFER, sessionId: 'x'.repeat(MEBIBYTE) });
    const text = [
      JSON.stringify({ ...OFFER, sessionId: 'course-4711' }),
      ' \t\r',
      '{"profileId":',
      JSON.stringify({ authMethod: 'PRE_AUTHORIZED' }),
      JSON.stringify({ ...OFFER, profileId: 'unknown' }),
      '[1]',
      long,
      '{"profileId":"a","profileId":"b"}',
      JSON.stringify({ ...OFFER, authMethod: 'AUTHORIZED', valueMode: 'BY_VALUE' }),
    ].join('\r\n');
    const { status, headers, body } = await postText(text);
    expect(status).to.equal(200);
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).to.deep.equal(['no-store', 'no']);
    expect(
      body.map((answer: BulkLine) => [answer.line, answer.status, answer.error?.details?.[0]?.path]),
    ).to.deep.equal([
      [1, 201, undefined],
      [3, 400, '/body'],
      [4, 400, '/body/profileId'],
      [5, 404, undefined],
      [6, 400, '/body'],
      [7, 413, undefined],
      [8, 400, '/body'],
      [9, 201, undefined],
    ]);
    const [first, , , , , , , last] = body;
    expect(first.offer).to.have.all.keys('offerId', 'profileId', 'authMethod', 'expiresAt', 'credentialOffer');
    expect(last.offer.issuerStateMode).to.equal('INCLUDE');
    expect(sessions() - before).to.equal(2);
    expect((await postText('')).body).to.deep.equal([]);
    expect((await postText('\n\r\n')).body).to.deep.equal([]);
  });

  it('200: an answer comes before the next line is sent; a line may arrive in pieces', async () => {
    const call = new BulkCall(server.url);
    for (const count of [1, 2, 3]) {
      const text = `${JSON.stringify(OFFER)}\n`;
      await call.write(text.slice(0, 20));
      await call.write(text.slice(20));
      await until(() => call.lines.length === count);
    }
    expect((await call.finish()).map(({ line, status }) => [line, status])).to.deep.equal(
      [1, 2, 3].map((n) => [n, 201]),
    );
  });

  it(`200: 2,000 offers from one call, at most ${LINES_AT_ONCE} in work at once`, async () => {
    const before = sessions();
    let open = (): void => undefined;
    store.gate = new Promise((resolve) => {
      open = resolve;
    });
    const call = new BulkCall(server.url);
    const sent = Array.from({ length: 20 }, () => Array.from({ length: 100 }, () => OFFER));
    const sending = (async () => {
      for (const part of sent) await call.send(...part);
    })();
    await until(() => store.running === LINES_AT_ONCE);
    open();
    await sending;
    const answers = await call.finish();
    expect(answers).to.have.length(2_000);
    expect(answers.every(({ line, status }, index) => status === 201 && line === index + 1)).to.equal(true);
    expect(new Set(answers.map(({ offer }) => offer.credentialOffer)).size).to.equal(2_000);
    expect(sessions() - before).to.equal(2_000);
    expect(store.most).to.equal(LINES_AT_ONCE);
  });

  it('413 of a line: reads no line after the 10,000th', async () => {
    const { body } = await post(Array.from({ length: MAX_LINES + 5 }, () => ({})));
    expect(body).to.have.length(MAX_LINES + 1);
    expect(body.at(-1)).to.include({ line: MAX_LINES + 1, status: 413 });
  });

  it('200: the same lines again get the same offers, and create none; the first event is reported once', async () => {
    const lines = named(20);
    const first = (await post(lines)).body;
    const count = sessions();
    const again = (await post(lines)).body;
    expect(again).to.deep.equal(first);
    expect(sessions()).to.equal(count);
    const listener = await EventListener.open(server, first[0].offer.offerId);
    await until(() => listener.ids.length > 0);
    listener.leave();
    expect(listener.events.map(({ event }) => event)).to.deep.equal(['credential_offer_created']);
  });

  it('200: one line many times at once, in two calls, is one offer', async () => {
    const count = sessions();
    const [line] = named(1);
    const lines = Array.from({ length: 30 }, () => line);
    const answers = (await Promise.all([post(lines), post(lines)])).flatMap(({ body }) => body);
    expect(new Set(answers.map(({ status, offer }: BulkLine) => `${status} ${offer?.credentialOffer}`)).size).to.equal(
      1,
    );
    expect(answers[0].status).to.equal(201);
    expect(sessions() - count).to.equal(1);
  });

  it('200: a transaction code of the caller comes again; 409 of a line: another request, or a generated code', async () => {
    const [a, b, c] = named(3) as [object, object, object];
    const own = { ...a, txCode: {}, txCodeValue: '123456' };
    const generated = { ...b, txCode: {} };
    expect((await post([own, generated, c])).body.map(({ status }: BulkLine) => status)).to.deep.equal([201, 201, 201]);
    const again = (await post([own, generated, { ...c, expiresInSeconds: 60 }])).body;
    expect(again.map(({ status }: BulkLine) => status)).to.deep.equal([201, 409, 409]);
    expect(again[0].offer.txCodeValue).to.equal('123456');
    const { status } = await server.call('createCredentialOffer', { json: own });
    expect(status, 'the single call').to.equal(409);
    server.clock.advance(301_000);
    expect((await post([own])).body[0].status, 'after its expiry').to.equal(409);
  });

  it('a client that leaves: what was begun is whole, half a line is nothing, and a retry creates the rest', async () => {
    const lines = named(40);
    const before = sessions();
    const call = new BulkCall(server.url);
    await call.send(...lines.slice(0, 20));
    await call.write(JSON.stringify(lines[20]));
    await until(() => call.lines.length === 20);
    const known = call.lines;
    call.leave();
    await until(() => store.running === 0 && sessions() - before === 20);
    const { body } = await post(lines);
    expect(body.slice(0, 20)).to.deep.equal(known);
    expect(body.map(({ status }: BulkLine) => status)).to.deep.equal(lines.map(() => 201));
    expect(sessions() - before).to.equal(40);
  });

  it('415: another media type; 503: a ninth body at the same time', async () => {
    expect((await server.call('createCredentialOffersInBulk', { json: [OFFER] })).status).to.equal(415);
    const headers = { 'content-encoding': 'gzip' };
    expect((await server.call('createCredentialOffersInBulk', { lines: [OFFER], headers })).status).to.equal(415);
    const calls = Array.from({ length: 8 }, () => new BulkCall(server.url));
    for (const call of calls) await call.send(OFFER);
    await until(() => calls.every((call) => call.lines.length === 1));
    const refused = await post([OFFER]);
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5']);
    calls[0]?.leave();
    await until(async () => (await post([])).status === 200);
    await Promise.all(calls.slice(1).map((call) => call.finish()));
  });

  it('429 of a line: each counts as a call, and says when it can be sent again', async () => {
    const limited = await startServer({
      settings: { ...STRANGERS, rateLimit: { open_endpoints: { requestsPerMinute: 3 } } },
    });
    const { body } = await limited.call('createCredentialOffersInBulk', {
      lines: [OFFER, OFFER, OFFER],
      headers: from(1),
    });
    await limited.close();
    expect(body.map(({ status }: BulkLine) => status)).to.deep.equal([201, 201, 429]);
    expect(body[2].retryAfterSeconds).to.equal(60);
  });

  it('a server that stops answers every line that it has begun, and ends the answer', async () => {
    const stopping = await startServer();
    const lines = named(3);
    const call = new BulkCall(stopping.url);
    await call.send(...lines);
    await until(() => call.lines.length === 3);
    const closed = stopping.close();
    const answers = await call.ended();
    call.leave();
    await closed;
    expect(call.ending).to.equal('complete');
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
  });
});
