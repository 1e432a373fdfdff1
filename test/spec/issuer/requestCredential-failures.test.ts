import { expect } from 'chai';
import { degree } from '../../../demo/actors/issuer.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { type IssuanceFixture, makeOffer, startIssuance } from '../../actors/issuance.ts';
import { accept, credentialRequest, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';
import { startServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

describe('requestCredential', () => {
  let { server, issuer, holder, access, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, issuer, holder, access, proof } = await startIssuance());
  });
  after(() => server.close());

  describe('the callback', () => {
    it('receives the three events of an issuance in order, with $id filled in', async () => {
      const callback = await startCallback();
      const { id, token, nonce } = await access({}, { statusCallbackUri: `${callback.url}/$id/a?again=$id` });
      const { body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      expect(callback.events.map(({ type }) => type)).to.deep.equal([
        'resolved_credential_offer',
        'requested_token',
        'jwt_issue',
      ]);
      expect(callback.events.at(-1)).to.deep.equal({
        path: `/${id}/a?again=${id}`,
        id,
        type: 'jwt_issue',
        data: { jwt: body.credential },
      });
      expect(JSON.stringify(callback.events)).to.not.include(issuer.issuerKey.jwk.d).and.not.include(token);
      await callback.goAway();
    });

    it('400: stops the issuance when it cannot be reached; the same proof works when it is back', async () => {
      const callback = await startCallback();
      const { token, nonce } = await access({}, { statusCallbackUri: callback.url });
      await callback.goAway();
      const request = credentialRequest(proof(nonce));
      const { status, body } = await requestCredential(server, token, request);
      expect([status, body.error]).to.deep.equal([400, 'server_error']);
      await callback.comeBack();
      expect((await requestCredential(server, token, request)).status).to.equal(200);
      expect(callback.events.filter(({ type }) => type === 'jwt_issue')).to.have.length(1);
      await callback.goAway();
    });
  });

  describe('what goes wrong on the way', () => {
    it('400: a mapping that cannot be applied ends the session as UNSUCCESSFUL', async () => {
      const data = await startCallback();
      data.answer.body = 'not JSON';
      const { token, nonce } = await access({ mapping: { a: `<webhook-json:${data.url}/>` } });
      const { status, body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      expect([status, body.error]).to.deep.equal([400, 'credential_request_denied']);
      expect((await requestCredential(server, token, credentialRequest(proof(nonce)))).status).to.equal(401);
      const metrics = await server.fetch('/metrics');
      expect(metrics.body).to.match(/kind="issuance",state="UNSUCCESSFUL"\} 1/);
      await data.goAway();
    });

    it('502: a webhook that is away or refuses leaves everything as it was', async () => {
      const data = await startCallback();
      data.answer = Object.assign(data.answer, { status: 500, body: '{}' });
      const { token, nonce } = await access({ mapping: { a: `<webhook:${data.url}/>` } });
      const request = credentialRequest(proof(nonce));
      expect((await requestCredential(server, token, request)).status).to.equal(502);
      await data.goAway();
      expect((await requestCredential(server, token, request)).status).to.equal(502);
      await data.comeBack();
      data.answer.status = 200;
      expect((await requestCredential(server, token, request)).status).to.equal(200);
      await data.goAway();
    });

    it('with any one call of the store failing, the wallet gets an error and can complete the issuance', async () => {
      const faults = new StoreFaults();
      const own = await startServer({ wrapStore: (store) => new FaultyStore(store, faults) });
      let failures = 0;
      for (let call = 1; call <= 9; call += 1) {
        const { code } = await makeOffer(own, degree(issuer));
        const { body } = await redeem(own, code);
        const request = credentialRequest(proofOf(own, holder, { nonce: body.c_nonce }));
        faults.failIn = call;
        const first = await requestCredential(own, body.access_token, request);
        faults.failIn = 0;
        if (first.status === 200) continue;
        failures += 1;
        expect([first.status, first.body.error]).to.deep.equal([503, 'temporarily_unavailable']);
        expect((await requestCredential(own, body.access_token, request)).status).to.equal(200);
      }
      expect(failures).to.equal(3);
      await own.close();
    });

    it('no secret reaches the log', async () => {
      const made = await makeOffer(server, degree(issuer));
      const { body } = await accept(server, made, holder);
      const lines = JSON.stringify(server.lines);
      for (const secret of [issuer.issuerKey.jwk.d, made.code, body.credential]) expect(lines).to.not.include(secret);
    });
  });
});
