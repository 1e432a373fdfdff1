import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Level AA of WCAG 2.2 and what is good beside it. */
const ALL = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };

/** The rules whose outcome depends on colours. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** The rules whose outcome depends on the size of the window, and on colours. */
const LAYOUT = { type: 'rule', values: [...COLOURS.values, 'target-size', 'scrollable-region-focusable'] };

/** What people may set for texts without losing one (WCAG 2.2, 1.4.12). */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`;

/**
 * What moves less than this, as part of the window, is no shift: Core Web Vitals allow a tenth. The heading of the first page
 * of a unit moves by less, since the menu above it shows what the reader may do there.
 */
const LEAST_SHIFT = 0.01;

interface Look {
  name: string;
  size: { width: number; height: number };
  media: NonNullable<Parameters<Page['emulateMedia']>[0]>;
  /** A style of the reader's. */
  style?: string;
  rules?: typeof ALL;
}

const WIDE = { width: 1280, height: 800 };
/** A window of 1280 by 1024 px whose page is enlarged to 400 %. */
const NARROW = { width: 320, height: 256 };
const LIGHT = { colorScheme: 'light', forcedColors: 'none' } as const;
const DARK = { colorScheme: 'dark', forcedColors: 'none' } as const;

/** How each state of a page is looked at. Structure is the same in all looks, so the rules on it are tried in the first. */
const LOOKS: readonly Look[] = [
  { name: 'light', size: WIDE, media: LIGHT, rules: ALL },
  { name: 'dark', size: WIDE, media: DARK, rules: COLOURS },
  { name: 'forced colours', size: WIDE, media: { colorScheme: 'light', forcedColors: 'active' }, rules: COLOURS },
  { name: 'texts of 200 %', size: WIDE, media: LIGHT, style: 'html { font-size: 200% }' },
  { name: '320 px, dark', size: NARROW, media: DARK, rules: LAYOUT },
  { name: '320 px, wide spacing of texts', size: NARROW, media: LIGHT, style: SPACING },
];

/**
 * Defines `findings(style, rules)`: what scrolls sideways, is cut off, moves, has no border where colours are forced, and
 * what axe finds. The style of the reader is set through the CSSOM, since the policy stops others.
 */
const WATCH = `(() => {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const named = (element) => element.outerHTML.slice(0, 160);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.clientWidth > 1;
  const isLabelled = (element) => element.matches('section[aria-label], textarea');
  const wrongIn = (element) => {
    const { overflowX, borderTopWidth, borderBottomWidth, appearance } = getComputedStyle(element);
    const isWider = element.scrollWidth > element.clientWidth + 1 && element.localName !== 'input';
    if (isWider && ['hidden', 'clip'].includes(overflowX)) return ['cut off'];
    if (isWider && ['auto', 'scroll'].includes(overflowX) && !isLabelled(element)) return ['scrolls without a label'];
    const isControl = element.matches('button, .button, input, select, textarea') && appearance !== 'auto';
    if (isControl && matchMedia('(forced-colors: active)').matches && borderTopWidth + borderBottomWidth === '0px0px')
      return ['has no border'];
    return [];
  };
  globalThis.findings = async (style, rules) => {
    sheet.replaceSync(style);
    const root = document.documentElement;
    const found = root.scrollWidth > root.clientWidth ? ['scrolls sideways by ' + (root.scrollWidth - root.clientWidth)] : [];
    for (const element of document.body.querySelectorAll('*'))
      if (isShown(element)) found.push(...wrongIn(element).map((wrong) => wrong + ': ' + named(element)));
    for (const { playState, effect } of document.getAnimations())
      if (playState === 'running') found.push('moves: ' + named(effect.target));
    const { violations } = rules ? await axe.run(document, { resultTypes: ['violations'], runOnly: rules }) : { violations: [] };
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes) found.push(id + ': ' + html + ' ' + failureSummary);
    return found;
  };
  globalThis.shifts = [];
  const note = (entries) => {
    for (const { value, sources } of entries)
      if (value > ${LEAST_SHIFT})
        shifts.push('shifted by ' + value.toFixed(4) + ': ' + sources.map(({ node }) => node?.outerHTML?.slice(0, 80)));
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift' });
  globalThis.takeShifts = async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    note(observer.takeRecords());
    return shifts.splice(0);
  };
})()`;

/** Prepares a document; the policy of the portal stops scripts that do not come from the debugger. */
export const watchLooks = (page: Page): Promise<void> => page.evaluate(`${AXE};${WATCH}`);

/** What has moved on a watched page, other than by scrolling, since this was called last. */
export const shiftsOf = (page: Page): Promise<string[]> => page.evaluate('takeShifts()');

/** What is wrong with the state of a watched page in any look; it is left as in the first one. */
export const findingsOf = (page: Page): Promise<string[]> => findingsIn(page, LOOKS);

/**
 * Fails where something is wrong with a state that a story is needed for, on a narrow dark screen; those that a server can be
 * prepared for are in `states.ts`.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'findings' in globalThis"))) await watchLooks(page);
  const look = { name: await page.title(), size: { width: 320, height: 640 }, media: DARK, rules: ALL };
  expect(await findingsIn(page, [look])).to.deep.equal([]);
}

async function findingsIn(page: Page, looks: readonly Look[]): Promise<string[]> {
  const all: string[] = [];
  for (const { name, size, media, style = '', rules } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce', ...media });
    const found = await page.evaluate<string[]>(`findings(${JSON.stringify(style)}, ${JSON.stringify(rules)})`);
    all.push(...found.map((one) => `${name}: ${one}`));
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ reducedMotion: 'reduce', ...LIGHT });
  await page.evaluate("findings('')");
  return all;
}
