import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { crossDevice } from '../actors/openid4vp.ts';
import { may, mayNot, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { ISSUER } from '../actors/tenant-issuer.ts';
import { usePages } from '../support/portal/browser.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { readQr } from '../support/portal/qr.ts';
import { makeIssuer, newResident } from '../support/portal/residents.ts';
import type { Visitor } from '../support/portal/walk.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';

const ISSUED = '/#/office/acme.t1/issued';
const DESK = ['issued-credential-list', 'issuer-profile-view', 'issuer-credential-issue'];

/** A counter knows of a change within this time. */
const KNOWN_MS = 5000;

describe('issued cards in the office', () => {
  const world = useOffice();
  const open = usePages(world);
  let clerk: string;
  before(async () => {
    await makeIssuer(world);
    clerk = await world.clerk([may('acme.t1')]);
    const query = {
      credentials: [{ id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [await typeOfCards()] } }],
    };
    const policies = { vc_policies: ['revoked-status-list'] };
    const check = { name: 'Cards', setup: crossDevice({ dcql_query: query, policies }) };
    await ok(world.post('createSavedCheck', `${VERIFIER}.cards`, check), 201);
  });

  async function typeOfCards(): Promise<string> {
    const path = `/.well-known/openid-credential-issuer/v2/${ISSUER}/issuer-service-api/openid4vci`;
    const { body } = await world.server.fetch(path);
    return body.credential_configurations_supported['resident-card_dc+sd-jwt'].vct;
  }

  /** Presses a button that asks first, and the button of its question. */
  async function confirmed({ page }: Visitor, button: string, reason?: string): Promise<void> {
    // A page behind another one draws seldom, and a click waits for that.
    await page.bringToFront();
    await page.locator('main').getByRole('button', { name: button }).first().click();
    const dialog = page.getByRole('dialog');
    if (reason !== undefined) {
      await dialog.getByLabel('Reason').fill(reason);
    }
    await dialog.getByRole('button', { name: button }).click();
  }

  it('O6, L2: "File 4711" finds the card; suspended, lifted and revoked there, the counter says so at once; the recipient can be deleted before', async () => {
    const resident = await newResident(world, 'File 4711', { recipient: 'ada@example.org' });
    await newResident(world, 'File 4712');
    const visitor = await atWork(await open(ISSUED), clerk);
    const { page } = visitor;
    await visitor.reads('Issued cards');
    await page.getByRole('row').nth(2).waitFor();
    await visitor.type('File number', 'file 4711 ');
    await visitor.click('Find');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    const beside = await page.beside(`/${new URL(page.url()).hash}`);
    await beside.getByText('ada@example.org').waitFor();
    await visitor.click('Resident card');
    await visitor.reads('Issued card');
    await page.getByText('Nothing was changed since it was issued.').waitFor();
    const counter = await page.beside(`/#/office/acme.t1/counter/${VERIFIER}.cards`);
    const code = counter.getByRole('img', { name: 'QR code for your wallet' });
    /** Shows the card at the counter, which comes to this. */
    const shows = async (verdict: RegExp | string): Promise<void> => {
      const ms = await undisturbedMs(async () => {
        await resident.answer(await readQr(code));
        await counter.getByRole('status').filter({ hasText: verdict }).waitFor();
      });
      expect(ms).to.be.below(KNOWN_MS);
      await counter.getByRole('button', { name: 'Next person' }).dispatchEvent('click');
    };
    await shows(/Yes$/);
    await confirmed(visitor, 'Suspend');
    await page.getByRole('table').getByText('Valid → Suspended').waitFor();
    await shows('No: suspended');
    await confirmed(visitor, 'Lift the suspension');
    await page.getByRole('table').getByText('Suspended → Valid').waitFor();
    await shows(/Yes$/);
    await confirmed(visitor, 'Forget the recipient');
    await page.locator('.summary').getByText('ada@example.org').waitFor({ state: 'detached' });
    await confirmed(visitor, 'Revoke', 'Lost');
    await page.getByRole('table').getByText('Lost').waitFor();
    await page.locator('.summary').getByText('Revoked').waitFor();
    await shows('No: revoked');
    await page.locator('main').getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
    const again = await page.getByRole('link', { name: 'Issue again' }).getAttribute('href');
    expect(again).to.include('reference=File+4711').and.not.to.include('recipient');
    await visitor.click('All issued cards');
    await page.getByLabel('State').selectOption('Revoked');
    await visitor.click('Find');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'As a table (CSV)' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).to.match(/^card,issuedDateTime,credentialConfigurationId,format,reference,recipient,state,/);
    expect(lines[1]).to.include('Resident card,').and.include(',File 4711,,revoked,');
    expect(lines).to.have.length(2);
    await visitor.type('File number', 'File 1');
    await visitor.click('Find');
    await page.getByText('Nothing that was issued matches.').waitFor();
    for (const one of [page, beside, counter]) forgetRefusals(one);
  });

  it('L1: who may only look is offered no change, and a forced one is refused', async () => {
    const looker = await world.clerk([...DESK.map((action) => may(ISSUER, action)), mayNot(ISSUER, 'resource-view')]);
    await newResident(world, 'File 4713', { recipient: 'bob@example.org' });
    const visitor = await atWork(await open(`${ISSUED}?reference=File%204713`), looker);
    const { page } = visitor;
    await page.getByRole('row').nth(1).getByRole('link').click();
    await visitor.reads('Issued card');
    await page.getByRole('link', { name: 'Issue again' }).waitFor();
    expect(await page.locator('main').getByRole('button').allInnerTexts()).to.deep.equal(['Log out']);
    const id = new URL(page.url()).hash.match(/issued\/([^?]+)/)?.[1];
    const status = await page.evaluate(
      async (path) =>
        (
          await fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"action":"revoke"}',
          })
        ).status,
      `/v2/${ISSUER}/issuer-service-api/issued/${id}/changes`,
    );
    expect(status).to.equal(403);
    page.forgive(/ 40[13] /);
  });
});
