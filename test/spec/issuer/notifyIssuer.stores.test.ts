import { expect } from 'chai';
import { HttpPeer, startCallback } from '../../actors/http-peer.ts';
import { type IssuanceFixture, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, requestCredential } from '../../actors/wallet.ts';

describe('notifyIssuer', () => {
  let { server, access, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, access, proof } = await startIssuance());
  });
  after(() => server.close());

  async function issued(headers?: Record<string, string>) {
    const { id, token, nonce } = await access({}, headers);
    const { body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
    return { id, token, notification_id: body.notification_id as string };
  }

  const notify = (token: string, json: unknown) => server.call('notifyIssuer', { token, json });

  for (const event of ['credential_accepted', 'credential_failure', 'credential_deleted'])
    it(`204: ${event} is reported once, however often it is sent`, async () => {
      const callback = await startCallback();
      const { id, token, notification_id } = await issued({ statusCallbackUri: callback.url });
      const json = { notification_id, event, event_description: 'Could not be stored' };
      for (let times = 0; times < 3; times += 1) expect((await notify(token, json)).status).to.equal(204);
      const data = { notification_id, event_description: 'Could not be stored' };
      expect(callback.events.slice(3)).to.deep.equal([{ path: '/', id, type: event, data }]);
      await callback.goAway();
    });

  it('503: a notification that is repeated while it is reported is to come again after a second, and is reported once', async () => {
    const peer = await new HttpPeer().listen();
    peer.routes['/hook'] = () => ({});
    const { token, notification_id } = await issued({ statusCallbackUri: `${peer.url}/hook` });
    const reported = peer.count('/hook');
    const { asked, answer } = peer.hold('/hook');
    const json = { notification_id, event: 'credential_accepted' };
    const first = notify(token, json);
    await asked;
    for (const { status, body, headers } of await Promise.all(Array.from({ length: 5 }, () => notify(token, json))))
      expect([status, body.error, headers.get('retry-after')]).to.deep.equal([503, 'temporarily_unavailable', '1']);
    answer();
    expect((await first).status).to.equal(204);
    expect((await notify(token, json)).status).to.equal(204);
    expect(peer.count('/hook')).to.equal(reported + 1);
    await peer.close();
  });

  it('of ten notifications at once each is taken or to come again, and one event is sent', async () => {
    const callback = await startCallback();
    const { token, notification_id } = await issued({ statusCallbackUri: callback.url });
    const json = { notification_id, event: 'credential_accepted' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => notify(token, json)));
    for (const { status, headers } of answers)
      expect(status === 204 || headers.get('retry-after') === '1').to.equal(true);
    expect((await notify(token, json)).status).to.equal(204);
    expect(callback.events.filter(({ type }) => type === 'credential_accepted')).to.have.length(1);
    await callback.goAway();
  });

  it('204: the credential is not returned again afterwards', async () => {
    const { token, notification_id } = await issued();
    expect((await notify(token, { notification_id, event: 'credential_accepted' })).status).to.equal(204);
    const { status, body } = await requestCredential(server, token, credentialRequest(proof('any')));
    expect([status, body.error]).to.deep.equal([401, 'invalid_token']);
  });

  it('400: invalid_notification_id for an id of another session, of nothing that was issued, and for any text', async () => {
    const [one, two] = [await issued(), await issued()];
    const { token } = await access();
    expect(one.notification_id).to.match(/^0\.[\w-]{43}$/);
    for (const [bearer, notification_id] of [
      [one.token, two.notification_id],
      [one.token, one.notification_id.replace('0.', '1.')],
      [one.token, one.notification_id.replace('0.', '00.')],
      [one.token, `${one.id}.0`],
      [one.token, 'unknown'],
      [token, one.notification_id],
    ] as const) {
      const { status, body } = await notify(bearer, { notification_id, event: 'credential_accepted' });
      expect([status, body.error], notification_id).to.deep.equal([400, 'invalid_notification_id']);
    }
  });

  it('400: invalid_notification_request for another event, and without an id', async () => {
    const { token, notification_id } = await issued();
    for (const json of [{ notification_id, event: 'credential_lost' }, { event: 'credential_accepted' }]) {
      const { status, body } = await notify(token, json);
      expect([status, body.error]).to.deep.equal([400, 'invalid_notification_request']);
    }
  });

  it('400: a callback that cannot be reached; the notification can be sent again', async () => {
    const callback = await startCallback();
    const { token, notification_id } = await issued({ statusCallbackUri: callback.url });
    await callback.goAway();
    const json = { notification_id, event: 'credential_accepted' };
    expect((await notify(token, json)).body.error).to.equal('server_error');
    await callback.comeBack();
    expect((await notify(token, json)).status).to.equal(204);
    expect(callback.events.at(-1)).to.include({ type: 'credential_accepted' });
    await callback.goAway();
  });

  it('401, 413 and 415: as for a credential request', async () => {
    const json = { notification_id: 'x', event: 'credential_accepted' };
    expect((await notify('unknown', json)).body.error).to.equal('invalid_token');
    const { token } = await issued();
    expect((await notify(token, { ...json, more: 'x'.repeat(1024 * 1024) })).status).to.equal(413);
    expect((await server.call('notifyIssuer', { text: '{}', token })).status).to.equal(415);
  });
});
