import { expect } from 'chai';
import { KMS } from '../actors/tenant.ts';
import { ISSUER, offerOf, startIssuer } from '../actors/tenant-issuer.ts';
import { verified } from './judge.ts';
import { OutsideWallet } from './outside-wallet.ts';

describe('an independent wallet at the issuer of a tenant', () => {
  it('finds its metadata below the well-known paths and takes a card, signed with the key of the kms', async () => {
    const world = await startIssuer();
    const wallet = new OutsideWallet({ alg: 'ES256', binding: 'jwk' });
    for (const valueMode of ['BY_VALUE', 'BY_REFERENCE']) {
      const { body } = await world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ valueMode }));
      const { credentials } = await wallet.accept(body.credentialOffer);
      const { key } = (await world.server.call('getResource', { path: { target: `${KMS}.key1` }, token: world.root }))
        .body;
      const claims = await verified(credentials[0]?.split('~')[0] ?? '', key.jwk);
      expect(claims).to.include({ level: 'gold' });
    }
    await world.close();
  });
});
