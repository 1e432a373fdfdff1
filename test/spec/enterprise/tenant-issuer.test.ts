import { expect } from 'chai';
import { type EnterpriseFixture, startEnterprise } from '../../actors/tenant.ts';
import { cardOffer, createIssuer, ISSUER } from '../../actors/tenant-issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';

let world: EnterpriseFixture;
before(async () => {
  world = await startEnterprise();
});
after(() => world.close());

describe('the issuer of a tenant', () => {
  it('gives a card to a wallet', async () => {
    const created = await createIssuer(world);
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    const { status, body } = await world.post('tenantCreateCredentialOffer', ISSUER, cardOffer());
    expect(status, JSON.stringify(body)).to.equal(201);
    const user = await newWalletUser(world.server);
    const taken = await user.call('acceptCredentialOffer', { text: body.credentialOffer });
    console.log(taken.status, JSON.stringify(taken.body).slice(0, 1500));
    console.log(
      JSON.stringify(
        (await world.server.call('tenantListIssuanceSessions', { path: { target: ISSUER }, token: world.root })).body,
      ),
    );
    console.log(
      JSON.stringify((await world.server.call('tenantListOpenid4vciKeys', { path: { target: ISSUER } })).body),
    );
    console.log(
      JSON.stringify(
        (await world.server.call('tenantGetOpenid4vciIssuerMetadata', { path: { target: ISSUER } })).body,
      ).slice(0, 1500),
    );
  });
});
