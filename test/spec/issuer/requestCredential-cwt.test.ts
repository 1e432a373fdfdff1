import { expect } from 'chai';
import { type IssuanceFixture, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, requestCredential } from '../../actors/wallet.ts';
import { cwtProofOf } from '../../support/credentials/cwt-proofs.ts';

describe('requestCredential', () => {
  let { server, access } = {} as IssuanceFixture;
  before(async () => {
    ({ server, access } = await startIssuance());
  });
  after(() => server.close());

  const proofOf = (nonce: string) =>
    cwtProofOf({ audience: `${server.url}/draft13`, now: Math.floor(server.clock.now() / 1000), nonce });

  it('200: a proof as CWT is accepted; 400 invalid_proof for another nonce', async () => {
    const { token, nonce } = await access({ mapping: {} });
    const refused = await requestCredential(server, token, credentialRequest(proofOf('other')));
    expect([refused.status, refused.body.error]).to.deep.equal([400, 'invalid_proof']);
    expect(refused.body.c_nonce).to.be.a('string').and.not.equal(nonce);
    const proof = proofOf(refused.body.c_nonce);
    const { status, body } = await requestCredential(server, token, credentialRequest(proof));
    expect([status, body.format]).to.deep.equal([200, 'jwt_vc_json']);
  });
});
