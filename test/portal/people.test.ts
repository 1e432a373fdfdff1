import { expect } from 'chai';
import { KMS, may, mayNot, PASSWORD } from '../actors/tenant.ts';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { Visitor } from '../support/portal/walk.ts';

const PEOPLE = '/#/office/acme.t1/people';

describe('people of an office', () => {
  const world = useOffice();
  const open = usePages(world);
  let boss: string;
  before(async () => {
    boss = await world.clerk([may('acme.t1')]);
  });

  it('A5, O2: a role is made in words, a person invited to it, her roles changed; it is asked what she may do, and who decides', async () => {
    const visitor = await atWork(await open(PEOPLE), boss);
    const { page } = visitor;
    await visitor.reads('People');
    await page.getByText('No role here yet.').waitFor();
    for (const [name, abilities] of [
      ['Counter', ['may check at the counter', 'may see and make keys']],
      ['Case worker', ['may issue cards', 'may revoke and suspend cards', 'may attest wallets']],
    ] as const) {
      await visitor.click('Make a role');
      await page.getByRole('heading', { level: 1, name: 'Make a role' }).waitFor();
      await visitor.type('Name of the role', name);
      for (const ability of abilities) await page.getByLabel(ability).check();
      await visitor.click('Make this role');
      await page.getByText('This role belongs to no person yet.').waitFor();
      await page.goto(`${world.url}${PEOPLE}`);
    }
    await page.getByText('may issue cards').waitFor();
    await visitor.click('Counter');
    await visitor.click('Invite a person to this role');
    await visitor.reads('Invite a person');
    await visitor.type('E-mail address', 'ada@example.org');
    await visitor.click('Make the invitation');
    await page.getByText('ada@example.org is invited').waitFor();
    await page.getByRole('button', { name: 'Take back' }).waitFor();
    await expectAccessible(page);
    const link = await page.locator('code.link').innerText();
    const ada = new Visitor(await open(link.slice(world.url.length)));
    await ada.type('Your name', 'Ada');
    await ada.type('Password', PASSWORD);
    await ada.click('Accept');
    await ada.reads('You are in');
    await page.goto(`${world.url}${PEOPLE}`);
    await visitor.click('Ada');
    await page.getByRole('heading', { level: 2, name: 'Ada' }).waitFor();
    const ask = async (action: string, at: string) => {
      await page.getByLabel('What', { exact: true }).selectOption(action);
      await page.getByLabel('Where', { exact: true }).selectOption(at);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      return page
        .getByRole('status')
        .filter({ has: page.getByRole('heading', { name: /^(Yes|No)$/ }) })
        .innerText();
    };
    expect(await ask('list-keys', 'acme.t1')).to.match(
      /^Yes\s+This is granted by list-keys · acme.t1 of the role acme.t1.counter/,
    );
    expect(await ask('issuer-credential-issue', 'acme.t1')).to.match(/^No\s+No role of this account grants it/);
    await world.post('replaceRole', 'acme.t1.counter', {
      name: 'Counter',
      permissions: [may('acme.t1', 'list-keys'), mayNot(KMS, 'list-keys')],
    });
    expect(await ask('list-keys', KMS)).to.match(
      /^No\s+This is denied by list-keys · acme.t1.kms1 of the role acme.t1.counter/,
    );
    await page.getByLabel('Case worker').check();
    await visitor.click('Save the roles');
    await page.getByText('counter, case-worker').waitFor();
    expect(await ask('issuer-credential-issue', 'acme.t1')).to.match(/^Yes/);
    await page.getByLabel('Counter').uncheck();
    await visitor.click('Save the roles');
    await page.getByText('This role belongs to no person yet.').waitFor();
    const { body: trail } = await world.server.call('listAuditEvents', {
      path: { target: 'acme' },
      query: { outcome: 'succeeded', limit: '100' },
      token: world.root,
    });
    const acts = trail.events.map(({ action }: { action: string }) => action);
    expect(acts).to.include.members(['createRole', 'createInvitation', 'assignRole', 'unassignRole']);
    forgetRefusals(page);
  });

  it('who may not grant rights sees the roles in words, and is offered nothing; a role is removed after a question', async () => {
    await world.post('createRole', 'acme.t1.auditors', {
      name: 'Auditors',
      permissions: [may('acme.t1', 'audit-view')],
    });
    const looking = await open(PEOPLE);
    await atWork(looking, await world.clerk([may('acme.t1', 'role-list'), may('acme.t1', 'role-view')]));
    await looking.getByRole('link', { name: 'Auditors' }).click();
    await looking.getByRole('heading', { level: 1, name: 'Role' }).waitFor();
    await looking.getByText('may see who did what').waitFor();
    expect(await looking.locator('main').getByRole('button').allInnerTexts()).to.deep.equal(['Log out']);
    forgetRefusals(looking);
    const visitor = await atWork(await open('/#/office/acme.t1/people/auditors'), boss);
    const { page } = visitor;
    await visitor.click('Change what it allows');
    await page.getByLabel('may issue cards').check();
    await visitor.type('Name of the role', '');
    await visitor.click('Save');
    await page.locator('[role=alert]:focus').waitFor();
    await visitor.type('Name of the role', 'Auditing');
    await visitor.click('Save');
    await page.getByText('may issue cards, may see who did what').waitFor();
    await visitor.click('Remove this role');
    await page
      .getByRole('dialog', { name: 'Remove Auditing?' })
      .getByRole('button', { name: 'Remove this role' })
      .click();
    await visitor.reads('People');
    expect((await world.post('getRole', 'acme.t1.auditors')).status).to.equal(404);
    page.forgive(/ 40[01] /);
  });

  it('an API key is made, shown once, works, and ends when it is removed', async () => {
    const visitor = await atWork(await open('/#/office/acme.t1/api-keys'), boss);
    const { page } = visitor;
    await visitor.reads('API keys');
    await visitor.type('Name of the key', 'Register');
    await page.getByLabel('may see and make keys').check();
    await visitor.click('Make this key');
    await page.getByText('The key Register was made').waitFor();
    await page.getByRole('table').waitFor();
    const token = await page.locator('code.link').innerText();
    const call = () => world.server.call('listKeys', { path: { target: KMS }, token });
    expect((await call()).status).to.equal(200);
    await expectAccessible(page);
    await page.reload();
    await visitor.click('Remove Register');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Register' }).click();
    await page.getByText('No API key yet.').waitFor();
    expect(await page.content()).not.to.include(token);
    expect((await call()).status).to.equal(401);
    forgetRefusals(page);
  });
});
