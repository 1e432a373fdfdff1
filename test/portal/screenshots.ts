/**
 * `npm run screenshots`: makes the pictures of the documentation that are missing or older than their page, from a running
 * portal. What differs between two runs (the port, the time, the ids of sessions) is the same in every picture.
 */
import { writeFileSync } from 'node:fs';
import { CALLBACK, clientCredentials } from '../actors/relying-party.ts';
import { cardProfile, clientOf, SignInFixture, signInOf } from '../actors/sign-in.ts';
import { may, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { DIGESTS, fileOf, keptDigests, type PictureName, sourcesOf, staleNames } from '../support/portal/pictures.ts';
import { readQr } from '../support/portal/qr.ts';
import { makeIssuer, newResident, type Resident, revoke } from '../support/portal/residents.ts';
import { smallScreenshot } from '../support/portal/small-png.ts';
import { showCard, takeCard, Visitor } from '../support/portal/walk.ts';

const NOW = Date.parse('2026-06-15T09:41:00Z');
const OPTIONS = { viewport: { width: 960, height: 720 }, timezoneId: 'UTC', colorScheme: 'light' } as const;
const CHECK = `${VERIFIER}.residents`;

const stale = await staleNames();
const shop = await clientCredentials('none');

describe('the pictures', () => {
  const world = useOffice();
  const open = usePages(world);
  const signIn = new SignInFixture(
    signInOf(
      { shop: clientOf(shop, { name: 'The shop of Example' }) },
      { card: cardProfile({ purpose: 'So that your orders are yours' }) },
    ),
  );
  const openSignIn = usePages(signIn.server);
  before(async () => {
    world.server.clock.advance(NOW - world.server.clock.now());
    await makeIssuer(world);
  });

  const opened = async (path: string): Promise<PortalPage> => {
    const page = await open('/portal.json', OPTIONS);
    await page.clock.setFixedTime(NOW);
    await page.goto(`${world.url}${path}`);
    return page;
  };
  /** A request for the card of a resident. */
  const askedOf = async ({ wallet }: Resident) => {
    const [card] = (await wallet.call('listWalletCredentials')).body;
    const claims = ['family_name', 'birth_date'].map((name) => ({ path: [name] }));
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [card.parsedDocument.vct] }, claims };
    const policies = { vc_policies: ['signature', 'expiration', 'revoked-status-list'] };
    return { flow_type: 'cross_device', core_flow: { dcql_query: { credentials: [query] }, policies } };
  };

  const SCENES: Record<PictureName, () => Promise<PortalPage>> = {
    start: () => opened('/'),
    wallet: async () => {
      const { wallet } = await newResident(world, 'File 4710');
      const json = { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED' };
      await wallet.accept((await world.server.call('createCredentialOffer', { json })).body.credentialOffer);
      const page = await opened('/');
      await page.context().addCookies([{ name: 'login', value: wallet.token, url: world.url, httpOnly: true }]);
      await page.goto(`${world.url}/#/wallet`);
      await page.locator('.card').last().waitFor();
      return page;
    },
    verified: async () => {
      const visitor = new Visitor(await opened('/'));
      await takeCard(visitor, 'ada@example.org');
      await showCard(visitor);
      return visitor.page;
    },
    'not-verified': async () => {
      const resident = await newResident(world, 'File 4711');
      const json = await askedOf(resident);
      await revoke(world, 'File 4711');
      const { body } = await world.server.call('createVerificationSession', { json });
      await resident.answer(body.bootstrapAuthorizationRequestUrl);
      return opened(`/#/verify/session/${body.sessionId}`);
    },
    type: async () => {
      const page = await opened('/#/office/acme.t1/new-type');
      const visitor = await atWork(page, await world.clerk([may('acme.t1')]));
      await visitor.reads('Make a type');
      await visitor.type('Name (English)', 'Resident card');
      await visitor.type('What it is called (English)', 'Family name');
      await page.getByLabel('Own colours').check();
      await page.getByLabel('The card in a wallet').scrollIntoViewIfNeeded();
      return page;
    },
    counter: async () => {
      const resident = await newResident(world, 'File 4712');
      await ok(world.post('createSavedCheck', CHECK, { name: 'Who lives here', setup: await askedOf(resident) }), 201);
      const page = await opened(`/#/office/acme.t1/counter/${CHECK}`);
      const visitor = await atWork(page, await world.clerk([may('acme.t1')]));
      await visitor.reads('Who lives here');
      const code = page.getByRole('img', { name: 'QR code for your wallet' });
      await code.waitFor();
      await resident.answer(await readQr(code));
      await page.getByRole('status').filter({ hasText: /Yes$/ }).waitFor();
      return page;
    },
    'sign-in': () => {
      const asked = {
        ...{ client_id: 'shop', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK, state: 's' },
        ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
      };
      return openSignIn(`/sign-in/authorize?${new URLSearchParams(asked)}`, OPTIONS);
    },
  };

  for (const name of stale)
    it(name, async () => {
      const page = await SCENES[name]();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.evaluate(settle(new URL(world.url).port));
      writeFileSync(fileOf(name), await smallScreenshot(page));
      const kept = { ...keptDigests(), [name]: (await sourcesOf(name)).digest };
      const sorted = Object.fromEntries(Object.entries(kept).sort());
      writeFileSync(DIGESTS, `${JSON.stringify(sorted, null, 2)}\n`);
      forgetRefusals(page);
    });
});

/** A script that writes the usual port, and one id of sessions, where the page shows others. */
const settle = (port: string): string => `{
  document.activeElement?.blur();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    text.data = text.data.replaceAll(':${port}', ':7001').replace(/(?<=session )[\\w-]{8}$/, '5f2b9c1e');
  }
}`;
