import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { crossDevice } from '../actors/openid4vp.ts';
import { fieldsOf, may, SUPERADMIN } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { newWalletUser } from '../actors/wallet-user.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { readQr } from '../support/portal/qr.ts';
import { PORTRAIT } from '../support/portal/residents.ts';

/** What would run, load or push a page aside if it took it for more than text; a spreadsheet would take it for a formula. */
const HOSTILE = `=1+1<img src=//evil.example/x onerror="document.title='run'"><script>document.title='run'</script>${'W'.repeat(28)}`;
const SVG = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"/>')}`;
const LOGOS = ['https://evil.example/logo.png', 'javascript:alert(1)', SVG];

const UNIT = 'acme.evil';
const [KMS, STATUS, ISSUER, TRUST, VERIFIER] = ['kms', 'status', 'issuer', 'trust', 'verifier'].map(
  (name) => `${UNIT}.${name}`,
) as [string, string, string, string, string];

const words = [{ locale: 'en', name: HOSTILE }];
const TYPE = {
  id: 'card',
  display: words,
  claims: [{ path: ['note'], type: 'text', label: words, mandatory: true, example: HOSTILE }],
  formats: ['dc+sd-jwt'],
  vct: 'https://types.example.org/evil',
  card: { logo: PORTRAIT },
  revocable: true,
};

describe('hostile names in an office', () => {
  const world = useOffice();
  const open = usePages(world);
  /** Shows the card to a verifier. */
  let answer: (link: string) => Promise<unknown>;
  before(async () => {
    const { post } = world;
    const token = world.root;
    const organization = { _id: 'evil', profile: { name: HOSTILE } };
    await ok(world.server.call('createOrganization', { json: organization, token }), 201);
    await ok(post('createTenant', UNIT, { name: HOSTILE }), 201);
    await ok(post('createService', KMS, { type: 'kms' }), 201);
    await ok(post('generateKey', `${KMS}.key1`, { keyType: 'secp256r1' }), 201);
    await ok(post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
    const issuer = {
      supportedCredentialTypes: {},
      profiles: {},
      dependencies: [KMS, STATUS],
      defaultIssuerKey: `${KMS}.key1`,
    };
    await ok(post('createService', ISSUER, { type: 'issuer2', ...issuer }), 201);
    await ok(post('createService', TRUST, { type: 'trust-registry' }), 201);
    await ok(post('createService', VERIFIER, { type: 'verifier2', dependencies: [KMS] }), 201);
    await ok(post('addTrustedIssuer', TRUST, { type: 'did', issuer: 'did:web:evil.example', name: HOSTILE }), 201);
    for (const logo of LOGOS)
      expect(fieldsOf(await post('createCredentialType', ISSUER, { ...TYPE, card: { logo } }))).to.have.length.at.least(
        1,
      );
    await ok(post('createCredentialType', ISSUER, TYPE), 201);
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [TYPE.vct] }, claims: [{ path: ['note'] }] };
    const setup = crossDevice({ dcql_query: { credentials: [query] } });
    const check = { name: HOSTILE, description: HOSTILE, purpose: [{ locale: 'en', text: HOSTILE }], setup };
    await ok(post('createSavedCheck', `${VERIFIER}.check`, check), 201);
    await ok(post('createRole', `${UNIT}.role`, { name: HOSTILE, permissions: [may(UNIT)] }), 201);
    await ok(post('createApiKey', UNIT, { name: HOSTILE, role: `${UNIT}.role` }), 201);
    await ok(post('createInvitation', UNIT, { email: `"<script>"@evil.example`, role: `${UNIT}.role` }), 201);
    const wallet = await newWalletUser(world.server);
    const offer = { profileId: 'card_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED', reference: HOSTILE, recipient: HOSTILE };
    const runtimeOverrides = { credentialData: { note: HOSTILE } };
    const made = await ok(post('tenantCreateCredentialOffer', ISSUER, { ...offer, runtimeOverrides }), 201);
    const [card] = await ok(wallet.call('acceptCredentialOffer', { text: made.credentialOffer }));
    const path = { target: ISSUER };
    const [issued] = await ok(world.server.call('listIssuedCredentials', { path, token, query: {} }));
    const json = { action: 'suspend', reason: HOSTILE };
    await ok(world.server.call('changeIssuedCredential', { path: { ...path, issuedId: issued.id }, token, json }));
    answer = (presentationRequest) =>
      wallet.call('presentCredentials', { json: { presentationRequest, selectedCredentials: [card.id] } });
  });

  /** Fails where a page took a text for more than that, or is wider than a phone. */
  async function expectHarmless(page: PortalPage, where: string): Promise<void> {
    expect(await page.title(), where).not.to.match(/^(run|1)$/);
    const more = page.locator('main :is(script, iframe, img:not([src^="data:image/png"]), a[href^="javascript:"])');
    expect(await more.count(), where).to.equal(0);
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(wider), `${where} scrolls sideways`).to.equal(0);
  }

  it('are texts at most on every page: nothing runs, loads or pushes it aside, and a spreadsheet reads no formula', async () => {
    const page = await open('/#/office?choose=yes', { viewport: { width: 320, height: 640 } });
    await atWork(page, SUPERADMIN);
    /** What a page says below the menu, which has the name of the unit. */
    const content = page.locator('main > :not(.office)');
    const cardPictures = content.locator('.card img');
    const sees = async (text = 'onerror') => {
      await content.getByText(text).filter({ visible: true }).first().waitFor();
      await expectHarmless(page, page.url());
    };
    const goes = async (path: string, text?: string) => {
      await page.goto(`${world.url}/#/office/${UNIT}${path}`);
      await sees(text);
    };
    const follows = async (text?: string) => {
      await content.locator('tbody a').first().click();
      await sees(text);
    };
    await sees();
    forgetRefusals(page);
    for (const path of ['/contents', '/types', '/issue', '/checks', '/checks/check']) await goes(path);
    await goes('/types/card');
    await cardPictures.first().waitFor();
    for (const path of ['/people', '/people/role', '/api-keys', '/trust']) await goes(path);
    await goes('/audit', `${UNIT}.role`);
    await goes('/status', 'TokenStatusList');
    await follows('Suspended');
    await follows();
    await goes('/issued');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'As a table (CSV)' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.match(/.?=1\+1/g)).to.deep.equal(["'=1+1", "'=1+1", "'=1+1"]);
    await follows();
    for (const logo of LOGOS) {
      await page.route(/credential-types/, async (route) => {
        const answered = await route.fetch();
        await route.fulfill({ body: (await answered.text()).replaceAll(PORTRAIT, logo), response: answered });
      });
      await goes('/types');
      await goes('/types/card');
      expect(await cardPictures.count()).to.equal(0);
      await page.unrouteAll();
    }
    await goes(`/counter/${VERIFIER}.check`);
    await answer(await readQr(page.getByRole('img', { name: 'QR code for your wallet' })));
    await sees('Yes');
    await sees();
    await page.locator('.summary').getByText('onerror').last().waitFor();
  });
});
