import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Line, median } from '../support/harness.ts';
import { fork } from '../support/servers.ts';

const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** How often each is measured. */
const TIMES = 10;

/** In milliseconds; a busy machine may take twice as long. */
const BUDGETS = { median: 300, worst: 700, next: 150 };

/** The areas that are opened one after the other, each for the first time. */
const AREAS = ['/wallet/login', '/account/login', '/verify', '/issue'];

const FIRST_CONTENT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [entry] = list.getEntriesByName('first-contentful-paint');
    if (entry) resolve(entry.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

/** Until the heading of the page is another one, which a page shows when its script and its texts are there. */
const opening = (path: string) => `new Promise((resolve) => {
  const started = performance.now();
  const before = document.querySelector('h1');
  new MutationObserver((_, observer) => {
    const now = document.querySelector('h1');
    if (now === null || now === before) return;
    observer.disconnect();
    resolve(performance.now() - started);
  }).observe(document.body, { childList: true, subtree: true });
  location.hash = '#${path}';
})`;

/** The times of one reader who has nothing of the portal yet. */
async function visit(browser: Browser, url: string): Promise<{ first: number; next: number[] }> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page: Page = await context.newPage();
  await page.goto(url);
  await page.locator('h1').waitFor();
  const first = await page.evaluate<number>(FIRST_CONTENT);
  const next: number[] = [];
  for (const path of AREAS) next.push(await page.evaluate<number>(opening(path)));
  await context.close();
  return { first, next };
}

const line = (work: string, ms: number, budget: number): Line => ({
  work,
  ours: `${ms.toFixed(0)} ms`,
  beside: `budget of ${budget} ms`,
  ratio: ms / budget,
  goal: { atMost: 2 },
});

/** How long a reader waits for the portal: for its first content with nothing cached, and for one more area. */
export async function portal(): Promise<Line[]> {
  const { port, close } = await fork('support/start-product', []);
  const executablePath = PROGRAMS.find((path) => existsSync(path));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const visits: Awaited<ReturnType<typeof visit>>[] = [];
  await visit(browser, `http://127.0.0.1:${port}`);
  for (let time = 0; time < TIMES; time += 1) visits.push(await visit(browser, `http://127.0.0.1:${port}`));
  await browser.close();
  await close();
  const firsts = visits.map(({ first }) => first);
  return [
    line('portal: first content, cold', median(firsts), BUDGETS.median),
    line('portal: first content, cold, worst', Math.max(...firsts), BUDGETS.worst),
    line('portal: next area', median(visits.flatMap(({ next }) => next)), BUDGETS.next),
  ];
}
