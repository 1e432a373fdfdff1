import { expect } from 'chai';
import { EventListener } from '../../actors/event-listener.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { until } from '../../support/runs/waiting.ts';
import { useServer } from '../../support/servers/server.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups are changed in any member
type Json = Record<string, any>;

const DONE = 'https://shop.example.org/done?from=wallet#end';
const sameDevice = (more: Json = {}): Json => ({
  ...crossDevice(),
  flow_type: 'same_device',
  redirects: { success_redirect_uri: DONE },
  ...more,
});

describe('getVerificationSession', () => {
  const server = useServer();
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });
  const info = (sessionId: string) => server.call('getVerificationSession', { path: { sessionId } });

  it('200: neither keys nor secrets of webhooks, before and after the response', async () => {
    const { key, x5c, hash: clientId } = await certifiedKey();
    const hook = await new HttpPeer().listen();
    const webhook = { url: `${hook.url}/$id`, bearer_token: 'bearer-secret' };
    const core = { signed_request: true, encrypted_response: true, key, x5c, clientId, notifications: { webhook } };
    const created = await vp.create(crossDevice(core));
    const request = await vp.request(created);
    const texts = [await info(created.sessionId)];
    await vp.respond(request, await vp.response(request));
    texts.push(await info(created.sessionId));
    for (const { body, headers } of texts) {
      const text = JSON.stringify(body);
      expect(headers.get('cache-control')).to.equal('no-store');
      for (const secret of [String(key.jwk.d), 'bearer-secret', '"d":']) expect(text).to.not.include(secret);
      expect(body.notifications.webhook).to.deep.equal({ url: `${hook.url}/${created.sessionId}` });
    }
    await hook.close();
    expect(texts.map(({ body }) => body.status)).to.deep.equal(['IN_USE', 'SUCCESSFUL']);
  });

  it('200: EXPIRED after its end; 404: unknown, and after the retention', async () => {
    const created = await vp.create(crossDevice({ expiration_duration: 'PT5M' }));
    server.clock.advance(300_000);
    expect((await vp.info(created)).status).to.equal('EXPIRED');
    server.clock.advance(86_400_000);
    expect((await info(created.sessionId)).status).to.equal(404);
    expect((await info('unknown')).status).to.equal(404);
  });

  it('400: an id that is too long', async () => {
    expect((await info('x'.repeat(129))).status).to.equal(400);
  });
});

describe('redeemResponseCode', () => {
  const server = useServer();
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });
  const redeem = ({ sessionId }: Json, response_code: unknown) =>
    server.call('redeemResponseCode', { path: { sessionId }, json: { response_code } });

  const overLink = async (created: Json) => {
    const request = await vp.request(created);
    return vp.respond(request, await vp.response(request));
  };
  const overDcApi = async (created: Json, origin: string) => {
    const request = { parameters: created.data.digital.requests[0].data, requestId: created.sessionId };
    const { vp_token } = await vp.response(request, { audience: `origin:${origin}` });
    const path = { requestId: created.sessionId };
    return server.call('submitAuthorizationResponse', { path, json: { data: { vp_token }, origin } });
  };

  /** Presents; returns the session and the code of the redirect. */
  async function presented(setup: Json): Promise<{ created: Json; code: string; redirect: URL }> {
    const created = await vp.create(setup);
    const redirect = new URL((await overLink(created)).body.redirect_uri);
    return { created, redirect, code: redirect.searchParams.get('response_code') ?? '' };
  }

  it('200: the result of a flow on one device is for the browser that brings the code, once', async () => {
    const { created, redirect, code } = await presented(sameDevice());
    expect(redirect.href).to.equal(`https://shop.example.org/done?from=wallet&response_code=${code}#end`);
    expect(code).to.have.length(43);
    const before = await vp.info(created);
    expect(before.status).to.equal('PROCESSING_FLOW');
    expect(before).to.not.have.any.keys('presented_credentials', 'presented_raw_data', 'policy_results');
    const { status, body } = await redeem(created, code);
    expect([status, body.status]).to.deep.equal([200, 'SUCCESSFUL']);
    expect(body.presented_credentials.degree).to.have.length(1);
    expect((await redeem(created, code)).status).to.equal(409);
    expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
  });

  it('200: between two devices the result is shown without the code too', async () => {
    const { created, code } = await presented(crossDevice({}, { redirects: { success_redirect_uri: DONE } }));
    expect((await vp.info(created)).presented_credentials.degree).to.have.length(1);
    expect((await redeem(created, code)).status).to.equal(200);
  });

  it('200: with response_code the result of any flow is handed over once, for the code that info shows after success', async () => {
    const origin = new URL(DONE).origin;
    const overPage = { ...crossDevice(), flow_type: 'dc_api_openid4vp', expectedOrigins: [origin] };
    for (const setup of [overPage, crossDevice({}, { redirects: { success_redirect_uri: DONE } })]) {
      const created = await vp.create({ ...setup, response_code: true });
      expect(await vp.info(created)).to.not.include.keys('response_code');
      const answer = await (created.data ? overDcApi(created, origin) : overLink(created));
      expect([answer.status, answer.body.redirect_uri]).to.deep.equal([200, created.data ? undefined : DONE]);
      const shown = await vp.info(created);
      expect(shown.status).to.equal('SUCCESSFUL');
      expect(shown.response_code).to.have.length(43);
      expect(shown).to.not.have.any.keys('presented_credentials', 'presented_raw_data', 'policy_results');
      const { status, body } = await redeem(created, shown.response_code);
      expect([status, body.presented_credentials?.degree.length, body.response_code]).to.deep.equal([
        200,
        1,
        undefined,
      ]);
      expect((await redeem(created, shown.response_code)).status).to.equal(409);
      expect(await vp.info(created))
        .to.include.keys('presented_credentials')
        .and.not.include.keys('response_code');
    }
    const { status, body } = await server.call('createVerificationSession', {
      json: sameDevice({ response_code: false }),
    });
    expect([status, body.details[0].path]).to.deep.equal([400, '/body/response_code']);
  });

  it('400: another code, that of another session, none; the right one is still good', async () => {
    const [first, second] = [await presented(sameDevice()), await presented(sameDevice())];
    for (const wrong of [second.code, 'x', '', undefined]) {
      const { status, body } = await redeem(first.created, wrong);
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/response_code']);
    }
    expect((await redeem(first.created, first.code)).status).to.equal(200);
  });

  it('404: an unknown session; 409: one without a code; 413 and 415: no JSON of this size', async () => {
    expect((await redeem({ sessionId: 'unknown' }, 'x')).status).to.equal(404);
    expect((await redeem(await vp.create(), 'x')).status).to.equal(409);
    const path = { sessionId: 'any' };
    const text = JSON.stringify({ response_code: 'x'.repeat(1024 * 1024) });
    const large = await server.call('redeemResponseCode', { path, text, contentType: 'application/json' });
    const other = await server.call('redeemResponseCode', { path, text: 'x', contentType: 'text/plain' });
    expect([large.status, other.status]).to.deep.equal([413, 415]);
  });

  it('of 50 at once one gets the result', async () => {
    const { created, code } = await presented(sameDevice());
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(created, code)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 409)).to.have.length(49);
  });
});

describe('streamVerificationSessionEvents', () => {
  const server = useServer();
  let vp: Openid4vp;
  const open: EventListener[] = [];
  before(async () => {
    vp = await Openid4vp.with(server);
  });
  afterEach(() => {
    for (const listener of open.splice(0)) listener.leave();
  });
  async function follow(sessionId: string, headers?: Record<string, string>): Promise<EventListener> {
    const operation = 'streamVerificationSessionEvents';
    const listener = await EventListener.open(server, sessionId, { headers, operation });
    open.push(listener);
    return listener;
  }
  const refused = (sessionId: string, more: Json = {}) =>
    server.call('streamVerificationSessionEvents', { path: { sessionId }, ...more });

  it('200: everything from the first event on, then what happens, without anything that was presented', async () => {
    const created = await vp.create(sameDevice());
    const request = await vp.request(created);
    const listener = await follow(created.sessionId);
    expect(listener.ids).to.deep.equal([]);
    await vp.fetch(request.requestId);
    await until(() => listener.ids.length === 1);
    await vp.respond(request, await vp.response(request));
    await until(() => listener.ids.length === 7);
    expect(listener.ids).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    for (const event of listener.events as Json[]) {
      expect(event).to.have.all.keys('target', 'event', 'session');
      expect(event.target).to.equal(created.sessionId);
      expect(event.session.status).to.be.oneOf(['IN_USE', 'PROCESSING_FLOW']);
    }
    const { parameters } = request;
    for (const secret of ['BachelorDegree', parameters.state, request.requestId, 'response_code'])
      expect(listener.text).to.not.include(secret);
    const rest = await follow(created.sessionId, { 'last-event-id': '5' });
    await until(() => rest.ids.length === 2);
    expect(rest.ids).to.deep.equal([6, 7]);
  });

  it('400: a number that no event has; 404: an unknown session, and the id of its request', async () => {
    const created = await vp.create();
    const request = await vp.request(created);
    await vp.fetch(request.requestId);
    const wrong = await refused(created.sessionId, { headers: { 'last-event-id': '9' } });
    expect([wrong.status, wrong.body.details[0].path]).to.deep.equal([400, '/header/Last-Event-ID']);
    expect((await refused('unknown')).status).to.equal(404);
    expect((await refused(request.requestId)).status).to.equal(404);
  });

  it('429: a ninth stream of one session', async () => {
    const created = await vp.create();
    await vp.fetch((await vp.request(created)).requestId);
    for (let n = 0; n < 8; n += 1) await follow(created.sessionId);
    const { status, headers } = await refused(created.sessionId);
    expect([status, headers.get('retry-after')]).to.deep.equal([429, '5']);
  });

  it('a webhook gets the same events in their order, with its credentials', async () => {
    const hook = await new HttpPeer().listen();
    for (const [credentials, authorization] of [
      [{ bearer_token: 'b-1' }, 'Bearer b-1'],
      [
        { basic_auth_username: 'ada', basic_auth_password: 'p:w' },
        `Basic ${Buffer.from('ada:p:w').toString('base64')}`,
      ],
    ] as const) {
      const path = `/hook-${authorization.slice(0, 5)}`;
      const received: Json[] = [];
      hook.routes[path] = ({ body, headers }) => {
        received.push({ ...JSON.parse(body), authorization: headers.authorization });
        return {};
      };
      const webhook = { url: `${hook.url}${path}`, ...credentials };
      const created = await vp.create(crossDevice({ notifications: { webhook } }));
      const request = await vp.request(created);
      await vp.fetch(request.requestId);
      await vp.respond(request, await vp.response(request));
      await until(() => received.length === 7);
      expect(received.map(({ event }) => event)).to.deep.equal(await vp.events(created));
      for (const one of received) expect(one).to.include({ authorization, target: created.sessionId });
    }
    await hook.close();
  });
});
