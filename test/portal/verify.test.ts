import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import { issueCredential, jwkParty } from '../actors/party.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { useOffice } from '../support/portal/office.ts';
import { makeIssuer, newResident, revoke } from '../support/portal/residents.ts';
import { Visitor } from '../support/portal/walk.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';

/** Within this time the result is shown. */
const SHOWN_MS = 1000;

describe('requests and their results in the portal', () => {
  const world = useOffice();
  const open = usePages(world);
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(world.server);
    await makeIssuer(world);
  });

  const pageOf = ({ sessionId }: { sessionId?: string }) => `/#/verify/session/${sessionId}`;
  const json = (page: PortalPage) => page.getByLabel('The same as JSON').inputValue();
  const rows = (page: PortalPage) => page.locator('.checks li').allInnerTexts();

  it('V4, O6: a revoked credential is "Not verified" once its issuer has revoked it', async () => {
    const resident = await newResident(world, 'File 4712');
    const [{ parsedDocument }] = (await resident.wallet.call('listWalletCredentials')).body;
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [parsedDocument.vct] } };
    const policies = { vc_policies: ['revoked-status-list', 'signature'] };
    const asked = () => vp.create(crossDevice({ dcql_query: { credentials: [query] }, policies }));
    const good = await asked();
    await resident.answer(String(good.bootstrapAuthorizationRequestUrl));
    const page = await open(pageOf(good));
    await page.getByRole('heading', { level: 1, name: /^Verified$/ }).waitFor();
    await revoke(world, 'File 4712');
    const bad = await asked();
    await resident.answer(String(bad.bootstrapAuthorizationRequestUrl));
    await showsRefused(bad, /Its issuer has revoked it\./, /do not accept it\. The holder can ask/);
  });

  it('V1: the address of the builder, opened elsewhere, shows the same request; its session changes and repeats it', async () => {
    const visitor = new Visitor(await open('/'));
    const { page } = visitor;
    await visitor.click('Ask for something else');
    await visitor.reads('Ask for something');
    await page.getByLabel('Card', { exact: true }).selectOption('Identity Credential (SD-JWT VC)');
    await page.getByLabel('Date of birth').check();
    await page.getByLabel('From an issuer that is allowed').check();
    await visitor.click('Make the request');
    await page.getByRole('alert').getByRole('link').click();
    await page.getByLabel('From an issuer that is allowed').and(page.locator(':focus')).first().waitFor();
    await visitor.type('Argument of From an issuer that is allowed', 'did:web:issuer.example.org');
    await page.getByLabel('How long the request is good').selectOption('1 hour');
    await visitor.click('Add another card');
    await page.getByLabel('Card', { exact: true }).last().selectOption('Another one: type what it is called');
    await page.getByLabel('Format').selectOption('SD-JWT VC');
    await visitor.type('Type (vct)', 'https://types.example.org/licence');
    await visitor.click('JSON');
    const written = JSON.parse(await json(page));
    const elsewhere = await open(`/${new URL(page.url()).hash}`);
    await elsewhere.getByRole('button', { name: 'JSON' }).click();
    expect(JSON.parse(await json(elsewhere))).to.deep.equal(written);
    const [card, licence] = written.core_flow.dcql_query.credentials;
    expect([card.claims, licence.meta]).to.deep.equal([
      [{ path: ['birthdate'] }],
      { vct_values: ['https://types.example.org/licence'] },
    ]);
    expect(written.core_flow.expiration_duration).to.equal('PT1H');
    await elsewhere.getByRole('button', { name: 'Make the request' }).click();
    await elsewhere.getByRole('img', { name: 'QR code' }).waitFor();
    const sessionId = /session\/([^?]+)/.exec(elsewhere.url())?.[1];
    const { authorizationRequest, policies } = await vp.info({ sessionId });
    expect(authorizationRequest.dcql_query).to.deep.equal(written.core_flow.dcql_query);
    expect(policies.vc_policies.at(-1)).to.deep.equal({ policy: 'allowed-issuer', args: 'did:web:issuer.example.org' });
    world.server.clock.advance(3_601_000);
    await elsewhere.reload();
    await elsewhere.getByText(/It was valid until/).waitFor();
    await elsewhere.getByRole('link', { name: 'Change the request' }).click();
    await elsewhere.getByLabel('Argument of From an issuer that is allowed').waitFor();
    expect(await elsewhere.getByLabel('Date of birth').isChecked()).to.equal(true);
    await elsewhere.goBack();
    await elsewhere.getByRole('button', { name: 'Make a new one' }).click();
    await elsewhere.getByRole('img', { name: 'QR code' }).waitFor();
    page.forgive(/ 400 /);
  });

  it('V2, V5, V7: the result comes within a second, each row under its credential; neither a reload nor a second answer changes it', async () => {
    const query = (id: string) => ({ id, format: 'jwt_vc_json', meta: { type_values: [[`${id}Credential`]] } });
    const other = { policy: 'allowed-issuer', args: 'did:web:other.example.org' };
    const created = await vp.create(
      crossDevice({
        dcql_query: { credentials: [query('Degree'), query('Licence')] },
        policies: { vc_policies: ['signature'], specific_vc_policies: { Licence: [other] } },
      }),
    );
    const page = await open(pageOf(created));
    await page.getByText('Nothing yet.').waitFor();
    const request = await vp.request(created);
    const shown = async (type: string) => [
      await vp.presentation(request, { credential: await vp.credential({ type: `${type}Credential` }) }),
    ];
    const response = { vp_token: { Degree: await shown('Degree'), Licence: await shown('Licence') } };
    const answer = () => vp.respond(request, { ...response, state: request.parameters.state });
    await answer();
    const ms = await undisturbedMs(() => page.getByRole('heading', { level: 1, name: 'Not verified' }).waitFor());
    expect(ms).to.be.below(SHOWN_MS);
    const sections = page.locator('main > section', { has: page.locator('.checks') });
    const [licence = '', degree = ''] = await sections.allInnerTexts();
    await page.getByText('LicenceCredential: Its issuer is not among those that the request allows.').waitFor();
    expect(degree).to.match(/^DegreeCredential, from did:/);
    expect(licence).to.match(/^LicenceCredential, from did:/);
    expect([degree, licence].map((text) => /Failed/.test(text))).to.deep.equal([false, true]);
    expect(licence).to.match(/Failed\s+From an issuer that is allowed\s+Its issuer is not among those/);
    expect([degree, licence].map((text) => text.match(/Made for this request/g)?.length)).to.deep.equal([1, 1]);
    const before = await page.locator('main').innerText();
    expect((await answer()).status).to.equal(409);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Not verified' }).waitFor();
    await page.getByText('The wallet answered').waitFor();
    expect(await page.locator('main').innerText()).to.equal(before);
    world.server.clock.advance(25 * 3_600_000);
    await page.reload();
    await page.getByRole('heading', { name: 'This is not here, or no longer' }).waitFor();
    page.forgive(/ 404 /);
  });

  it('V4: an expired and a tampered credential and one of another issuer are "Not verified", with the reason and advice', async () => {
    const policies = { vc_policies: ['signature', { policy: 'allowed-issuer', args: vp.issuer.did }] };
    const now = Math.floor(world.server.clock.now() / 1000);
    const [header, payload, signature = ''] = (await vp.credential()).split('.');
    const tampered = [header, payload, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.');
    const foreign = await issueCredential(await jwkParty(), vp.holder);
    for (const [credential, why, advice] of [
      [await vp.credential({ claims: { exp: now - 3600 } }), /It has expired\./, /a new one from/],
      [tampered, /It was changed after it was signed/, /do not accept it/],
      [foreign, /Its issuer is not among those/, /ask for one of another issuer/],
    ] as const) {
      const created = await vp.create(crossDevice({ policies }));
      const request = await vp.request(created);
      await vp.respond(request, await vp.response(request, { credential }));
      await showsRefused(created, why, advice);
    }
  });

  /** A page that says "Not verified", with the failed rows first, the reason in words and those of the server, and advice. */
  async function showsRefused(created: { sessionId?: string }, why: RegExp, advice: RegExp): Promise<void> {
    const page = await open(pageOf(created));
    await page.getByRole('heading', { level: 1, name: 'Not verified' }).waitFor();
    expect(await page.locator('.notice').first().innerText()).to.match(why);
    expect(await page.locator('.notice.good').count()).to.equal(0);
    const failed = (await rows(page)).filter((row) => row.startsWith('✕'));
    expect(
      failed.some((row) => why.test(row) && advice.test(row)),
      failed.join('\n'),
    ).to.equal(true);
    for (const list of await page.locator('.checks').all()) {
      const states = (await list.locator('strong').allInnerTexts()).map((text) => /Failed/.test(text));
      expect(states).to.deep.equal(states.toSorted((one, other) => Number(other) - Number(one)));
    }
    expect(await page.locator('.checks li [lang=en]').first().innerText()).not.to.equal('');
  }

  it('V6: declined, an error of the wallet, what was not asked for, and expired are four messages; what cannot be read changes nothing', async () => {
    const ended = async (answer: object) => {
      const created = await vp.create();
      const request = await vp.request(created);
      await vp.respond(request, { state: request.parameters.state, ...answer });
      const page = await open(pageOf(created));
      return page;
    };
    const titles: string[] = [];
    for (const answer of [{ error: 'access_denied' }, { error: 'vp_formats_not_supported' }]) {
      const page = await ended(answer);
      await page.locator('.notice.warning').waitFor();
      await expectAccessible(page);
      titles.push(await page.locator('h1').innerText());
    }
    const page = await ended({ vp_token: 'no JSON' });
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    world.server.clock.advance(601_000);
    await page.reload();
    await page.getByText(/It was valid until/).waitFor();
    titles.push(await page.locator('h1').innerText());
    const created = await vp.create();
    const request = await vp.request(created);
    await vp.respond(request, await vp.response(request, { credential: await vp.credential({ type: 'Other' }) }));
    const other = await open(pageOf(created));
    await other.getByText('The answer is not what was asked for.').waitFor();
    await expectAccessible(other);
    titles.push(await other.locator('h1').innerText());
    expect(titles).to.deep.equal([
      'The holder declined',
      'The wallet could not answer',
      'The request has expired',
      'Not verified',
    ]);
  });
});
