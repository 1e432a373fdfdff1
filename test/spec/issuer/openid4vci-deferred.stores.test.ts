import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { REDELIVERY_MS } from '../../../domain/issuer/sessions/redeliverable-credentials.ts';
import { EncryptingWallet } from '../../actors/encrypting-wallet.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { DEGREE, FinalIssuance } from '../../actors/openid4vci.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import type { Answer } from '../../support/servers/server.ts';

const outcome = ({ status, body }: Answer) => [status, body.error];

describe('requestOpenid4vciDeferredCredential', () => {
  let issuance: FinalIssuance;
  const holders = [makeHolderKey(), makeHolderKey()];
  before(async () => {
    const profile = {
      name: 'Degree',
      credentialConfigurationId: DEGREE,
      credentialData: { type: ['VerifiableCredential', 'UniversityDegree'], credentialSubject: {} },
      deferred: true,
    };
    issuance = await FinalIssuance.start({ settings: { issuer2Profiles: { profiles: { later: profile } } } });
  });
  after(() => issuance.close());

  const collect = (token: string | undefined, transaction_id: unknown) =>
    issuance.server.call('requestOpenid4vciDeferredCredential', { token, json: { transaction_id } });

  /** A wallet whose credentials are deferred. */
  async function deferred(changes: object = {}) {
    const token = await issuance.access({ isDeferred: true, ...changes });
    const { status, body, headers } = await issuance.claimFor(token, holders);
    expect(status, JSON.stringify(body)).to.equal(202);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body).to.have.all.keys('transaction_id', 'interval');
    return { token, transactionId: body.transaction_id as string };
  }

  it('200: one credential for each proof of the first request, and an id for notifications', async () => {
    const { token, transactionId } = await deferred();
    const { status, body, headers } = await collect(token, transactionId);
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(body).to.have.all.keys('credentials', 'notification_id');
    const subjects = body.credentials.map(({ credential }: { credential: string }) => decodeJwt(credential).claims.sub);
    expect(subjects).to.deep.equal(holders.map(({ did }) => did));
    const json = { notification_id: body.notification_id, event: 'credential_failure' };
    expect((await issuance.server.call('notifyOpenid4vciIssuer', { token, json })).status).to.equal(204);
    expect((await collect(token, transactionId)).status).to.be.oneOf([400, 401]);
  });

  it('400: a transaction id ends when the wallet says that it accepted the credentials', async () => {
    const { token, transactionId } = await deferred();
    const { body } = await collect(token, transactionId);
    const json = { notification_id: body.notification_id, event: 'credential_accepted' };
    expect((await issuance.server.call('notifyOpenid4vciIssuer', { token, json })).status).to.equal(204);
    expect(outcome(await collect(token, transactionId))).to.deep.equal([400, 'invalid_transaction_id']);
  });

  it('200: the same credentials again for five minutes, then invalid_transaction_id', async () => {
    const { token, transactionId } = await deferred();
    const { body } = await collect(token, transactionId);
    issuance.server.clock.advance(REDELIVERY_MS - 1000);
    expect((await collect(token, transactionId)).body).to.deep.equal(body);
    issuance.server.clock.advance(1000);
    expect(outcome(await collect(token, transactionId))).to.deep.equal([400, 'invalid_transaction_id']);
  });

  it('200: a wallet that lost its transaction id gets another one; both lead to the same credentials', async () => {
    const { token, transactionId } = await deferred();
    const { status, body } = await issuance.claimFor(token, holders);
    expect(status).to.equal(202);
    expect(body.transaction_id).to.not.equal(transactionId);
    const [one, two] = [await collect(token, body.transaction_id), await collect(token, transactionId)];
    expect([one.status, two.body]).to.deep.equal([200, one.body]);
  });

  it('202: with the same transaction id, while another request makes the credentials; of ten at once all get the same', async () => {
    const peer = await new HttpPeer().listen();
    const { asked, answer } = peer.hold('/hook');
    const content = degree(issuance.issuer, { mapping: { note: `<webhook:${peer.url}/hook>` } });
    const { token, transactionId } = await deferred({ content });
    const first = collect(token, transactionId);
    await asked;
    const { status, body } = await collect(token, transactionId);
    expect([status, body]).to.deep.equal([202, { transaction_id: transactionId, interval: 5 }]);
    const wallet = await EncryptingWallet.create(issuance.server);
    const jwe = await wallet.seal({ transaction_id: transactionId });
    const pending = await wallet.send('requestOpenid4vciDeferredCredential', token, jwe);
    expect([pending.status, (await wallet.open(pending)).members]).to.deep.equal([202, body]);
    answer();
    const made = await first;
    expect(made.status).to.equal(200);
    const again = await Promise.all(Array.from({ length: 10 }, () => collect(token, transactionId)));
    for (const one of again) expect(one.body).to.deep.equal(made.body);
    await peer.close();
  });

  it('200: the offer of a profile that defers, as the profile shows', async () => {
    const { server } = issuance;
    const shown = await server.call('getIssuanceProfile', { path: { profileId: 'later' } });
    expect(shown.body.deferred).to.equal(true);
    const json = { profileId: 'later', authMethod: 'PRE_AUTHORIZED', valueMode: 'BY_VALUE' };
    const { body } = await server.call('createCredentialOffer', { json });
    const offer = JSON.parse(new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '');
    const { access_token: token } = (await issuance.redeem(offer.grants[GRANT]['pre-authorized_code'])).body;
    const { status, body: promised } = await issuance.claimFor(token, holders);
    expect(status).to.equal(202);
    expect((await collect(token, promised.transaction_id)).body.credentials).to.have.length(2);
  });

  it('400: an unknown transaction id, one of another access token, and none', async () => {
    const [one, two] = [await deferred(), await deferred()];
    for (const id of ['unknown', two.transactionId])
      expect(outcome(await collect(one.token, id))).to.deep.equal([400, 'invalid_transaction_id']);
    expect(outcome(await collect(one.token, undefined))).to.deep.equal([400, 'invalid_credential_request']);
    expect((await collect(two.token, two.transactionId)).status).to.equal(200);
  });

  it('401: without an access token, and with one that is unknown', async () => {
    const { transactionId } = await deferred();
    for (const token of [undefined, 'unknown']) expect((await collect(token, transactionId)).status).to.equal(401);
  });
});
