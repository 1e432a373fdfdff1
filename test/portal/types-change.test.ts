import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import { may, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { createIssuer, ISSUER } from '../actors/tenant-issuer.ts';
import { newWalletUser } from '../actors/wallet-user.ts';
import { usePages } from '../support/portal/browser.ts';
import { Typist } from '../support/portal/keyboard.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';

const TYPE = {
  display: [{ locale: 'en', name: '4711' }],
  claims: [{ path: ['name'], type: 'text', label: [{ locale: 'en', name: 'Name' }], mandatory: true }],
  formats: ['dc+sd-jwt'],
};

describe('changes of credential types in the office', () => {
  const world = useOffice();
  const open = usePages(world);
  let clerk: string;
  before(async () => {
    await createIssuer(world, { supportedCredentialTypes: {}, profiles: {} });
    clerk = await world.clerk([may('acme.t1')]);
  });

  const create = (id: string) => ok(world.post('createCredentialType', ISSUER, { ...TYPE, id }), 201);
  const at = (operationId: string, typeId: string, json?: object) =>
    world.server.call(operationId, { path: { target: ISSUER, typeId }, json, token: world.root });
  const stored = (typeId: string) => ok(at('getTenantCredentialType', typeId));

  it('O3: a type is changed by keyboard; what is issued then is of the new version, and the old card still verifies', async () => {
    await create('member');
    const wallet = await newWalletUser(world.server);
    const vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    const issue = async (credentialData: object): Promise<string> => {
      const offer = {
        profileId: 'member_dc-sd-jwt',
        authMethod: 'PRE_AUTHORIZED',
        runtimeOverrides: { credentialData },
      };
      const { credentialOffer } = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offer), 201);
      return (await ok(wallet.call('acceptCredentialOffer', { text: credentialOffer })))[0].id;
    };
    const old = await issue({ name: 'Ada' });
    const page = await open('/#/office/acme.t1/types/member');
    await atWork(page, clerk);
    const person = new Typist(page);
    await page.getByRole('link', { name: 'Change this type' }).waitFor();
    await person.press('Change this type');
    await person.arrives('Change this type');
    await page.getByText('This becomes version 2').waitFor();
    await expectAccessible(page);
    await person.tabTo('What it is called (English)');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Full name');
    await person.press('Add an entry');
    await page.locator('fieldset.claim').nth(1).getByLabel('What it is called (English)').fill('Level');
    await page.locator('fieldset.claim').nth(1).getByLabel('Every card has it').check();
    await person.press('Publish this version');
    await page.getByText('Version 2 of 4711 is published').waitFor();
    expect(await page.getByRole('table', { name: 'Versions' }).getByRole('row').count()).to.equal(3);
    await expectAccessible(page);
    const { version, claims } = await stored('member');
    expect([version, claims.map(({ path }: { path: string[] }) => path.join('.'))]).to.deep.equal([
      2,
      ['name', 'level'],
    ]);
    const changed = await issue({ name: 'Ada', level: 'gold' });
    const { body } = await world.server.call('tenantGetOpenid4vciIssuerMetadata', { path: { target: ISSUER } });
    const { vct } = body.credential_configurations_supported['member_dc+sd-jwt'];
    for (const [id, names] of [
      [old, ['name']],
      [changed, ['name', 'level']],
    ] as const) {
      const query = { id: 'q', format: 'dc+sd-jwt', meta: { vct_values: [vct] } };
      const paths = names.map((name) => ({ path: [name] }));
      const created = await vp.create(crossDevice({ dcql_query: { credentials: [{ ...query, claims: paths }] } }));
      const json = { presentationRequest: created.bootstrapAuthorizationRequestUrl, selectedCredentials: [id] };
      await ok(wallet.call('presentCredentials', { json }));
      expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
    }
    const list = { path: { target: ISSUER }, token: world.root };
    const [latest] = await ok(world.server.call('listIssuedCredentials', list));
    await page.goto(`${world.url}/#/office/acme.t1/issued/${latest.id}`);
    await page.getByText('Version of the card').waitFor();
    forgetRefusals(page);
  });

  it('X6: when another change was faster, what was typed stays, and is published in its place', async () => {
    await create('raced');
    const visitor = await atWork(await open('/#/office/acme.t1/types/raced/change'), clerk);
    const { page } = visitor;
    await visitor.reads('Change this type');
    await visitor.type('Name (English)', 'Typed card');
    await ok(at('replaceCredentialType', 'raced', { ...TYPE, version: 1 }));
    await visitor.click('Publish this version');
    await page.locator('[role=alert]:focus').waitFor();
    await page.getByText('The type is at version 2 now').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Look at version 2' }).click();
    await visitor.reads('Type of card');
    await page.goBack();
    await visitor.reads('Change this type');
    expect(await page.getByLabel('Name (English)').inputValue()).to.equal('Typed card');
    await visitor.click('Publish this version');
    await visitor.click('Go on in place of version 2');
    await page.getByText('This becomes version 3').waitFor();
    await visitor.click('Publish this version');
    await page.getByText('Version 3 of Typed card is published').waitFor();
    expect((await stored('raced')).display[0].name).to.equal('Typed card');
    page.forgive(/ 409 /);
    forgetRefusals(page);
  });
});
