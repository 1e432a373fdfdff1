import { expect } from 'chai';
import { degree } from '../../../demo/actors/issuer.ts';
import { REDELIVERY_MS } from '../../../domain/issuer/sessions/redeliverable-credentials.ts';
import { accessTokens } from '../../actors/access-tokens.ts';
import { CodeWallet, returned } from '../../actors/draft-authorization.ts';
import { HttpPeer, startCallback } from '../../actors/http-peer.ts';
import { type IssuanceFixture, makeOffer, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, decodeJwt, redeem, requestCredential } from '../../actors/wallet.ts';

const DEFERRED = { issuanceType: 'DEFERRED' };

describe('requestDeferredCredential', () => {
  let { server, issuer, holder, access, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, issuer, holder, access, proof } = await startIssuance());
  });
  after(() => server.close());

  /** A wallet whose credential is deferred. */
  async function deferred(changes: object = {}, headers?: Record<string, string>) {
    const { id, token, nonce } = await access({ ...DEFERRED, ...changes }, headers);
    const { status, body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
    expect([status, body.credential, body.interval]).to.deep.equal([200, undefined, 5]);
    return { id, token, transaction_id: body.transaction_id as string };
  }

  const collect = (token: string, transaction_id: unknown) =>
    server.call('requestDeferredCredential', { token, json: { transaction_id } });

  it('200: the credential is made for the holder of the first request when the wallet asks, and is then reported', async () => {
    const callback = await startCallback();
    const { token, transaction_id } = await deferred({}, { statusCallbackUri: callback.url });
    expect(callback.events).to.have.length(2);
    const { status, body, headers } = await collect(token, transaction_id);
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(body).to.have.keys('format', 'credential', 'notification_id');
    expect(decodeJwt(body.credential).claims.sub).to.equal(holder.did);
    expect(callback.events.slice(2).map(({ type, data }) => [type, data.jwt])).to.deep.equal([
      ['jwt_issue', body.credential],
    ]);
    await callback.goAway();
  });

  it('200: the same credential again for five minutes, then invalid_transaction_id', async () => {
    const { token, transaction_id } = await deferred({}, { sessionTtl: '900' });
    const { body } = await collect(token, transaction_id);
    server.clock.advance(REDELIVERY_MS - 1000);
    expect((await collect(token, transaction_id)).body).to.deep.equal(body);
    server.clock.advance(1000);
    expect((await collect(token, transaction_id)).body.error).to.equal('invalid_transaction_id');
  });

  it('200: a wallet that lost its transaction id gets another one; both lead to one credential', async () => {
    const { token, transaction_id } = await deferred();
    const { body: refused } = await requestCredential(server, token, credentialRequest(proof('used')));
    const { body } = await requestCredential(server, token, credentialRequest(proof(refused.c_nonce)));
    expect(body.transaction_id).to.be.a('string').and.not.equal(transaction_id);
    const [one, two] = [await collect(token, body.transaction_id), await collect(token, transaction_id)];
    expect([one.status, two.body]).to.deep.equal([200, one.body]);
  });

  it('400: invalid_transaction_id for an unknown one and for one of another access token', async () => {
    const [one, two] = [await deferred(), await deferred()];
    for (const id of ['unknown', two.transaction_id]) {
      const { status, body } = await collect(one.token, id);
      expect([status, body.error]).to.deep.equal([400, 'invalid_transaction_id']);
    }
    expect((await collect(two.token, two.transaction_id)).status).to.equal(200);
  });

  for (const draft of ['draft13', 'draft11'] as const)
    it(`400: a second wallet of an offer of ${draft} does not get what was promised to the first`, async () => {
      const wallet = new CodeWallet(server, draft);
      const state = await wallet.offer(issuer, DEFERRED);
      const claim = async () => wallet.claim(returned(await wallet.authorize(state)).code);
      expect((await claim()).status).to.equal(200);
      const { status, body } = await claim();
      const error = draft === 'draft11' ? 'invalid_or_missing_proof' : 'invalid_proof';
      expect([status, body.error]).to.deep.equal([400, error]);
    });

  it('of ten requests at once one makes the credential; the others get it too, or issuance_pending until it is there', async () => {
    const callback = await startCallback();
    const { token, transaction_id } = await deferred({}, { statusCallbackUri: callback.url });
    const answers = await Promise.all(Array.from({ length: 10 }, () => collect(token, transaction_id)));
    const { body: made } = await collect(token, transaction_id);
    for (const { status, body } of answers)
      expect(status === 200 ? body : [status, body.error]).to.deep.equal(
        status === 200 ? made : [400, 'issuance_pending'],
      );
    expect(answers.some(({ status }) => status === 200)).to.equal(true);
    expect(callback.events.filter(({ type }) => type === 'jwt_issue')).to.have.length(1);
    await callback.goAway();
  });

  it('400: issuance_pending while another request makes the credential', async () => {
    const peer = await new HttpPeer().listen();
    const { asked, answer } = peer.hold('/hook');
    const { token, transaction_id } = await deferred({ mapping: { note: `<webhook:${peer.url}/hook>` } });
    const first = collect(token, transaction_id);
    await asked;
    const { status, body } = await collect(token, transaction_id);
    expect([status, body.error, body.interval]).to.deep.equal([400, 'issuance_pending', 5]);
    answer();
    expect((await first).status).to.equal(200);
    await peer.close();
  });

  it('200: several deferred credentials of one offer are made one by one, each once', async () => {
    const json = [degree(issuer, DEFERRED), degree(issuer, DEFERRED)];
    const { code } = await makeOffer(server, json, { operationId: 'issueJwtCredentialBatch' });
    const { body: token } = await redeem(server, code);
    const ask = (nonce: string) => requestCredential(server, token.access_token, credentialRequest(proof(nonce)));
    const { body: first } = await ask(token.c_nonce);
    const { body: second } = await ask(first.c_nonce);
    const made = [];
    for (const { transaction_id } of [first, second, first, second])
      made.push((await collect(token.access_token, transaction_id)).body.credential);
    expect(made.slice(2)).to.deep.equal(made.slice(0, 2));
    expect(new Set(made).size).to.equal(2);
  });

  it('400, 401, 413 and 415: as for a credential request', async () => {
    const { issuer: token = '' } = await accessTokens(server);
    expect((await collect(token, undefined)).status).to.equal(400);
    expect((await collect('unknown', 'x')).body.error).to.equal('invalid_token');
    expect(
      (
        await server.call('requestDeferredCredential', {
          token,
          json: { transaction_id: 'x', more: 'x'.repeat(1024 * 1024) },
        })
      ).status,
    ).to.equal(413);
    expect((await server.call('requestDeferredCredential', { text: '{}', token })).status).to.equal(415);
  });
});
