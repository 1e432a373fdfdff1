import { expect } from 'chai';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { makeOffer, offerId } from '../../actors/issuance.ts';
import { accept } from '../../actors/wallet.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('getCredentialOffer', () => {
  const server = useServer();
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server);
  });

  const issue = async (headers?: Record<string, string>): Promise<string> =>
    offerId((await server.call('issueJwtCredential', { json: degree(issuer), headers })).body);
  const fetchOffer = (id: string) => server.call('getCredentialOffer', { query: { id } });

  it('200: shows the offer of draft 13, the same one each time, also with other query parameters', async () => {
    const id = await issue();
    const { body, headers } = await fetchOffer(id);
    const code = body.grants[GRANT]['pre-authorized_code'];
    expect(code).to.match(/^[A-Za-z0-9_-]{43,}$/);
    expect(body).to.deep.equal({
      credential_issuer: `${server.url}/draft13`,
      credential_configuration_ids: ['UniversityDegree_jwt_vc_json'],
      grants: { [GRANT]: { 'pre-authorized_code': code } },
    });
    expect(headers.get('cache-control')).to.equal('no-store');
    expect((await server.call('getCredentialOffer', { query: { id, utm: 'x' } })).body).to.deep.equal(body);
  });

  it('200: the offer of a batch names each configuration once', async () => {
    const { body } = await server.call('issueJwtCredentialBatch', { json: [degree(issuer), degree(issuer)] });
    const offer = await fetchOffer(offerId(body));
    expect(offer.body.credential_configuration_ids).to.deep.equal(['UniversityDegree_jwt_vc_json']);
  });

  it('400: refuses a request without id', async () => {
    expect((await server.call('getCredentialOffer')).status).to.equal(400);
    expect((await server.call('getCredentialOffer', { query: { id: '' } })).status).to.equal(400);
    expect((await server.fetch('/draft13/credentialOffer?id=a&id=b')).status).to.equal(400);
  });

  it('404: an unknown, an expired and a redeemed offer look the same', async () => {
    const gone = await makeOffer(server, degree(issuer));
    await accept(server, gone);
    const expired = await issue({ sessionTtl: '5' });
    server.clock.advance(6000);
    const answers = await Promise.all([fetchOffer('unknown'), fetchOffer(expired), fetchOffer(gone.id)]);
    expect(answers.map(({ status, body }) => [status, body.message])).to.deep.equal(
      Array(3).fill([404, 'There is no such offer (any more)']),
    );
  });

  it('400: stops when the callback cannot be reached; the offer is there when it is back', async () => {
    const callback = await startCallback();
    const id = await issue({ statusCallbackUri: `${callback.url}/hook/$id` });
    await callback.goAway();
    const stopped = await fetchOffer(id);
    expect([stopped.status, stopped.body.id]).to.deep.equal([400, 'CallbackFailed']);
    await callback.comeBack();
    const { status, body } = await fetchOffer(id);
    expect(status).to.equal(200);
    expect(callback.events).to.deep.equal([{ path: `/hook/${id}`, id, type: 'resolved_credential_offer', data: body }]);
    await callback.goAway();
  });

  it('a callback inside the network is never called', async () => {
    const guarded = await startServer({ settings: { outbound: { allow: [] } } });
    const canary = await startCallback();
    const port = new URL(canary.url).port;
    const spellings = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      'localhost',
      'localhost.',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
      '169.254.169.254',
    ];
    for (const host of spellings) {
      const headers = { statusCallbackUri: `http://${host}:${port}/$id` };
      const { status, body } = await guarded.call('issueJwtCredential', { json: degree(issuer), headers });
      expect([status, body.id, body.details?.[0].path], host).to.deep.equal([
        400,
        'AddressRefused',
        '/header/statusCallbackUri',
      ]);
    }
    expect(canary.requests).to.equal(0);
    await canary.goAway();
    await guarded.close();
  });
});
