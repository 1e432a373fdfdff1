import { expect } from 'chai';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { HttpPeer, startCallback } from '../../actors/http-peer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { accept, redeem } from '../../actors/wallet.ts';
import { startServer, useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

describe('requestAccessToken', () => {
  const server = useServer();
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server);
  });

  const offer = (headers?: Record<string, string>) => makeOffer(server, degree(issuer), { headers });

  it('200: gives an opaque token and a nonce for as long as the session has', async () => {
    const { code } = await offer({ sessionTtl: '900' });
    const form = {
      grant_type: GRANT,
      'pre-authorized_code': code,
      client_id: 'wallet',
      user_pin: 'unknown',
      tx_code: '',
    };
    const { status, body, headers } = await server.call('requestAccessToken', { form, query: { anything: '1' } });
    expect(status).to.equal(200);
    expect(body.access_token).to.match(/^[A-Za-z0-9_-]{43,}$/);
    expect(body.c_nonce).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(body.token_type).to.equal('bearer');
    expect(body.expires_in).to.equal(900);
    expect(body.c_nonce_expires_in).to.equal(body.expires_in);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('pragma')).to.equal('no-cache');
  });

  it('400: invalid_grant for a code that is unknown, used or expired', async () => {
    const used = await offer();
    expect((await redeem(server, used.code)).status).to.equal(200);
    const expired = await offer({ sessionTtl: '1' });
    server.clock.advance(1500);
    for (const code of [used.code, expired.code, 'unknown', '__proto__', 'x'.repeat(1000)]) {
      const { status, body } = await redeem(server, code);
      expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    }
  });

  const refused: [string, Record<string, string>, string][] = [
    ['no grant_type', {}, 'invalid_request'],
    ['another grant_type', { grant_type: 'password', code: 'x' }, 'unsupported_grant_type'],
    ['an authorization code that is unknown', { grant_type: 'authorization_code', code: 'x' }, 'invalid_grant'],
    ['no code', { grant_type: GRANT }, 'invalid_request'],
    ['a huge code', { grant_type: GRANT, 'pre-authorized_code': 'x'.repeat(2000) }, 'invalid_request'],
  ];
  for (const [title, form, error] of refused)
    it(`400: ${error} for ${title}`, async () => {
      const { status, body } = await server.call('requestAccessToken', { form });
      expect([status, body.error]).to.deep.equal([400, error]);
      expect(body.error_description).to.be.a('string');
    });

  it('400: a wrong request does not use the code up', async () => {
    const { code } = await offer();
    const wrong = { grant_type: GRANT, 'pre-authorized_code': code, tx_code: '1' };
    expect((await server.call('requestAccessToken', { form: wrong })).status).to.equal(400);
    expect((await redeem(server, code)).status).to.equal(200);
  });

  it('413 and 415: refuses what is too large or no form', async () => {
    const form = { grant_type: 'x'.repeat(1024 * 1024) };
    expect((await server.call('requestAccessToken', { form })).body.error).to.equal('invalid_request');
    const json = { grant_type: GRANT };
    expect((await server.call('requestAccessToken', { json })).status).to.equal(415);
  });

  for (const store of ['memory', 'sqlite'] as const)
    it(`of 50 redemptions at once exactly one gets a token, the others are to come again or late, and one event is sent (${store})`, async () => {
      const own = await startServer({ store });
      const callback = await startCallback();
      const { code } = await makeOffer(own, degree(issuer), { headers: { statusCallbackUri: callback.url } });
      const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(own, code)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      const refused = answers.filter(({ status, headers }) => status === 400 || headers.get('retry-after') === '1');
      expect(refused).to.have.length(49);
      expect((await redeem(own, code)).body.error).to.equal('invalid_grant');
      expect(callback.events.filter(({ type }) => type === 'requested_token')).to.have.length(1);
      await callback.goAway();
      await own.close();
    });

  it('503: a code that is repeated while it is redeemed is to come again after a second, and is then used', async () => {
    const peer = await new HttpPeer().listen();
    const { code } = await offer({ statusCallbackUri: `${peer.url}/hook` });
    const { asked, answer } = peer.hold('/hook');
    const first = redeem(server, code);
    await asked;
    for (let times = 0; times < 2; times += 1) {
      const { status, body, headers } = await redeem(server, code);
      expect([status, body.error, headers.get('retry-after')]).to.deep.equal([503, 'temporarily_unavailable', '1']);
    }
    answer();
    expect((await first).status).to.equal(200);
    expect((await redeem(server, code)).body.error).to.equal('invalid_grant');
    await peer.close();
  });

  it('400: stops when the callback cannot be reached; the same code is good again, once', async () => {
    const callback = await startCallback();
    const { id, code } = await offer({ statusCallbackUri: callback.url });
    await callback.goAway();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { status, body } = await redeem(server, code);
      expect([status, body.error]).to.deep.equal([400, 'server_error']);
    }
    await callback.comeBack();
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(server, code)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    const told = callback.events.filter(({ type }) => type === 'requested_token');
    expect(told).to.deep.equal([{ path: '/', id, type: 'requested_token', data: { grant_type: GRANT } }]);
    await callback.goAway();
  });

  it('a callback that answers with an error does not stop anything', async () => {
    const callback = await startCallback();
    callback.answer.status = 500;
    const { code } = await offer({ statusCallbackUri: callback.url });
    expect((await redeem(server, code)).status).to.equal(200);
    expect(
      server.lines.some(({ message, fields }) => message === 'issuance callback refused' && fields.status === 500),
    ).to.equal(true);
    await callback.goAway();
  });

  it('with any one call of the store failing, the wallet gets an error and its second try completes the issuance', async () => {
    const faults = new StoreFaults();
    const own = await startServer({ wrapStore: (store) => new FaultyStore(store, faults) });
    let failures = 0;
    for (let call = 1; call <= 4; call += 1) {
      const made = await makeOffer(own, degree(issuer));
      faults.failIn = call;
      const first = await redeem(own, made.code);
      faults.failIn = 0;
      if (first.status === 200) continue;
      failures += 1;
      expect([first.status, first.body.error]).to.deep.equal([503, 'temporarily_unavailable']);
      expect((await accept(own, made)).status).to.equal(200);
    }
    expect(failures).to.equal(2);
    await own.close();
  });
});
