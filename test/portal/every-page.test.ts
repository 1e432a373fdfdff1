import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { allFindingsOf, findingsOf, lookFirst, shiftsOf, watchLooks } from '../support/portal/looks.ts';
import { useOffice } from '../support/portal/office.ts';
import { type Filled, fill, type State } from '../support/portal/states.ts';
import { wordsLeft } from '../support/portal/words.ts';
import { until } from '../support/runs/waiting.ts';

/** The routes that one visitor goes through; each is in the first area that it fits. */
const AREAS: [name: string, routes: RegExp][] = [
  ['the wallet and accounts', /^\/(wallet|account|office$)/],
  [
    'types, cards and checks of the office',
    /^\/office\/:target\/(types|new-type|issue|status|check|new-check|counter)/,
  ],
  ['the other pages of the office', /^\/office/],
  ['the tour', /^\//],
];

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });
const CHOSEN = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv ar ru tr uk'.split(' ');
/** What pages say that is no text of a language: names, addresses, targets, formats, events, and languages by the browser's names. */
const DATA = [
  /^(– |Credenza – )?Credenza$/,
  /^\(?acme\b|^Acme$|^t[12]$|^kms1$|^4711\b|^dc\+sd-jwt|^File |example\.org$|^[0-9a-f]{8}$|^Member$|^(kms1|did-store|credential-store|policy-store)$/,
  new RegExp(`^(${CHOSEN.map((tag) => LANGUAGES.of(tag)).join('|')})$`),
  /^[a-z]+(_[a-z]+)+$/,
  /^(Identity|Resident|University|Open) ?[A-Z]?[a-z]* ?(card)?|^did:|^https?:|^openid/,
];

/** A route of the router or of the documentation, without the names of its parts. */
const shapeOf = (route: string): string =>
  route
    .replace(/^#|\?.*/g, '')
    .replace(/^…/, '/office/:')
    .replaceAll(/:\w+|\{\w+\}|…/g, ':');

describe('every page of the portal', () => {
  const world = useOffice();
  const open = usePages(world);
  let filled: Filled;
  before(async () => {
    filled = await fill(world);
  });

  it('is visited below, in one state or more, and documented', () => {
    const [, table = ''] = /PAGES: [^{]*\{([^}]*)\}/.exec(readFileSync('portal/shell/router.tsx', 'utf8')) ?? [];
    const routes = [...table.matchAll(/'(\/[^']*)':/g)].map(([, route = '']) => route);
    expect(routes).to.have.length.greaterThan(40);
    const visited = new Set(filled.states.map(({ route }) => route));
    expect(routes.filter((route) => !visited.has(route))).to.deep.equal([]);
    const cells = readFileSync('docs/portal.md', 'utf8').match(/^\| `[#…][^|]*\|/gm) ?? [];
    const documented = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => shapeOf(path)));
    const shapes = new Set([...visited].map(shapeOf));
    expect(documented.filter((shape) => !shapes.has(shape))).to.deep.equal([]);
  });

  for (const [at, [area]] of AREAS.entries())
    it(`X2, X4, X7, ${area}: no look has a finding of axe, a sideways scroll, a cut or a shift, and the pseudo-language leaves no other word`, async () => {
      const cookies = Object.entries(filled.cookies).map(([name, value]) => ({ name, value, url: world.url }));
      const page = await open('/#/none', { viewport: { width: 1280, height: 800 } });
      await page.context().addCookies(cookies);
      // Its texts are longer than those of other languages.
      await page.evaluate("localStorage.setItem('language', 'en-XA')");
      await page.reload();
      await watchLooks(page);
      const states = filled.states.filter(({ route }) => AREAS.findIndex(([, routes]) => routes.test(route)) === at);
      expect(states).to.have.length.greaterThan(3);
      const wrong: string[] = [];
      for (const [turn, state] of states.entries()) wrong.push(...(await found(page, state, turn)));
      page.forgive(/ 4\d\d | 500 /);
      expect(wrong).to.deep.equal([]);
      expect(await page.evaluate(KEPT), 'X8: what the browser keeps').to.deep.equal(['language']);
    });

  it('X1, X2, X4, X7: what is wrong on a page is found: each fault that is planted here, and nothing else', async () => {
    const page = await open('/#/none', { viewport: { width: 1280, height: 800 } });
    await page.evaluate("localStorage.setItem('language', 'en-XA')");
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '⟦There is no such page' }).waitFor();
    await watchLooks(page);
    expect(await allFindingsOf(page)).to.deep.equal([]);
    await page.evaluate(PLANT);
    const words = (await wordsLeft(page)).filter((text) => !DATA.some((one) => one.test(text)));
    const found = [...(await allFindingsOf(page)), ...words];
    for (const fault of PLANTED)
      expect(
        found.filter((one) => fault.test(one)),
        String(fault),
      ).to.have.length.above(0);
    expect(found.filter((one) => !PLANTED.some((fault) => fault.test(one)))).to.deep.equal([]);
    await page.evaluate(MISBEHAVE);
    for (const fault of MISBEHAVIOUR) await until(async () => page.forgive(fault).length > 0);
  });
});

/** What a browser keeps of the pages. */
const KEPT = `(async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...await caches.keys(),
  ...(await indexedDB.databases()).map(({ name }) => name)])()`;

/** Faults of a page: pale text, a picture and a field without a name, a target too small, a width, a move and a word in English. */
const PLANT = `(() => {
  const add = (name, style, more = {}) => {
    const element = Object.assign(document.createElement(name), more);
    Object.assign(element.style, style);
    document.querySelector('main').append(element);
  };
  add('p', { color: 'rgb(160, 160, 160)', background: 'rgb(255, 255, 255)' }, { textContent: '⟦pale⟧' });
  add('img', {}, { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=' });
  add('input', {}, {});
  add('button', { padding: 0, minBlockSize: '9px', blockSize: '9px', inlineSize: '9px', fontSize: '4px', border: '1px solid' }, { textContent: '⟦x⟧' });
  add('button', { padding: 0, minBlockSize: '9px', blockSize: '9px', inlineSize: '9px', fontSize: '4px', border: '1px solid' }, { textContent: '⟦y⟧' });
  add('button', { marginInlineStart: '-8px' }, { textContent: '⟦over⟧' });
  add('p', { inlineSize: '3000px' }, { textContent: '⟦wide⟧' });
  add('p', {}, { textContent: 'planted word' });
})()`;
const PLANTED = [
  /color-contrast: .*pale/,
  /image-alt/,
  /label: <input/,
  /target-size/,
  /scrolls sideways/,
  /lies over another: .*over/,
  /planted word/,
];

/** What the harness of each page must notice: a line, a rejection, and what the policy forbids. */
const MISBEHAVE = `(() => {
  console.error('planted line');
  void Promise.reject(new Error('planted rejection'));
  document.head.append(Object.assign(document.createElement('style'), { textContent: 'p { color: red }' }));
  void fetch('https://elsewhere.example/').catch(() => undefined);
})()`;
const MISBEHAVIOUR = [/planted line/, /planted rejection/, /style-src/, /elsewhere\.example/];

/** What is wrong with a state of a page. */
async function found(page: PortalPage, state: State, turn: number): Promise<string[]> {
  const { route, name = 'as it is', path = route, sees, moves, press, answer } = state;
  const release = answer === undefined ? undefined : await answering(page, ...answer);
  const shifts = await visit(page, path, sees);
  const moved = moves === undefined ? shifts : [];
  if (press !== undefined) {
    await page.locator('main').getByRole('button', { name: press[0] }).first().click();
    await page.locator(press[1]).first().waitFor();
  }
  // A message at a field is the server's, in English.
  const words = (press ? [] : await wordsLeft(page)).filter((text) => !DATA.some((one) => one.test(text)));
  const all = [...moved, ...words.map((text) => `is not translated: ${text}`), ...(await findingsOf(page, turn))];
  await release?.();
  // Nothing of this page is taken for the next one.
  await page.evaluate("location.hash = '#/none'");
  await page.getByRole('heading', { level: 1, name: '⟦There is no such page' }).waitFor();
  await lookFirst(page);
  return all.map((one) => `${route}, ${name}: ${one}`);
}

/** Goes to a page without a new document; returns what has moved until it was there. */
async function visit(page: PortalPage, path: string, sees: string): Promise<string[]> {
  await page.evaluate(`takeShifts().then(() => { location.hash = ${JSON.stringify(`#${path}`)}; })`);
  await page.locator(`main >> ${sees}`).first().waitFor();
  return shiftsOf(page);
}

/** Answers the requests for some paths until what it returns is called; those that wait are answered then. */
async function answering(page: PortalPage, paths: RegExp, status: number | 'late'): Promise<() => Promise<void>> {
  const held: Route[] = [];
  const headers = { 'retry-after': '99' };
  await page.route(paths, async (route) => {
    if (status === 'late') held.push(route);
    else await route.fulfill({ status, contentType: 'application/json', headers, body: PROBLEM });
  });
  return async () => {
    for (const route of held) await route.continue();
    await page.unroute(paths);
  };
}

/** An error as the server writes it. */
const PROBLEM = JSON.stringify({
  exception: true,
  id: 'Any',
  status: 'Any',
  code: '500',
  message: 'It was so',
  requestId: 'request-4711',
});
