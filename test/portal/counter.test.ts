import { expect } from 'chai';
import { CardWallet } from '../actors/card-wallet.ts';
import { may, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { Heap } from '../support/portal/heap.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { inTier } from '../support/runs/tier.ts';
import { freePort } from '../support/stores/redis.ts';

const CARD = 'https://types.example.org/card';
const COUNTER = `/#/office/acme.t1/counter/${VERIFIER}.names`;

/** How many people come one after the other. */
const PEOPLE = inTier({ hard: 200, usual: 80 });

/** Objects that the browser itself may have more of at one look than at another; one for each person would be 40 or more. */
const FEW = 30;

/** Serves people in the page, which is much faster than to press each button from outside; returns what stands beside each code. */
const SERVE = `async (people) => {
  const until = (selector) => new Promise((resolve) => {
    const look = () => {
      const found = document.querySelector(selector);
      if (!found) return;
      observer.disconnect();
      resolve(found);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true });
    look();
  });
  const beside = [];
  for (let served = 0; served < people; served += 1) {
    document.querySelector('.verdict')?.closest('main').querySelector('button.first').click();
    const { hash } = await until('a[href*="present"]');
    beside.push(document.querySelector('main').innerText.replace(/\\d+:\\d+(:\\d+)?/g, ''));
    await showCard(new URLSearchParams(hash.slice(hash.indexOf('?'))).get('request'));
    await until('.verdict.good');
  }
  return beside;
}`;

const many = { requestsPerMinute: 100_000 };

describe('the counter of the office', () => {
  // Pages without https use the Digital Credentials API on this host only.
  const world = useOffice(async () => {
    const port = await freePort();
    const rateLimit = { verifier2_response_endpoint: many, verifier2_request_endpoint: many };
    return { port, publicUrl: `http://localhost:${port}`, rateLimit };
  });
  const open = usePages(world);
  let clerk: string;
  let person: CardWallet;
  let stranger: CardWallet;
  before(async () => {
    const now = () => world.server.clock.now();
    person = await CardWallet.with(CARD, { now });
    stranger = await CardWallet.with(CARD, { now, foreign: true });
    const query = {
      id: 'card',
      format: 'dc+sd-jwt',
      meta: { vct_values: [CARD] },
      claims: [{ path: ['family_name'] }],
    };
    const trusted = { policy: 'allowed-issuer', args: person.issuer };
    const core_flow = { dcql_query: { credentials: [query] }, policies: { vc_policies: [trusted] } };
    const check = { name: 'Names', setup: { flow_type: 'cross_device', core_flow } };
    await ok(world.post('createSavedCheck', `${VERIFIER}.names`, check), 201);
    const actions = ['check-list', 'check-run', 'verifier-session-view'];
    clerk = await world.clerk(actions.map((action) => may(VERIFIER, action)));
  });

  const said = (page: PortalPage, text: string | RegExp) =>
    page.getByRole('status').filter({ hasText: text }).waitFor();

  /** The link of the code that a click shows; what is shown beside it names no person. */
  async function scanned(page: PortalPage, button: string): Promise<string> {
    const [answer] = await Promise.all([
      page.waitForResponse(/checks\/verification-session$/),
      page.getByRole('button', { name: button }).dispatchEvent('click'),
    ]);
    await page.getByRole('img', { name: 'QR code for your wallet' }).waitFor();
    expect(await page.locator('main').innerText()).not.to.include('Lovelace');
    return (await answer.json()).bootstrapAuthorizationRequestUrl;
  }

  it(`O7: ${PEOPLE} checks in a row without a reload take no more memory than half of them, and show nothing of the last person`, async () => {
    // A large window would be painted anew for each of them.
    const page = await open(COUNTER, { viewport: { width: 320, height: 240 } });
    await page.exposeFunction('showCard', (link: string) => person.follow(link));
    await atWork(page, clerk);
    await scanned(page, 'Show a QR code');
    const heap = await Heap.of(page);
    const beside: string[] = [];
    const serve = async () => {
      beside.push(...(await page.evaluate<string[]>(`(${SERVE})(${PEOPLE / 2})`)));
      return heap.look();
    };
    const [half, whole] = [await serve(), await serve()];
    expect(whole.objects - half.objects).to.be.below(FEW);
    expect(whole.strings.some((text) => text.includes('Lovelace'))).to.equal(true);
    expect(new Set(beside).size, beside.join()).to.equal(1);
    expect(beside).to.have.length(PEOPLE);
    expect(beside[0]).to.include('Scan this code').and.not.include('Lovelace');
    await scanned(page, 'Next person');
    const { strings } = await heap.look();
    expect(strings.filter((text) => text.includes('Lovelace'))).to.deep.equal([]);
    forgetRefusals(page);
  });

  it('O8: with the Digital Credentials API no code is needed; declined and refused are different words; a verdict that is left alone goes', async () => {
    const page = await open(COUNTER);
    await page.clock.install();
    const answers: ((options: { digital: object }) => Promise<unknown>)[] = [];
    await page.exposeFunction('walletAnswers', (options: { digital: object }) => answers.shift()?.(options));
    await page.evaluate(`
      navigator.credentials.get = async ({ digital, mediation }) => {
        if (mediation !== 'required') throw new TypeError('mediation');
        const answer = await globalThis.walletAnswers({ digital });
        if (!answer) throw new DOMException('No wallet', 'NotAllowedError');
        return answer;
      };
    `);
    const visitor = await atWork(page, clerk);
    await visitor.reads('Names');
    expect(await page.locator('header').count()).to.equal(0);
    await visitor.click('Ask the wallet');
    await said(page, 'No wallet answered.');
    answers.push((options) => person.answer(options, world.url));
    await visitor.click('Ask the wallet');
    await said(page, /Yes$/);
    expect(await page.locator('main .summary').innerText()).to.match(/^Family name\s+Lovelace$/);
    expect(await page.locator('svg').count()).to.equal(0);
    answers.push((options) => stranger.answer(options, world.url));
    await page.getByRole('button', { name: 'Next person' }).and(page.locator(':focus')).press('Enter');
    await said(page, 'No: wrong issuer');
    expect(await page.locator('main').innerText()).not.to.include('Lovelace');
    await expectAccessible(page);
    await person.follow(await scanned(page, 'Show a QR code'), 'decline');
    await said(page, 'No: not shared');
    await person.follow(await scanned(page, 'Next person'));
    await page.getByText('Lovelace').waitFor();
    await page.clock.fastForward(121_000);
    await page.getByText('Lovelace').waitFor({ state: 'detached' });
    page.forgive(/ 40[01] /);
  });
});
