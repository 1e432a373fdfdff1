import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { contrastOf, LEAST_CONTRAST } from '../../portal/parts/cards/colours.ts';

/** Of borders and marks (WCAG 2.2, 1.4.11). */
const LEAST_OF_MARKS = 3;

const GROUNDS = ['page', 'surface', 'raised'];
const MEANINGS = ['good', 'bad', 'warning', 'information'];

/** What stands on what, and with which contrast at least. */
const PAIRS: [least: number, colours: string[], grounds: string[]][] = [
  [LEAST_CONTRAST, ['text', 'muted', 'primary', 'primary-hover', ...MEANINGS], GROUNDS],
  [LEAST_CONTRAST, ['on-primary'], ['primary', 'primary-hover']],
  [LEAST_OF_MARKS, ['control', 'focus'], GROUNDS],
  ...MEANINGS.map((name): (typeof PAIRS)[number] => [LEAST_CONTRAST, [name, 'text'], [`${name}-ground`]]),
];

describe('colours of the portal', () => {
  const css = readFileSync('portal/styles/tokens.css', 'utf8');
  const tokens = [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];
  for (const [at, scheme] of [
    [2, 'light'],
    [3, 'dark'],
  ] as const) {
    const colours = new Map(tokens.map((token) => [token[1], token[at]]));
    it(`differ enough from what they lie on where it is ${scheme}, and each is named below`, () => {
      for (const [least, names, grounds] of PAIRS)
        for (const name of names)
          for (const ground of grounds)
            expect(
              contrastOf(colours.get(name) ?? '', colours.get(ground) ?? ''),
              `${name} on ${ground}`,
            ).to.be.at.least(least);
      const named = new Set([...PAIRS.flatMap(([, names, grounds]) => [...names, ...grounds]), 'line']);
      expect(tokens.map(([, name]) => name).filter((name = '') => !named.has(name))).to.deep.equal([]);
    });
  }

  it('stand in the file of tokens only, but black and white', () => {
    const others = readdirSync('portal/styles').filter((name) => name !== 'tokens.css');
    for (const name of others) {
      const text = readFileSync(`portal/styles/${name}`, 'utf8');
      expect(text.match(/#[0-9a-f]{3,8}\b(?<!#fff|#000)|\b(?:hsl|oklch|rgb\((?!0 0 0))[^;]*/gi)).to.equal(null);
    }
  });
});
