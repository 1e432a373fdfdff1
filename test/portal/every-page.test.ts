import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { findingsOf, shiftsOf, watchLooks } from '../support/portal/looks.ts';
import { useOffice } from '../support/portal/office.ts';
import { type Filled, fill, type State } from '../support/portal/states.ts';

/** The routes that one visitor goes through; each is in the first area that it fits. */
const AREAS: [name: string, routes: RegExp][] = [
  ['the wallet', /^\/wallet/],
  ['accounts', /^\/(account|office$)/],
  ['types of cards', /^\/office\/:target($|\/(set-up|types|new-type))/],
  ['what the office issues', /^\/office\/:target\/(issue|status)/],
  ['checks and keys of the office', /^\/office\/:target\/(checks|new-check|counter|keys|new-key)/],
  ['the other pages of the office', /^\/office/],
  ['the tour', /^\//],
];

describe('every page of the portal', () => {
  const world = useOffice();
  const open = usePages(world);
  let filled: Filled;
  before(async () => {
    filled = await fill(world);
  });

  it('is visited below, in one state or more', () => {
    const [, table = ''] = /PAGES: [^{]*\{([^}]*)\}/.exec(readFileSync('portal/shell/router.tsx', 'utf8')) ?? [];
    const routes = [...table.matchAll(/'(\/[^']*)':/g)].map(([, route]) => route);
    expect(routes).to.have.length.greaterThan(40);
    const visited = new Set(filled.states.map(({ route }) => route));
    expect(routes.filter((route = '') => !visited.has(route))).to.deep.equal([]);
  });

  for (const [at, [area]] of AREAS.entries())
    it(`X2, X4, ${area}: nothing is found by axe, scrolls sideways, is cut off or shifts in any look`, async () => {
      const page = await open();
      const cookies = Object.entries(filled.cookies).map(([name, value]) => ({ name, value, url: world.url }));
      await page.context().addCookies(cookies);
      await page.setViewportSize({ width: 1280, height: 800 });
      await watchLooks(page);
      const states = filled.states.filter(({ route }) => AREAS.findIndex(([, routes]) => routes.test(route)) === at);
      expect(states).to.have.length.greaterThan(3);
      const wrong: string[] = [];
      for (const state of states) wrong.push(...(await found(page, state)));
      page.forgive(/ 4\d\d | 500 /);
      expect(wrong).to.deep.equal([]);
    });
});

/** What is wrong with a state of a page. */
async function found(page: PortalPage, state: State): Promise<string[]> {
  const { route, name = 'as it is', path = route, sees, press, answer } = state;
  const release = answer === undefined ? undefined : await answering(page, ...answer);
  const moved = await visit(page, path, sees);
  if (press !== undefined) {
    await page.locator('main').getByRole('button', { name: press[0] }).first().click();
    await page.locator(press[1]).first().waitFor();
  }
  const all = [...moved, ...(await findingsOf(page))];
  await release?.();
  await page.evaluate("location.hash = '#/none'");
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
