import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CAMERA } from './camera.ts';

/** Debian's Chromium without a window, which needs half of the processor time of the one with a window, and others. */
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
      // One process draws and one shows the pages of a context: each start of another costs as much as a page.
      '--in-process-gpu',
      '--process-per-site',
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      '--use-fake-device-for-media-stream',
      // Without a window, a question for leave to use the camera has no answer.
      '--use-fake-ui-for-media-stream',
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
  /** Forgets what a test provoked on purpose, and returns it: faults that match. */
  forgive(pattern: RegExp): string[];
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
    context.setDefaultTimeout(60_000);
    return openIn(context, path);
  };

  async function openIn(context: BrowserContext, path: string): Promise<PortalPage> {
    const page = (await context.newPage()) as PortalPage;
    const faults: string[] = [];
    open.push({ page, faults });
    watch(page, { origin: new URL(server.url).origin, foreign: foreign(), faults });
    page.forgive = (pattern) => {
      const forgiven = faults.filter((text) => pattern.test(text));
      for (const fault of forgiven) faults.splice(faults.indexOf(fault), 1);
      return forgiven;
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
