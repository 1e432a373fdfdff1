import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { REDELIVERY_MS } from '../../../domain/issuer/sessions/redeliverable-credentials.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { type IssuanceFixture, makeOffer, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';

describe('requestCredential', () => {
  let { server, issuer, holder, access, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, issuer, holder, access, proof } = await startIssuance());
  });
  after(() => server.close());

  /** The nonce that a refusal of a used one comes with. */
  async function freshNonce(token: string): Promise<string> {
    const { body } = await requestCredential(server, token, credentialRequest(proof('used')));
    expect(body.error).to.equal('invalid_proof');
    return body.c_nonce;
  }

  /** Asks again with a fresh nonce. */
  const again = async (token: string, key = holder) =>
    requestCredential(server, token, credentialRequest(proofOf(server, key, { nonce: await freshNonce(token) })));

  describe('for a wallet that lost the answer', () => {
    it('200: the same credential, with a fresh nonce and the same key, as often as it asks', async () => {
      const callback = await startCallback();
      const { token, nonce } = await access({}, { statusCallbackUri: callback.url, sessionTtl: '900' });
      const { body: lost } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      server.clock.advance(REDELIVERY_MS - 1000);
      for (let times = 0; times < 2; times += 1) {
        const { status, body } = await again(token);
        expect(status).to.equal(200);
        expect(body).to.deep.include({ credential: lost.credential, notification_id: lost.notification_id });
      }
      expect(callback.events.filter(({ type }) => type === 'jwt_issue')).to.have.length(1);
      await callback.goAway();
    });

    it('400: another key is refused, with a nonce for the right one', async () => {
      const { token, nonce } = await access();
      const { body: lost } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      const { status, body } = await again(token, makeHolderKey());
      expect([status, body.error, body.error_description]).to.deep.equal([
        400,
        'invalid_proof',
        'proof: the credential was issued to another key',
      ]);
      const own = await requestCredential(server, token, credentialRequest(proof(body.c_nonce)));
      expect([own.status, own.body.credential]).to.deep.equal([200, lost.credential]);
    });

    it('401: five minutes after the issue', async () => {
      const { token, nonce } = await access({}, { sessionTtl: '900' });
      await requestCredential(server, token, credentialRequest(proof(nonce)));
      const fresh = await freshNonce(token);
      server.clock.advance(REDELIVERY_MS);
      expect((await requestCredential(server, token, credentialRequest(proof(fresh)))).status).to.equal(401);
    });

    it('200: a credential that was not issued yet is preferred over one that was issued', async () => {
      const { code } = await makeOffer(server, [degree(issuer), degree(issuer)], {
        operationId: 'issueJwtCredentialBatch',
      });
      const { body } = await redeem(server, code);
      const token = body.access_token;
      const ids = new Set<string>();
      for (let nonce = body.c_nonce; nonce !== undefined; ) {
        const { body: issued } = await requestCredential(server, token, credentialRequest(proof(nonce)));
        ids.add(issued.credential);
        nonce = issued.c_nonce;
      }
      expect(ids.size).to.equal(2);
      const { body: last } = await again(token);
      expect([...ids].at(-1)).to.equal(last.credential);
    });
  });
});
