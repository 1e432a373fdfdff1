import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { accept } from '../../actors/wallet.ts';
import { SoftHsm } from '../../support/kms/softhsm.ts';
import { useServer } from '../../support/servers/server.ts';

describe('onboardIssuer with a hardware security module', () => {
  let hsm: SoftHsm;
  after(() => hsm?.close());
  const server = useServer(async () => {
    hsm = new SoftHsm();
    return { settings: { kms: { pkcs11: { tokens: [hsm.token] } } } };
  });

  it('200: its key issues, and stays in the module', async () => {
    const key = { backend: 'pkcs11', keyType: 'secp256r1', config: hsm.config };
    const { status, body } = await server.call('onboardIssuer', { json: { key, did: { method: 'jwk' } } });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.issuerKey).to.include({ type: 'pkcs11' }).and.not.have.property('jwk');
    const answer = await accept(server, await makeOffer(server, degree(body)), makeHolderKey());
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  });
});
