import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { HttpPeer, startCallback } from '../../actors/http-peer.ts';
import { type IssuanceFixture, makeOffer, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, decodeJwt, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';

describe('requestCredentialBatch', () => {
  let { server, issuer, holder, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, issuer, holder, proof } = await startIssuance());
  });
  after(() => server.close());

  /** Redeems an offer of this many degrees. */
  async function access(
    count: number,
    { headers, mapping }: { headers?: Record<string, string>; mapping?: object } = {},
  ) {
    const json = Array.from({ length: count }, () => degree(issuer, mapping && { mapping }));
    const { id, code } = await makeOffer(server, json, { operationId: 'issueJwtCredentialBatch', headers });
    const { body } = await redeem(server, code);
    return { id, token: body.access_token as string, nonce: body.c_nonce as string };
  }

  const claim = (token: string, requests: unknown[]) =>
    server.call('requestCredentialBatch', { token, json: { credential_requests: requests } });
  const degrees = (nonce: string, keys = [holder, holder]) =>
    keys.map((key) => credentialRequest(proofOf(server, key, { nonce })));

  it('200: issues a credential for each proof, in their order, each reported as batch_jwt_issue', async () => {
    const callback = await startCallback();
    const keys = [makeHolderKey(), makeHolderKey()];
    const { token, nonce } = await access(3, { headers: { statusCallbackUri: callback.url } });
    const { status, body, headers } = await claim(token, degrees(nonce, keys));
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    const responses: { credential: string; notification_id: string }[] = body.credential_responses;
    expect(responses.map(({ credential }) => decodeJwt(credential).claims.sub)).to.deep.equal(
      keys.map(({ did }) => did),
    );
    expect(new Set(responses.map(({ notification_id }) => notification_id)).size).to.equal(2);
    const events = callback.events.filter(({ type }) => type === 'batch_jwt_issue');
    expect(events.map(({ data }) => data.jwt)).to.have.members(responses.map(({ credential }) => credential));
    const last = await requestCredential(server, token, credentialRequest(proof(body.c_nonce)));
    expect([last.status, last.body.c_nonce]).to.deep.equal([200, undefined]);
    await callback.goAway();
  });

  it('400: one wrong proof refuses all, and nothing is issued', async () => {
    const { token, nonce } = await access(2);
    const [first] = degrees(nonce);
    const refused = await claim(token, [first, credentialRequest(proof('wrong'))]);
    expect([refused.status, refused.body.error]).to.deep.equal([400, 'invalid_proof']);
    const { status, body } = await claim(token, degrees(refused.body.c_nonce));
    expect([status, body.credential_responses.length]).to.deep.equal([200, 2]);
  });

  it('400: more credentials than are left, or none, are refused; the nonce stays valid', async () => {
    const { token, nonce } = await access(2);
    const tooMany = await claim(token, degrees(nonce, [holder, holder, holder]));
    expect([tooMany.status, tooMany.body.error]).to.deep.equal([400, 'unsupported_credential_type']);
    expect((await claim(token, [])).body.error).to.equal('invalid_credential_request');
    expect((await claim(token, degrees(nonce))).status).to.equal(200);
  });

  it('502: when one cannot be made now, none is issued; the same proofs work later and mint each once', async () => {
    const peer = await new HttpPeer().listen();
    peer.routes['/hook'] = () => ({ status: peer.count('/hook') === 2 ? 500 : 200, body: '{}' });
    const callback = await startCallback();
    const mapping = { id: '<uuid>', note: `<webhook:${peer.url}/hook>` };
    const { token, nonce } = await access(2, { mapping, headers: { statusCallbackUri: callback.url } });
    const requests = degrees(nonce);
    expect((await claim(token, requests)).status).to.equal(502);
    const { status, body } = await claim(token, requests);
    expect(status).to.equal(200);
    const reported = callback.events.flatMap(({ type, data }) => (type === 'batch_jwt_issue' ? [data.jwt] : []));
    expect(reported).to.have.members(body.credential_responses.map((one: { credential: string }) => one.credential));
    await Promise.all([peer.close(), callback.goAway()]);
  });

  it('200: a wallet that lost the answer gets the same credentials again, each for its own key', async () => {
    const keys = [makeHolderKey(), makeHolderKey()];
    const { token, nonce } = await access(2);
    const { body: lost } = await claim(token, degrees(nonce, keys));
    const { body: refused } = await claim(token, degrees(nonce, keys));
    expect(refused.error).to.equal('invalid_proof');
    const { body } = await claim(token, degrees(refused.c_nonce, keys));
    expect(body.credential_responses).to.deep.equal(lost.credential_responses);
  });

  it('503: while another request makes all of them', async () => {
    const peer = await new HttpPeer().listen();
    const { asked, answer } = peer.hold('/hook');
    const { token, nonce } = await access(2, { mapping: { note: `<webhook:${peer.url}/hook>` } });
    const first = claim(token, degrees(nonce));
    await asked;
    const busy = await claim(token, degrees(nonce));
    expect([busy.status, busy.headers.has('retry-after')]).to.deep.equal([503, true]);
    answer();
    expect((await first).status).to.equal(200);
    await peer.close();
  });

  it('401, 413 and 415: as for one credential', async () => {
    expect((await claim('unknown', degrees('x'))).body.error).to.equal('invalid_token');
    const { token } = await access(1);
    expect((await claim(token, [{ format: 'x'.repeat(1024 * 1024) }])).status).to.equal(413);
    expect((await server.call('requestCredentialBatch', { text: '{}', token })).status).to.equal(415);
  });
});
