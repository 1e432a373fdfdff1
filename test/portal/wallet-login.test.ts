import { expect } from 'chai';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { ATTESTER, AttestedIssuance } from '../actors/attested-wallet.ts';
import { LoginServer } from '../actors/login-server.ts';
import { usePages } from '../support/portal/browser.ts';
import { holderOn, receiving } from '../support/portal/holder.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { Visitor } from '../support/portal/walk.ts';
import type { TestServer } from '../support/servers/server.ts';

describe('an offer in the portal that the reader authorizes at the issuer', () => {
  const server = {} as TestServer;
  let issuance: AttestedIssuance;
  let login: LoginServer;
  before(async () => {
    login = await LoginServer.start();
    const attester = makeHolderKey();
    const signingKey = { type: 'jwk', jwk: attester.privateKey.export({ format: 'jwk' }) };
    const settings = {
      authenticationService: { server: login.settings },
      wallet: { attester: { issuer: ATTESTER, signingKey, x5Chain: [], validitySeconds: 3600 }, redirectUris: [] },
    };
    issuance = await AttestedIssuance.start('HAIP', { authenticationMethod: 'PWD' }, settings, attester);
    Object.assign(server, issuance.server);
  });
  after(() => Promise.all([issuance.close(), login.close()]));
  const open = usePages(server);

  it('W15: the login at the issuer leads back to the card, or says why there is none', async () => {
    const visitor = new Visitor(await open());
    const { page } = visitor;
    const offer = async (): Promise<string> => {
      const json = { profileId: 'identity', authMethod: 'AUTHORIZED' };
      return receiving((await server.call('createCredentialOffer', { json })).body.credentialOffer);
    };
    const holder = await holderOn(page, server, await offer());
    await visitor.reads('A credential is offered to you');
    await page.getByText(/You log in at 127\.0\.0\.1:\d+, and then come back here/).waitFor();
    await expectAccessible(page);
    await visitor.click('Log in at the issuer');
    await visitor.reads('The credential is in your wallet');
    await expectAccessible(page);
    expect(login.exchanges).to.equal(1);
    expect((await holder.call('listWalletCredentials')).body).to.have.length(1);
    await page.reload();
    await visitor.reads('Your wallet');

    login.behaviour.error = 'access_denied';
    await page.goto(`${server.url}/#${await offer()}`);
    await visitor.click('Log in at the issuer');
    await visitor.reads('The credential was not received');
    await page.getByText('The issuer did not give it').waitFor();
    await expectAccessible(page);
    page.forgive(/ 400 /);
    page.forgive(/foreign request: .*\/authorize/);
  });
});
