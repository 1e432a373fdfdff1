import { expect } from 'chai';
import { stepAt, totpCode } from '../../domain/accounts/totp.ts';
import { hmacSha1 } from '../../domain/foundation/bytes.ts';
import { secretOf } from '../actors/administration.ts';
import { may, PASSWORD, registration, SUPERADMIN, TOKEN } from '../actors/tenant.ts';
import { usePages } from '../support/portal/browser.ts';
import { Typist } from '../support/portal/keyboard.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, enter, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { Visitor } from '../support/portal/walk.ts';
import { useServer } from '../support/servers/server.ts';

describe('the login of the office', () => {
  const world = useOffice();
  const open = usePages(world);

  it('O10: a wrong password and a locked account are two pages, neither of which says which part was wrong', async () => {
    const visitor = new Visitor(await open('/#/account/login'), expectAccessible);
    const { page } = visitor;
    await visitor.reads('Log in to the office');
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await enter(visitor, 'unknown@example.org', `wrong ${attempt}`);
      await page.getByText('E-mail address or password is not right.').waitFor();
    }
    await visitor.reads('This account may be locked');
    await page.locator('h1:focus').waitFor();
    await visitor.click('Try again');
    await visitor.reads('Log in to the office');
    forgetRefusals(page);
  });

  it('O10: a second factor and a recovery code are two pages, a wrong code is said on each', async () => {
    const email = await world.clerk([may('acme.t1', 'credential-type-list')]);
    const credentials = { email, password: PASSWORD };
    const call = (operationId: string, json: object) => world.server.call(operationId, { json });
    const { secret } = (await call('enrolSecondFactor', credentials)).body;
    const code = () => totpCode(secretOf(secret), stepAt(world.server.clock.now()), hmacSha1);
    const { recoveryCodes } = (await call('confirmSecondFactor', { ...credentials, code: code() })).body;
    world.server.clock.advance(30_000);
    const visitor = await atWork(await open('/#/office'), email, expectAccessible);
    const { page } = visitor;
    await visitor.reads('Enter the code of your app');
    await visitor.type('Code', '000000');
    await visitor.click('Log in');
    await page.getByText('Wait for the next one.').waitFor();
    await visitor.type('Code', code());
    await visitor.click('Log in');
    await visitor.reads('Overview');
    await visitor.click('Log out');
    await visitor.reads('Log in to the office');
    await enter(visitor, email);
    await visitor.click('I do not have my device');
    await visitor.reads('Use a recovery code');
    await visitor.type('Recovery code', 'AAAA-AAAA-AAAA-AAAA');
    await visitor.click('Log in');
    await page.getByText('Take another one.').waitFor();
    await visitor.type('Recovery code', recoveryCodes[0]);
    await visitor.click('Log in');
    await visitor.reads('Overview');
    forgetRefusals(page);
  });

  it('O10, W3: a login that ended leads to a page that says so, and back to the same page', async () => {
    const email = await world.clerk([may('acme.t1', 'tenant-create'), may('acme.t1', 'service-create')]);
    const visitor = await atWork(await open('/#/office/acme.t1'), email, expectAccessible);
    const { page } = visitor;
    await visitor.reads('Overview');
    await page.context().clearCookies();
    await page.goto(`${world.url}/#/office/acme.t1/set-up`);
    await visitor.reads('Your login has ended');
    await enter(visitor, email);
    await visitor.reads('Set up a unit');
    expect(page.url()).to.match(/#\/office\/acme\.t1\/set-up$/);
    forgetRefusals(page);
  });

  it('O10: an invitation is accepted once; then its page says that it was used, and to whom to turn', async () => {
    await world.post('createRole', 'acme.issuing', { name: 'Issuing', permissions: [may('acme.t1', 'vical-list')] });
    const invited = await world.post('createInvitation', 'acme', { email: 'new@example.org', role: 'acme.issuing' });
    const link = `/#/account/invitation?token=${invited.body.token}`;
    const visitor = new Visitor(await open(link), expectAccessible);
    const { page } = visitor;
    await visitor.reads('Accept an invitation');
    await visitor.type('Your name', 'Ada');
    await visitor.type('Password', 'x'.repeat(1025));
    await visitor.click('Accept');
    await page.locator('[role=alert]:focus').waitFor();
    await expectAccessible(page);
    await page.getByRole('alert').getByRole('link').click();
    await page.locator('#password:focus').waitFor();
    await visitor.type('Password', PASSWORD);
    await visitor.click('Accept');
    await visitor.reads('You are in');
    await visitor.click('Go to the login');
    await enter(visitor, 'new@example.org');
    await visitor.reads('Overview');
    await page.getByText('Your account may use none of these pages here.').waitFor();
    const late = new Visitor(await open(link), expectAccessible);
    await late.type('Password', PASSWORD);
    await late.click('Accept');
    await late.reads('This invitation is no longer valid');
    for (const one of [page, late.page]) one.forgive(/ 40[01] /);
  });

  it('X3, X4: on a narrow screen the pages of a unit are behind a button, which closes when one is opened', async () => {
    const visitor = await atWork(await open('/#/office/acme.t1'), await world.clerk([may('acme.t1')]));
    const { page } = visitor;
    await visitor.reads('Overview');
    await page.setViewportSize({ width: 390, height: 844 });
    const [menu, people] = [
      page.getByRole('button', { name: 'Menu' }),
      page.locator('.office').getByRole('link', { name: 'People' }),
    ];
    await menu.waitFor();
    expect([await menu.getAttribute('aria-expanded'), await people.isVisible()]).to.deep.equal(['false', false]);
    await menu.focus();
    await page.keyboard.press('Enter');
    await people.waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await people.click();
    await visitor.reads('People');
    await people.waitFor({ state: 'hidden' });
    expect(await menu.getAttribute('aria-expanded')).to.equal('false');
  });

  it('X3: a clerk logs in and reaches the pages with the keyboard alone', async () => {
    const email = await world.clerk([may('acme', 'credential-type-list')]);
    const page = await open('/#/office/acme.t1');
    const keys = new Typist(page);
    await page.getByRole('heading', { level: 1, name: 'Log in to the office' }).waitFor();
    await keys.type('E-mail address', email);
    await keys.type('Password', PASSWORD);
    await page.keyboard.press('Enter');
    await keys.arrives('Overview');
    await keys.press('Log out');
    await keys.arrives('Log in to the office');
    forgetRefusals(page);
  });
});

describe('the login of an office that demands second factors', () => {
  const server = useServer({
    settings: {
      superadminRegistration: { tokens: { [TOKEN]: registration() } },
      auth: { secondFactor: { required: 'superadmins' } },
    },
  });
  const open = usePages(server);

  it('A1, O10: an account that needs a second factor sets one up, and keeps its recovery codes', async () => {
    await server.call('createSuperadmin', { text: TOKEN });
    const visitor = new Visitor(await open('/#/office'), expectAccessible);
    const { page } = visitor;
    await visitor.reads('Log in to the office');
    await enter(visitor, SUPERADMIN);
    await visitor.reads('Set up a second factor');
    const code = async () =>
      totpCode(secretOf(await page.locator('code.link').innerText()), stepAt(server.clock.now()), hmacSha1);
    await visitor.type('Code', '000000');
    await visitor.click('Continue');
    await page.getByText('This code is not right').waitFor();
    await visitor.type('Code', await code());
    await visitor.click('Continue');
    await visitor.reads('Keep your recovery codes');
    const kept = await page.locator('.codes li').allInnerTexts();
    expect(kept).to.have.length(10);
    await visitor.click('I have kept them');
    await visitor.click('I do not have my device');
    await visitor.type('Recovery code', kept[3] ?? '');
    await visitor.click('Log in');
    await visitor.reads('Where do you work?');
    forgetRefusals(page);
  });
});
