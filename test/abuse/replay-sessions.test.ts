import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import { exactlyOne, type Installation, install, race } from './races.ts';

// biome-ignore lint/suspicious/noExplicitAny: sessions are read in any member
type Json = Record<string, any>;

const redirects = { success_redirect_uri: 'https://shop.example.org/done' };

describe('verification sessions on two instances', () => {
  let all: Installation;
  let vp: Openid4vp;
  before(async () => {
    all = await install('two instances on one SQLite file');
    vp = await Openid4vp.with(all.server);
  });
  after(() => all.close());

  const redeem = ({ sessionId }: Json, response_code: string) =>
    all.server.call('redeemResponseCode', { path: { sessionId }, json: { response_code } });
  const codeOf = (uri: string): string => new URL(uri).searchParams.get('response_code') ?? '';

  /** A session that was responded to, and the code for its creator. */
  async function presented(): Promise<{ created: Json; code: string }> {
    const created = await vp.create({ ...crossDevice({}, { redirects }), flow_type: 'same_device' });
    const request = await vp.request(created);
    const { body } = await vp.respond(request, await vp.response(request));
    return { created, code: codeOf(body.redirect_uri) };
  }

  it('of fifty responses one is accepted and not replaced', async () => {
    const created = await vp.create();
    const request = await vp.request(created);
    const responses = [await vp.response(request), { error: 'access_denied', state: request.parameters.state }];
    const answers = await race((index) => vp.respond(request, responses[index % 2] ?? {}));
    exactlyOne(answers, { won: 200, lost: 409 });
    const outcome = await vp.info(created);
    for (const response of [...responses, ...responses])
      expect((await vp.respond(request, response)).status).to.equal(409);
    for (const _ of [1, 2]) expect(await vp.info(created)).to.deep.equal(outcome);
  });

  it('of fifty redemptions of a response code one gets the result', async () => {
    const { created, code } = await presented();
    exactlyOne(await race(() => redeem(created, code)), { won: 200, lost: 409 });
    for (const _ of [1, 2]) expect((await redeem(created, code)).status).to.equal(409);
  });

  it('a response code is refused by another session, and uses neither up', async () => {
    const [own, other] = [await presented(), await presented()];
    for (const _ of [1, 2]) expect((await redeem(other.created, own.code)).status).to.equal(400);
    for (const { created, code } of [own, other]) expect((await redeem(created, code)).status).to.equal(200);
  });

  it('a response is refused by another session, by its own, and after the end', async () => {
    const [own, other, late] = [await vp.create(), await vp.create(), await vp.create()];
    const [request, another, last] = await Promise.all([own, other, late].map((one) => vp.request(one)));
    if (!request || !another || !last) throw new Error('A session has no request');
    const response = await vp.response(request);
    expect((await vp.respond(another, response)).status).to.equal(400);
    expect((await vp.info(other)).status).to.equal('UNUSED');
    const state = another.parameters.state;
    expect((await vp.respond(another, { ...response, state })).status).to.equal(400);
    expect((await vp.info(other)).status).to.equal('FAILED');
    expect((await vp.respond(request, response)).status).to.equal(200);
    for (const _ of [1, 2]) expect((await vp.respond(request, response)).status).to.equal(409);
    const fitting = await vp.response(last);
    all.advance(600_001);
    for (const _ of [1, 2]) {
      expect((await vp.respond(last, fitting)).status).to.equal(404);
      expect((await vp.fetch(last.requestId)).status).to.equal(404);
    }
    expect((await vp.info(late)).status).to.equal('EXPIRED');
  });
});
