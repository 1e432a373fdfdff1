import { expect } from 'chai';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { AttestedIssuance, type Sent } from '../../actors/attested-wallet.ts';
import { EventListener } from '../../actors/event-listener.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { until } from '../../support/runs/waiting.ts';

const PLAIN: Sent = { dpop: false, attestation: false, pop: false };

describe('streamIssuanceSessionEvents', () => {
  let issuance: AttestedIssuance;
  before(async () => {
    issuance = await AttestedIssuance.start('OPEN');
  });
  after(() => issuance.close());

  /** The events of a session, each with its error. */
  async function eventsOf(session: string, count: number): Promise<unknown[][]> {
    const listener = await EventListener.open(issuance.server, session);
    await until(() => listener.events.length >= count);
    listener.leave();
    return listener.events.map(({ event, error, errorDescription }) =>
      error === undefined ? [event] : [event, error, typeof errorDescription],
    );
  }

  it('200: the steps of the authorization server, and why they failed', async () => {
    const wallet = issuance.wallet();
    const { offerId, grants } = await issuance.offer();
    const changes = { issuer_state: grants.authorization_code.issuer_state };
    await wallet.push({ ...changes, scope: 'other' }, PLAIN);
    await wallet.authorize(wallet.parameters({ ...changes, scope: 'other' }));
    const code = await wallet.code(changes, PLAIN);
    await wallet.redeem(code, { code_verifier: undefined }, PLAIN);
    const { refresh_token: refreshToken } = (await wallet.redeem(code, {}, PLAIN)).body;
    await wallet.refresh(refreshToken, { client_id: 'other' }, PLAIN);
    await wallet.refresh(refreshToken, {}, PLAIN);
    expect(await eventsOf(offerId, 9)).to.deep.equal([
      ['credential_offer_created'],
      ['pushed_authorization_request_failed', 'invalid_scope', 'string'],
      ['authorization_request_failed', 'invalid_scope', 'string'],
      ['pushed_authorization_request_succeeded'],
      ['authorization_request_succeeded'],
      ['token_request_authorization_code_failed', 'invalid_grant', 'string'],
      ['token_request_authorization_code_succeeded'],
      ['token_request_refresh_token_failed', 'invalid_grant', 'string'],
      ['token_request_refresh_token_succeeded'],
    ]);
  });

  it('200: a wrong transaction code', async () => {
    const { offerId, grants } = await issuance.offer({
      authMethod: 'PRE_AUTHORIZED',
      txCode: {},
      txCodeValue: '493536',
    });
    const form = { grant_type: GRANT, 'pre-authorized_code': grants[GRANT]['pre-authorized_code'], tx_code: '000000' };
    await issuance.wallet().send('token', { form }, PLAIN);
    expect(await eventsOf(offerId, 2)).to.deep.equal([
      ['credential_offer_created'],
      ['token_request_pre_authorized_code_failed', 'invalid_grant', 'string'],
    ]);
  });

  it('a wallet that repeats its requests while the webhook is slow does not keep the other events from it', async () => {
    const peer = await new HttpPeer().listen();
    const { answer } = peer.hold('/events');
    const notifications = { webhook: { url: `${peer.url}/events` } };
    const { grants } = await issuance.offer({ runtimeOverrides: { notifications } });
    const wallet = issuance.wallet();
    const changes = { issuer_state: grants.authorization_code.issuer_state };
    for (let n = 0; n < 60; n += 1) {
      await wallet.push({ ...changes, scope: 'other' }, PLAIN);
      await wallet.push(changes, PLAIN);
    }
    const { body: tokens } = await wallet.redeem(await wallet.code(changes, PLAIN), {}, PLAIN);
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    expect((await wallet.claim(tokens.access_token, { dpop: false }, bearer)).status).to.equal(200);
    answer();
    const names = () => peer.seen.map(({ body }) => JSON.parse(body).event as string);
    await until(() => names().includes('issuance_status_changed'));
    expect(names()).to.include.members([
      'credential_offer_created',
      'pushed_authorization_request_failed',
      'pushed_authorization_request_succeeded',
      'token_request_authorization_code_succeeded',
      'credential_request_sd_jwt_vc_succeeded',
    ]);
    const unstored = issuance.server.lines.filter(({ message }) => message.includes('could not be stored'));
    expect([names().length < 20, unstored]).to.deep.equal([true, []]);
    await peer.close();
  });
});
