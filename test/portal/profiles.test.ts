import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { newWalletUser } from '../actors/wallet-user.ts';
import { usePages } from '../support/portal/browser.ts';
import { readQr } from '../support/portal/qr.ts';
import { Visitor } from '../support/portal/walk.ts';
import { useServer } from '../support/servers/server.ts';

describe('the cards of the open issuer', () => {
  const server = useServer();
  const open = usePages(server);

  it('I1, I2, I3, I4, I10: every profile is found by a part of its name; its example is changed, corrected and issued; no private key shows', async () => {
    const visitor = new Visitor(await open());
    const { page } = visitor;
    const seen: string[] = [];
    page.on('response', async (answer) => seen.push(await answer.text().catch(() => '')));
    page.on('request', (request) => seen.push(request.postData() ?? ''));
    await visitor.click('Issue something else');
    await visitor.reads('Issue a card');
    const { body: profiles } = await server.call('listIssuanceProfiles');
    const links = page.locator('.tasks').getByRole('link');
    await links.nth(profiles.length - 1).waitFor();
    expect(await links.count()).to.equal(profiles.length);
    const part = page.getByLabel('Find a card by a part of its name');
    await part.fill('no such card');
    await page.getByText('No card is called ‘no such card’.').waitFor();
    await part.fill('IDENTITY');
    await page
      .getByRole('link', { name: /identity/i })
      .first()
      .waitFor();
    const names = await links.allInnerTexts();
    expect(names.length).to.be.below(profiles.length);
    await page.goto(`${server.url}/#/issue/IdentityCredential_dc-sd-jwt`);
    const family = page.getByLabel('Family name', { exact: true });
    const profile = profiles.find((one: { profileId: string }) => one.profileId === 'IdentityCredential_dc-sd-jwt');
    await family.waitFor();
    expect(await family.inputValue()).to.equal(profile.credentialData.family_name);
    await visitor.click('JSON');
    const text = page.getByLabel('The same as JSON');
    const request = JSON.parse(await text.inputValue());
    expect(profile.credentialData).to.deep.include(request.runtimeOverrides.credentialData);
    request.runtimeOverrides.credentialData.family_name = 'Lovelace';
    request.runtimeOverrides.credentialData._sd = 'reserved';
    request.txCode = { length: 33 };
    await text.fill(JSON.stringify(request));
    await visitor.click('Form');
    expect(await family.inputValue()).to.equal('Lovelace');
    const code = page.getByLabel('The holder also types a transaction code');
    await refused(visitor, code, 'must be <= 32');
    await code.uncheck();
    await code.check();
    const reserved = page.getByLabel('sd', { exact: true });
    await refused(visitor, reserved, 'is no name for a claim of this format');
    await reserved.fill('');
    await visitor.click('Offer this card');
    await visitor.reads(/^Offer of /);
    const link = await readQr(page.getByRole('img', { name: 'QR code of the link below' }));
    const holder = await newWalletUser(server);
    const { document } = await holder.accept(link, await page.locator('p.large').innerText());
    const said = document.split('~').map((one) => Buffer.from(one, 'base64url').toString());
    expect(said.join()).to.include('Lovelace');
    await page.getByText('The offer was used and is worth nothing now.').waitFor();
    seen.push(await page.content());
    expect(seen.join(''))
      .to.include('IdentityCredential')
      .and.not.match(/"d"\s*:|PRIVATE KEY/);
    page.forgive(/ 400 .*\/credential-offers/);
  });

  /** Sends the form, and follows the summary, which has the focus, to a field that says what is wrong with it. */
  async function refused(visitor: Visitor, field: Locator, message: string): Promise<void> {
    const { page } = visitor;
    await visitor.click('Offer this card');
    await page
      .locator('[role=alert]:focus')
      .getByRole('link', { name: `: ${message}` })
      .click();
    await field.and(page.locator(':focus[aria-invalid=true]')).waitFor();
    const described = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).innerText()).to.equal(message);
  }
});
