import { expect } from 'chai';
import { CardWallet } from '../actors/card-wallet.ts';
import { TRUSTED_ROOT } from '../actors/presenters.ts';
import { KMS, may, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';

const CARD = 'https://types.example.org/card';
const REGISTRY = 'acme.t1.trust1';
const TRUST = '/#/office/acme.t1/trust';
const COUNTER = `/#/office/acme.t1/counter/${VERIFIER}.names`;

describe('whom an office believes', () => {
  const world = useOffice();
  const open = usePages(world);
  let boss: string;
  let clerk: string;
  let person: CardWallet;
  before(async () => {
    person = await CardWallet.with(CARD, { now: () => world.server.clock.now() });
    await ok(world.post('createService', REGISTRY, { type: 'trust-registry' }), 201);
    await ok(world.post('createService', 'acme.t1.spare', { type: 'trust-registry' }), 201);
    await ok(world.post('updateService', VERIFIER, { type: 'verifier2', dependencies: [KMS, REGISTRY] }));
    const query = {
      id: 'card',
      format: 'dc+sd-jwt',
      meta: { vct_values: [CARD] },
      claims: [{ path: ['family_name'] }],
    };
    const setup = { flow_type: 'cross_device', core_flow: { dcql_query: { credentials: [query] } } };
    await ok(world.post('createSavedCheck', `${VERIFIER}.names`, { name: 'Names', setup }), 201);
    boss = await world.clerk([may('acme.t1')]);
    clerk = await world.clerk(
      ['check-list', 'check-run', 'verifier-session-view'].map((action) => may(VERIFIER, action)),
    );
  });

  /** The counter asks a person, who answers; it begins as soon as its page is open. */
  async function asked<T>(page: PortalPage, opening: () => Promise<T>): Promise<T> {
    const [answer, opened] = await Promise.all([page.waitForResponse(/checks\/verification-session$/), opening()]);
    await person.follow((await answer.json()).bootstrapAuthorizationRequestUrl);
    return opened;
  }

  it('O9: an issuer that is not believed is named, with the button that would believe it for those who may; then it is believed', async () => {
    await ok(world.post('addTrustedIssuer', REGISTRY, { type: 'did', issuer: 'did:web:other.example.org' }), 201);
    const watching = await open(COUNTER);
    await asked(watching, () => atWork(watching, clerk));
    await watching.getByText('This issuer is not believed:').waitFor();
    expect(await watching.locator('main').innerText()).to.include(person.issuer);
    expect(await watching.getByRole('link', { name: 'Believe this issuer' }).count()).to.equal(0);
    forgetRefusals(watching);
    const page = await open(COUNTER);
    const visitor = await asked(page, () => atWork(page, boss));
    await page.getByText('No: issuer not trusted').waitFor();
    await expectAccessible(page);
    await visitor.click('Believe this issuer');
    await visitor.reads('Whom we believe');
    expect(await page.getByLabel('Issuers', { exact: true }).inputValue()).to.equal(person.issuer);
    await visitor.click('Find out');
    await page.getByText('this one is not among them: its cards are refused').waitFor();
    await visitor.type('Name', 'Town of Example');
    await page.getByRole('button', { name: 'Believe', exact: true }).click();
    await page.getByText('1 issuer is believed from now on.').waitFor();
    await page.getByRole('rowheader', { name: 'Town of Example' }).waitFor();
    await visitor.click('Find out');
    await page.getByText('An entry of this list names it.').waitFor();
    await asked(page, () => page.goto(`${world.url}${COUNTER}`));
    await page.getByRole('status').filter({ hasText: /Yes$/ }).waitFor();
    await page.goto(`${world.url}${TRUST}?service=${REGISTRY}`);
    const row = page.getByRole('row').filter({ hasText: 'Town of Example' });
    await row.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: 'Stop believing Town of Example?' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await row.waitFor({ state: 'hidden' });
    forgetRefusals(page);
  });

  it('a whole list is believed at once: certificates, DIDs and addresses; what is none of them is named and stays in the field', async () => {
    const visitor = await atWork(await open(`${TRUST}?service=acme.t1.spare`), boss);
    const { page } = visitor;
    await visitor.reads('Whom we believe');
    await page.getByText('No issuer in this list yet.').waitFor();
    await page.getByRole('button', { name: 'Believe', exact: true }).click();
    await page.locator('[role=alert]:focus').getByRole('link', { name: 'Name at least one issuer.' }).waitFor();
    const field = page.getByLabel('Issuers', { exact: true });
    await field.fill(`${TRUSTED_ROOT}\ndid:web:one.example.org\nhttps://two.example.org/issuer\nnonsense`);
    await page.getByLabel('For these types of cards only').fill(CARD);
    await page.getByRole('button', { name: 'Believe', exact: true }).click();
    await page.getByText('3 issuers are believed from now on.').waitFor();
    expect(await field.inputValue()).to.equal('nonsense');
    expect(await page.getByRole('row').count()).to.equal(4);
    await field.fill('did:web:one.example.org');
    await page.getByRole('button', { name: 'Believe', exact: true }).click();
    await page.getByText('1 issuer was in the list already.').waitFor();
    await page.getByLabel('Its DID, web address or certificate').fill('did:web:one.example.org');
    await visitor.click('Find out');
    await page.getByText('No verifier of this unit works with this list').waitFor();
    await page.getByText(`The entry is for these types of cards only: ${CARD}.`).waitFor();
    page.forgive(/ 4(00|01|09) /);
  });
});
