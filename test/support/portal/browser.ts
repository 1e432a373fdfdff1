import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CAMERA } from './camera.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Debian's Chromium without a window, which needs a third of the processor time of the one with a window, and others. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

let shared: Promise<Browser> | undefined;

/** One Chromium for all files of a run; it ends with the process. */
function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({
    executablePath: PROGRAMS.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${CAMERA}`,
    ],
  });
  return shared;
}

/** What a page must not do; a test that provokes some of it says which. */
interface Watched {
  page: Page;
  faults: string[];
}

/** A page of the portal whose every fault fails the test: see `expectNoFault`. */
export interface PortalPage extends Page {
  /** Forgets what a test provoked on purpose: console lines and failed requests that match. */
  forgive(pattern: RegExp): void;
  /** Opens another page beside it, with the same cookies; it is watched too. */
  beside(path: string): Promise<PortalPage>;
}

/**
 * Opens pages for the tests of the enclosing `describe`, each in a context of its own, and fails a test after which one has
 * written an error to the console, violated the policy, asked another origin or left a rejection unhandled.
 */
export function usePages(
  server: { url: string },
  /** Files of other origins that the pages may load. */
  foreign: () => string[] = () => [],
): (path?: string, options?: BrowserContextOptions) => Promise<PortalPage> {
  let open: Watched[] = [];
  afterEach(async () => {
    const watched = open;
    open = [];
    for (const { page } of watched) await page.context().close();
    expect(watched.flatMap(({ faults }) => faults)).to.deep.equal([]);
  });
  return async (path = '/', options = {}) => {
    const context = await (await sharedBrowser()).newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(20_000);
    return openIn(context, path);
  };

  async function openIn(context: BrowserContext, path: string): Promise<PortalPage> {
    const page = (await context.newPage()) as PortalPage;
    const faults: string[] = [];
    open.push({ page, faults });
    watch(page, { origin: new URL(server.url).origin, foreign: foreign(), faults });
    page.forgive = (pattern) => {
      for (const fault of faults.filter((text) => pattern.test(text))) faults.splice(faults.indexOf(fault), 1);
    };
    page.beside = (other) => openIn(context, other);
    await page.goto(`${server.url}${path}`);
    return page;
  }
}

function watch(page: Page, { origin, foreign, faults }: { origin: string; foreign: string[]; faults: string[] }): void {
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:') && !foreign.includes(url))
      faults.push(`foreign request: ${url}`);
  });
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** What axe finds in the page as it is, in the current colours and width. */
async function axeFindings(page: Page): Promise<string[]> {
  // Injected by the debugger: the policy stops a script tag with text.
  if (!(await page.evaluate<boolean>('Boolean(globalThis.axe)'))) await page.evaluate(`${AXE}; 0`);
  // The violations alone: what passed is many times as much to hand over.
  const violations = await page.evaluate<AxeResult['violations']>(
    `axe.run(document, { resultTypes: ['violations'], runOnly: { type: 'tag', values: ${JSON.stringify(TAGS)} } })
      .then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** In which sizes and colours a page is looked at. */
const LOOKS = [
  { width: 320, height: 640, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 320, height: 640, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
] as const;

/** Fails where axe finds something in the state of the page, or where it scrolls sideways, in both sizes and both colours. */
export const expectAccessible = (page: Page): Promise<void> => expectLooks(page, LOOKS.slice(0, 2));

/** As `expectAccessible`, in each size with each of the colours. */
export const expectAccessibleEverywhere = (page: Page): Promise<void> => expectLooks(page, LOOKS);

async function expectLooks(page: Page, looks: readonly (typeof LOOKS)[number][]): Promise<void> {
  for (const { colorScheme, ...size } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const look = `${await page.title()}, ${size.width} px, ${colorScheme}`;
    expect(await axeFindings(page), look).to.deep.equal([]);
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, `${look} scrolls sideways`).to.equal(0);
  }
}
