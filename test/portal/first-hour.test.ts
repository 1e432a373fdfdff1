import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { enterpriseOn, may, registration, SUPERADMIN, TOKEN } from '../actors/tenant.ts';
import { usePages } from '../support/portal/browser.ts';
import { type Change, changesOf } from '../support/portal/changes.ts';
import { threeFormats } from '../support/portal/formats.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, enter, forgetRefusals } from '../support/portal/office.ts';
import { register, Visitor } from '../support/portal/walk.ts';
import { useServer } from '../support/servers/server.ts';

const UNIT = 'stadt-koln.residents';
const ISSUER = `${UNIT}.issuer`;
/** A phone that is held upright. */
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const MOST_ACTIONS = 60;
const MOST_MS = 600_000;

describe('the first hour of an office', () => {
  const server = useServer({ settings: { superadminRegistration: { tokens: { [TOKEN]: registration() } } } });
  const open = usePages(server);
  /** What the office changed on the way. */
  let changes: () => Promise<Change[]>;

  /** From the first page to a unit that has nothing but its services. */
  async function setsUp(visitor: Visitor): Promise<void> {
    const { page } = visitor;
    await visitor.goes('Office');
    await visitor.reads('Log in to the office');
    await visitor.click('Make the first account');
    await visitor.reads('Make the first account');
    await page.getByText('superadmin-registration.conf').waitFor();
    await visitor.type('Token of that file', 'not-the-token');
    await visitor.click('Make the account');
    await page.getByText('This token is not in the file, or its time is over.').waitFor();
    await visitor.type('Token of that file', TOKEN);
    await visitor.click('Make the account');
    await visitor.reads('The account is there');
    await visitor.click('Go to the login');
    await enter(visitor, SUPERADMIN);
    await visitor.reads('Where do you work?');
    await page.getByText('There is no organization yet.').waitFor();
    await visitor.click('Make an organization');
    await visitor.type('Name', 'Stadt Köln');
    await visitor.click('Make it');
    await visitor.reads('Set up a unit');
    await visitor.type('Name of the unit', 'Residents');
    await visitor.click('Set it up');
    await page.getByRole('heading', { name: 'Residents is ready' }).waitFor();
    expect(await page.getByRole('status').innerText())
      .to.include('An issuer')
      .and.include(ISSUER);
    await expectAccessible(page);
  }

  /** Makes a type of card with two entries, and offers one; returns the code of the offer. */
  async function offersCard(visitor: Visitor): Promise<Locator> {
    const { page } = visitor;
    await visitor.click('Make the first type of card');
    await visitor.reads('Types of cards');
    await visitor.click('Make a type');
    await visitor.type('Name (English)', 'Library card');
    await visitor.type('What it is called (English)', 'Family name');
    await visitor.click('Make this type');
    await page.getByText('Library card is ready').waitFor();
    await visitor.click('Issue this card');
    await page.getByRole('heading', { name: 'Library card' }).waitFor();
    await visitor.type('File number', 'File 1');
    await visitor.type('Family name', 'Lovelace');
    await visitor.click('Offer this card');
    await visitor.reads('Offer of a card');
    return page.getByRole('img', { name: 'QR code of the link below' });
  }

  /** Takes the card into a new wallet on a phone. */
  async function takes(holder: Visitor, code: Locator): Promise<void> {
    await holder.goes('Wallet');
    await register(holder, 'ada@example.org');
    await holder.reads('Your wallet');
    await holder.click('Add an offer');
    await holder.reads('Add an offer or answer a request');
    await holder.photographs(code);
    await holder.reads('A credential is offered to you');
    await holder.click('Accept');
    await holder.reads('The credential is in your wallet');
    await holder.click('Go to the wallet');
    await holder.page.locator('.card').getByText('Library card').waitFor();
  }

  /** Makes a check by ticking, and opens it at the counter; returns the code of the request. */
  async function asks(visitor: Visitor): Promise<Locator> {
    const { page } = visitor;
    await page.getByText('The offer was used and is worth nothing now.').waitFor();
    await visitor.click('Checks');
    await visitor.reads('Checks');
    await visitor.click('Make a check');
    await visitor.reads('Make a check');
    await visitor.type('Name', 'Readers');
    await visitor.ticks('Family name');
    await visitor.click('Save this check');
    await page.getByText('Readers is saved.').waitFor();
    await visitor.click('Open the counter');
    await visitor.reads('Readers');
    return page.getByRole('img', { name: 'QR code for your wallet' });
  }

  it('A1, O1: from an empty server to "Yes" at the counter, with a phone, in less than 60 actions and 10 minutes', async () => {
    const began = Date.now();
    const office = new Visitor(await open());
    const { page } = office;
    changes = changesOf(page);
    await setsUp(office);
    const holder = new Visitor(await open('/', PHONE));
    await takes(holder, await offersCard(office));
    const request = await asks(office);
    await holder.click('Add');
    await holder.reads('Add an offer or answer a request');
    await holder.photographs(request);
    await holder.reads('You are asked for a credential');
    await holder.click('Share');
    await page.getByRole('status').filter({ hasText: /Yes$/ }).waitFor();
    expect(await page.locator('main .summary').innerText()).to.match(/^Family name\s+Lovelace$/);
    expect(office.actions + holder.actions).to.be.below(MOST_ACTIONS);
    expect(Date.now() - began).to.be.below(MOST_MS);
    await page.goto(`${server.url}/#/account/first`);
    await office.type('Token of that file', TOKEN);
    await office.click('Make the account');
    await page.getByText('This token was used: the account is there.').waitFor();
    page.forgive(/ 409 /);
    for (const one of [page, holder.page]) forgetRefusals(one);
  });

  it('O2: each act stands in the trail with the account; none is done without its cookie, from another origin or for another tenant', async () => {
    const world = await enterpriseOn(server);
    const services = await server.call('listResources', { path: { target: UNIT }, token: world.root });
    const types = services.body.map(({ type }: { type: string }) => type);
    const certifying = ['x509-store', 'x509-service'];
    expect(types).to.have.members([
      ...certifying,
      'issuer2',
      'kms',
      'credential-status',
      'trust-registry',
      'verifier2',
    ]);
    const { _id: me } = (await server.call('getOwnAccount', { token: world.root })).body;
    const trails = await Promise.all([
      server.call('listAuditEvents', { path: { target: 'stadt-koln' }, token: world.root }),
      server.call('listInstallationEvents', { token: world.root }),
    ]);
    const done = trails
      .flatMap(({ body }) => body.events as Record<string, string>[])
      .filter(({ account, outcome }) => account === me && outcome === 'succeeded');
    const acts = (await changes()).map(({ operationId }) => operationId);
    expect(acts).to.include.members(['createCredentialType', 'tenantCreateCredentialOffer', 'createSavedCheck']);
    expect(done.map(({ action }) => action)).to.include.members(acts);
    const stranger = await world.member([may('acme')], 'acme');
    for (const { operationId, path, ...change } of await changes()) {
      const origin = new URL(server.url).origin;
      const asked = async (headers: Record<string, string>) =>
        (await server.fetch(path, { ...change, headers: { ...change.headers, ...headers } })).status;
      expect(await asked({ origin }), `${operationId} without a cookie`).to.equal(401);
      expect(await asked({ origin: 'https://evil.example', cookie: `admin=${world.root}` }), operationId).to.equal(403);
      const other = await asked({ origin, cookie: `admin=${stranger.token}` });
      expect(other, `${operationId} by another`).to.be.oneOf([403, 404]);
    }
  });

  it('O2: who may issue cannot revoke, unless that is allowed too', async () => {
    const world = await enterpriseOn(server);
    const issuing = ['issuer-credential-issue', 'issued-credential-list'].map((action) => may(ISSUER, action));
    const path = { target: ISSUER };
    const revoked = async (...more: string[]): Promise<number> => {
      const { token } = await world.member([...issuing, ...more.map((action) => may(ISSUER, action))], 'stadt-koln');
      const [card] = (await server.call('listIssuedCredentials', { path, token })).body;
      const call = { path: { ...path, issuedId: card.id }, token, json: { action: 'revoke' } };
      return (await server.call('changeIssuedCredential', call)).status;
    };
    expect([await revoked(), await revoked('issued-credential-change')]).to.deep.equal([403, 200]);
  });

  it('O3: the unit issues a type in three formats, each of which its counter takes', async () => {
    const { root } = await enterpriseOn(server);
    const { page } = await atWork(await open('/#/office?choose=yes'), SUPERADMIN);
    await threeFormats(server, root, page);
    forgetRefusals(page);
  });
});
