import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { KMS, may, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { ISSUER } from '../actors/tenant-issuer.ts';
import { usePages } from '../support/portal/browser.ts';
import { presenting, receiving } from '../support/portal/holder.ts';
import { useOffice } from '../support/portal/office.ts';
import { makeIssuer, newResident } from '../support/portal/residents.ts';
import { listOf, openListOf } from '../support/portal/status-lists.ts';
import { wordsLeft } from '../support/portal/words.ts';

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });
const CHOSEN = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv ar ru tr uk'.split(' ');
/** What pages say that is no text of a language: names, addresses, targets, formats, and languages by the browser's names. */
const DATA = [
  /^(– |Credenza – )?Credenza$/,
  /^\(?acme\b|^Acme$|^t1$|^kms1$|^4711\b|^dc\+sd-jwt|^File |@example\.org$|^[0-9a-f]{8}$|^Member$|^(kms1|did-store|credential-store|policy-store)$/,
  new RegExp(`^(${CHOSEN.map((tag) => LANGUAGES.of(tag)).join('|')})$`),
  /^(Identity|Resident|University|Open) ?[A-Z]?[a-z]* ?(card)?|^did:|^https?:|^openid/,
];

/** The pages of docs/portal.md by what stands there: what follows `#` in the address, and what is there once it is shown. */
const PAGES: Record<string, [address: string, shown: string]> = {
  '#/': ['/', '.tour'],
  '#/issue': ['/issue', '.tasks'],
  '#/issue/{profile}': ['/issue/IdentityCredential_dc-sd-jwt', 'fieldset'],
  '#/issue/session/…': ['OFFER', '.qr'],
  '#/wallet/receive': ['RECEIVE', 'button.first'],
  '#/wallet': ['/wallet', '.cards .card'],
  '#/wallet/present': ['PRESENT', '.summary'],
  '#/status': ['/status', 'table'],
  '#/status/{list}': ['OPEN_LIST', 'table'],
  '#/status/{list}/{place}': ['OPEN_PLACE', '.summary ~ .quiet'],
  '#/verify': ['/verify', '.policy'],
  '#/verify/session/…': ['REQUEST', '.qr'],
  '#/wallet/add': ['/wallet/add', '#picture'],
  '#/wallet/credentials/…': ['CARD', '.card'],
  '#/wallet/log': ['/wallet/log', 'table'],
  '#/wallet/keys': ['/wallet/keys', '.plain'],
  '#/wallet/login?with=certificate': ['/wallet/login?with=certificate', '#chain'],
  '#/account/login': ['/account/login', '#password'],
  '#/account/first': ['/account/first', '#token'],
  '#/account/invitation?token=…': ['/account/invitation?token=x', '#password'],
  '#/account/password?token=…': ['/account/password?token=x', '#password'],
  '#/office': ['/office?choose=yes', '.tasks'],
  '#/office/{target}': ['/office/acme.t1', '.tasks'],
  '#/office/{target}/set-up': ['/office/acme/set-up', '#name'],
  '#/office/{target}/types': ['/office/acme.t1/types', '.card'],
  '…/types/{type}': ['/office/acme.t1/types/resident-card', '.card'],
  '#/office/{target}/contents': ['/office/acme.t1/contents', 'table'],
  '#/office/{target}/types/{type}/change': ['/office/acme.t1/types/resident-card/change', '.card'],
  '#/office/{target}/new-type': ['/office/acme.t1/new-type', 'fieldset.claim'],
  '#/office/{target}/keys': ['/office/acme.t1/keys', 'table'],
  '…/keys/{key}': ['/office/acme.t1/keys/4711', 'pre'],
  '…/new-key': ['/office/acme.t1/new-key', '#keyType'],
  '#/office/{target}/people': ['/office/acme.t1/people', '.words'],
  '…/people/{role}': ['/office/acme.t1/people/4711', '.words'],
  '…/new-role': ['/office/acme.t1/new-role', 'form'],
  '#/office/{target}/invite': ['/office/acme.t1/invite', 'form'],
  '#/office/{target}/api-keys': ['/office/acme.t1/api-keys', 'table'],
  '#/office/{target}/checks': ['/office/acme.t1/checks', '.tasks'],
  '…/checks/{check}': ['/office/acme.t1/checks/4711', '.summary'],
  '#/office/{target}/new-check': ['/office/acme.t1/new-check', '[id="/name"]'],
  '…/checks/{check}/change': ['/office/acme.t1/checks/4711/change', '[id="/name"]'],
  '#/office/{target}/counter/{check}': [`/office/acme.t1/counter/${VERIFIER}.4711`, '.qr'],
  '#/office/{target}/trust': ['/office/acme.t1/trust', 'table'],
  '#/office/{target}/domains': ['/office/acme.t1/domains', 'table'],
  '#/office/{target}/issue': ['/office/acme.t1/issue', '.tasks'],
  '#/office/{target}/issue-many': ['/office/acme.t1/issue-many', '.tasks, textarea'],
  '#/office/{target}/issued': ['/office/acme.t1/issued', 'table'],
  '…/issued/{card}': ['ISSUED', '.summary'],
  '#/office/{target}/status': ['/office/acme.t1/status', 'table'],
  '…/status/{list}': ['LIST', 'table'],
  '…/status/{list}/{place}': ['PLACE', '.summary ~ .quiet'],
  '#/office/{target}/audit': ['/office/acme.t1/audit', 'table'],
  '#/account/audit': ['/account/audit', 'table'],
  '#/account/health': ['/account/health', 'table'],
};

/** Pages whose readers have no login yet. */
const ANONYMOUS = /^\/account\/(login|first|invitation|password)|^\/wallet\/login/;

describe('the pages of docs/portal.md', () => {
  const world = useOffice();
  const open = usePages(world);
  let addresses: Record<string, string>;
  let login: string;
  before(async () => {
    const { server } = world;
    const make = async (operationId: string, target: string, json: object): Promise<void> => {
      const { status, body } = await world.post(operationId, target, json);
      expect(status, `${operationId} ${JSON.stringify(body)}`).to.be.within(200, 204);
    };
    await makeIssuer(world);
    const resident = await newResident(world, 'File 4711', { recipient: 'bob@example.org' });
    await make('generateKey', `${KMS}.4711`, {});
    await make('createRole', 'acme.t1.4711', { name: '4711', permissions: [may('acme.t1', 'list-keys')] });
    await make('createInvitation', 'acme', { email: 'new@example.org', role: 'acme.t1.4711' });
    await make('createApiKey', 'acme.t1', { name: '4711', permissions: [may('acme.t1', 'list-keys')] });
    await make('createService', 'acme.t1.4711', { type: 'trust-registry' });
    await make('addTrustedIssuer', 'acme.t1.4711', { type: 'did', issuer: 'did:web:other.example.org' });
    await make('createHostAlias', 'acme.t1', { domain: 'acme.example.org' });
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: ['urn:4711'] } };
    const setup = { flow_type: 'cross_device', core_flow: { dcql_query: { credentials: [query] } } };
    await make('createSavedCheck', `${VERIFIER}.4711`, { name: '4711', setup });
    const json = { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED' };
    const offer = await ok(server.call('createCredentialOffer', { json }), 201);
    const request = await ok(server.call('createVerificationSession', { json: setup }));
    const [issued] = await ok(server.call('listIssuedCredentials', { path: { target: ISSUER }, token: world.root }));
    const shown = new URLSearchParams({ offer: offer.credentialOffer });
    const [list, openList] = [await listOf(world), await openListOf(world)];
    addresses = {
      OFFER: `/issue/session/${offer.offerId}?${shown}`,
      RECEIVE: receiving(offer.credentialOffer),
      PRESENT: presenting(request.bootstrapAuthorizationRequestUrl),
      REQUEST: `/verify/session/${request.sessionId}`,
      LIST: list.page,
      PLACE: `${list.page}/${list.index}`,
      OPEN_LIST: openList.page,
      OPEN_PLACE: `${openList.page}/${openList.index}`,
      ISSUED: `/office/acme.t1/issued/${issued.id}`,
      CARD: `/wallet/credentials/${encodeURIComponent(resident.card)}`,
    };
    login = resident.wallet.token;
  });

  it('X7: each of them is visited with the pseudo-language, and no word of another one is left', async () => {
    const cells = readFileSync('docs/portal.md', 'utf8').match(/^\| `[#…][^|]*\|/gm) ?? [];
    const documented = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path));
    expect(Object.keys(PAGES)).to.have.members(documented);
    const [known, stranger] = [await open('/#/none'), await open('/#/none')];
    await known
      .context()
      .addCookies(
        Object.entries({ admin: world.root, login }).map(([name, value]) => ({ name, value, url: world.url })),
      );
    for (const page of [known, stranger]) {
      await page.evaluate("localStorage.setItem('language', 'en-XA')");
      await page.reload();
    }
    const left: Record<string, string[]> = {};
    for (const [name, [address, shown]] of Object.entries(PAGES)) {
      const path = addresses[address] ?? address;
      const page = ANONYMOUS.test(path) ? stranger : known;
      await page.goto(`${world.url}/#${path}`);
      await page.locator('main').locator(shown).first().waitFor();
      const words = (await wordsLeft(page)).filter((text) => !DATA.some((one) => one.test(text)));
      if (words.length > 0) left[name] = words;
      // Nothing of this page is taken for the next one.
      await page.goto(`${world.url}/#/none`);
      await page.getByRole('heading', { level: 1, name: '⟦There is no such page' }).waitFor();
    }
    expect(left, JSON.stringify(left, undefined, 1)).to.deep.equal({});
    for (const page of [known, stranger]) page.forgive(/ 40[0134] /);
  });
});
