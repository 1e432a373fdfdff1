import { expect } from 'chai';
import { degree } from '../actors/issuance.ts';
import { identity, licence } from '../actors/issuance-formats.ts';
import { DEGREE, FinalIssuance } from '../actors/openid4vci.ts';
import { OutsideWallet } from './outside-wallet.ts';

describe('an outside wallet and our issuer over OpenID4VCI 1.0', () => {
  let issuance: FinalIssuance;
  before(async () => {
    issuance = await FinalIssuance.start();
  });
  after(() => issuance.close());

  const contents = (): Record<string, Record<string, unknown>> => ({
    jwt_vc_json: degree(issuance.issuer, { credentialConfigurationId: DEGREE }),
    'dc+sd-jwt': identity(issuance.issuer, { credentialConfigurationId: 'IdentityCredential_dc+sd-jwt' }),
    mso_mdoc: licence(issuance.issuer),
  });

  for (const format of ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'])
    it(`redeems an offer of ${format}, with a transaction code and a nonce of the endpoint`, async () => {
      const wallet = new OutsideWallet({ alg: 'ES256', binding: format === 'jwt_vc_json' ? 'did:jwk' : 'jwk' });
      const { url, txCodeValue } = await issuance.offer({ content: contents()[format], txCode: {} });
      const { offer, metadata, credentials } = await wallet.acceptFinal(url, txCodeValue);
      expect(credentials).to.have.length(1);
      const [id = ''] = offer.credential_configuration_ids;
      expect(metadata.credentialIssuer.credential_configurations_supported[id]?.format).to.equal(format);
    });

  it('redeems an offer whose credential is deferred', async () => {
    const wallet = new OutsideWallet({ alg: 'ES256', binding: 'did:jwk' });
    const { url } = await issuance.offer({ content: contents().jwt_vc_json, isDeferred: true });
    const { metadata, credentials } = await wallet.acceptFinal(url);
    expect(metadata.credentialIssuer.deferred_credential_endpoint).to.match(/\/openid4vci\/deferred_credential$/);
    expect(credentials).to.have.length(1);
  });
});
