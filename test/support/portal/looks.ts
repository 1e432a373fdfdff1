import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inTurn } from '../runs/tier.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Rules {
  runOnly: { type: string; values: string[] };
  rules?: Record<string, { enabled: boolean }>;
}

const onlyRules = (...values: string[]): Rules => ({ runOnly: { type: 'rule', values } });

/** The rules whose outcome depends on colours; they are tried in every look, where something has colours that no text had before. */
const COLOURS = onlyRules('color-contrast', 'link-in-text-block');

/** Level AA of WCAG 2.2 and what is good beside it, but for colours. */
const ALL: Rules = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  rules: Object.fromEntries(COLOURS.runOnly.values.map((name) => [name, { enabled: false }])),
};

/** The rules whose outcome depends on the size of the window. */
const LAYOUT = onlyRules('target-size', 'scrollable-region-focusable');

/** What people may set for texts without losing one (WCAG 2.2, 1.4.12). */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`;

/** What moves less than this, as part of the window, is no shift, such as a word beside one that becomes wider by a pixel. */
const LEAST_SHIFT = 0.001;

interface Look {
  name: string;
  size: { width: number; height: number };
  media: NonNullable<Parameters<Page['emulateMedia']>[0]>;
  /** A style of the reader's. */
  style?: string;
  /** Beside those of colours. */
  rules?: Rules;
}

const WIDE = { width: 1280, height: 800 };
/** A window of 1280 by 1024 px whose page is enlarged to 400 %. */
const NARROW = { width: 320, height: 256 };
const LIGHT = { colorScheme: 'light', forcedColors: 'none' } as const;
const DARK = { colorScheme: 'dark', forcedColors: 'none' } as const;

/** Structure is the same in all looks, so the rules on it are tried in the first. */
const FIRST_LOOK: Look = { name: 'light', size: WIDE, media: LIGHT, rules: ALL };

/** How else each state of a page is looked at; what makes a page larger is put together. */
const MORE_LOOKS: readonly Look[] = [
  {
    name: 'forced colours, texts of 200 %',
    size: WIDE,
    media: { colorScheme: 'light', forcedColors: 'active' },
    style: 'html { font-size: 200% }',
  },
  { name: '320 px, dark, wide spacing of texts', size: NARROW, media: DARK, style: SPACING, rules: LAYOUT },
];

/** What the contrast of texts depends on, of all that axe has tried: the same colours again have the same outcome. */
const triedColours = new Set<string>();

/**
 * Defines `findings(style, rules, tried)`: what scrolls sideways, is cut off, moves, has no border where colours are forced,
 * and what axe finds, with the colours that it tried. The style of the reader is set through the CSSOM, since the policy
 * stops others.
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
  const boxesOf = (element) => [...element.getClientRects()].map((box) => ({ element, box }));
  const covers = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  // Each above the next one: a control is compared with those that begin before it ends.
  const overlaps = () => {
    const all = [...document.querySelectorAll('a, button, input, select, textarea, summary')];
    const controls = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
    const boxes = controls.flatMap(boxesOf).sort((one, other) => one.box.top - other.box.top);
    const found = [];
    for (const [at, one] of boxes.entries())
      for (let next = at + 1; next < boxes.length && boxes[next].box.top < one.box.bottom; next += 1) {
        const other = boxes[next];
        const isApart = one.element.closest('dialog') !== other.element.closest('dialog');
        const isWithin = one.element.contains(other.element) || other.element.contains(one.element);
        if (!isApart && !isWithin && covers(one.box, other.box))
          found.push('lies over another: ' + named(one.element) + ', ' + named(other.element));
      }
    return found;
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
  const hasText = (element) => element.matches('input, select, textarea') || [...element.childNodes].some(isText);
  const coloursOf = (element, grounds) => {
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(element);
    const isLarge = Number.parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    const isOff = element.closest(':disabled, [aria-disabled=true]') !== null;
    const all = [element.localName, color, isLarge, isOff, textDecorationLine, textShadow];
    if (element.localName === 'a') all.push(getComputedStyle(element.parentElement).color);
    return all.join() + groundOf(element, grounds);
  };
  const groundOf = (element, grounds) => {
    if (element === null) return '';
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity, filter].join(' ');
      grounds.set(element, (own === 'rgba(0, 0, 0, 0) none 1 none' ? '' : ';' + own) + groundOf(element.parentElement, grounds));
    }
    return grounds.get(element);
  };
  const violationsOf = async (context, options) => {
    const { violations } = await axe.run(context, { resultTypes: ['violations'], ...options });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary));
  };
  globalThis.withStyle = (style) => sheet.replaceSync(style);
  globalThis.findings = async (style, rules, tried) => {
    withStyle(style);
    const root = document.documentElement;
    const found = root.scrollWidth > root.clientWidth ? ['scrolls sideways by ' + (root.scrollWidth - root.clientWidth)] : [];
    for (const element of document.body.querySelectorAll('*'))
      if (isShown(element)) found.push(...wrongIn(element).map((wrong) => wrong + ': ' + named(element)));
    found.push(...overlaps());
    for (const { playState, effect } of document.getAnimations())
      if (playState === 'running') found.push('moves: ' + named(effect.target));
    if (rules) found.push(...(await violationsOf(document, rules)));
    const [colours, grounds, known] = [new Map(), new Map(), new Set(tried)];
    for (const element of document.querySelectorAll('body, body *'))
      if (hasText(element) && isShown(element)) {
        const key = coloursOf(element, grounds);
        if (!known.has(key)) colours.set(key, [...(colours.get(key) ?? []), element]);
      }
    if (colours.size > 0) found.push(...(await violationsOf({ include: [...colours.values()].flat() }, ${JSON.stringify(COLOURS)})));
    return { found, colours: [...colours.keys()] };
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

/**
 * What is wrong with the state of a watched page in any look; it is left as in the last one. `turn` is its number among
 * those that are looked at: npm test looks at every second one in the second look, and at the others in the third.
 */
export const findingsOf = (page: Page, turn: number): Promise<string[]> =>
  findingsIn(page, [FIRST_LOOK, ...inTurn(MORE_LOOKS, turn)]);

/** What is wrong with it in every look. */
export const allFindingsOf = (page: Page): Promise<string[]> => findingsIn(page, [FIRST_LOOK, ...MORE_LOOKS]);

/** Shows a watched page as in the first look. */
export async function lookFirst(page: Page): Promise<void> {
  await page.evaluate("withStyle('')");
  await page.emulateMedia({ reducedMotion: 'reduce', ...LIGHT });
  await page.setViewportSize(WIDE);
}

/**
 * Fails where something is wrong with a state that a story is needed for, on a narrow dark screen; those that a server can be
 * prepared for are in `states.ts`.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'findings' in globalThis"))) await watchLooks(page);
  const look = { name: await page.title(), size: { width: 320, height: 640 }, media: DARK, rules: ALL };
  expect(await findingsIn(page, [look])).to.deep.equal([]);
  await lookFirst(page);
}

interface Findings {
  found: string[];
  colours: string[];
}

async function findingsIn(page: Page, looks: readonly Look[]): Promise<string[]> {
  const all: string[] = [];
  for (const { name, size, media, style = '', rules } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce', ...media });
    const values = [style, rules, [...triedColours]].map((value) => JSON.stringify(value) ?? 'undefined');
    const { found, colours } = await page.evaluate<Findings>(`findings(${values})`);
    for (const one of colours) triedColours.add(one);
    all.push(...found.map((one) => `${name}: ${one}`));
  }
  return all;
}
