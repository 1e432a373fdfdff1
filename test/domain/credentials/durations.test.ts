import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_DURATION_MS, parseDuration } from '../../../domain/credentials/durations.ts';

const amounts = fc.record({
  d: fc.nat(100_000),
  h: fc.nat(100_000),
  m: fc.nat(100_000),
  s: fc.nat(100_000),
  ms: fc.nat(100_000),
});
type Amounts = Record<'d' | 'h' | 'm' | 's' | 'ms', number>;

const total = ({ d, h, m, s, ms }: Amounts): number => (((d * 24 + h) * 60 + m) * 60 + s) * 1000 + ms;
const composed = (value: Amounts): string =>
  Object.entries(value)
    .map(([unit, amount]) => `${amount}${unit}`)
    .join('');
const iso = ({ d, h, m, s, ms }: Amounts): string => `P${d}DT${h}H${m}M${s}.${String(ms % 1000).padStart(3, '0')}S`;

describe('durations', () => {
  const examples: [string, number][] = [
    ['365d', 365 * 86_400_000],
    ['12h', 43_200_000],
    ['1d12h30m', 131_400_000],
    ['90s', 90_000],
    ['1.5h', 5_400_000],
    ['1s500ms', 1500],
    ['1500us', 2],
    ['2000000ns', 2],
    ['P1DT2H', 93_600_000],
    ['P365D', 365 * 86_400_000],
    ['PT0.5S', 500],
    ['-1h', -3_600_000],
    ['-PT1M', -60_000],
    ['0s', 0],
    ['-0s', 0],
  ];
  for (const [text, ms] of examples) {
    it(`reads ${text} as ${ms} ms`, () => expect(parseDuration(text)).to.equal(ms));
  }

  const garbage = [
    '',
    ' ',
    '-',
    'P',
    'PT',
    'P1DT',
    'P1Y',
    'P1M',
    'P1W',
    '1',
    'd',
    '1 d',
    '1d 2h',
    '2h1d',
    '1d1d',
    '1.d',
    '.5h',
    '1.5d2h',
    '1e3s',
    '+1d',
    '--1d',
    '1D',
    'p1d',
    '1w',
    '1y',
    '١d',
    '1d\n',
    '0x1d',
    'NaN',
    'Infinityd',
    '1,5h',
    '366000d',
    '9'.repeat(100),
  ];
  for (const text of garbage) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseDuration(text)).to.equal(undefined));
  }

  it('arithmetic: the duration of composed units is the sum of its units', () => {
    fc.assert(fc.property(amounts, (value) => parseDuration(composed(value)) === total(value)));
  });

  it('round trip: whole milliseconds written in either form are read back as the same number', () => {
    const whole = fc.nat(2 ** 40);
    fc.assert(
      fc.property(whole, (ms) => {
        const value = { d: 0, h: 0, m: 0, s: Math.floor(ms / 1000), ms: ms % 1000 };
        expect(parseDuration(composed(value))).to.equal(ms);
        expect(parseDuration(iso(value))).to.equal(ms);
      }),
    );
  });

  it('a leading minus negates', () => {
    fc.assert(fc.property(amounts, (value) => parseDuration(`-${composed(value)}`) === 0 - total(value)));
  });

  it('rejects garbage: any text is either refused or a finite number of milliseconds within the limit', () => {
    const alphabet = fc.constantFrom(...'0123456789dhmsunPTDHMS.-+ e');
    const text = fc.oneof(
      fc.string(),
      fc.array(alphabet, { maxLength: 20 }).map((letters) => letters.join('')),
    );
    fc.assert(
      fc.property(text, (value) => {
        const ms = parseDuration(value);
        if (ms === undefined) return;
        expect(Number.isSafeInteger(ms) && Math.abs(ms) <= MAX_DURATION_MS).to.equal(true);
        expect(value).to.match(/^-?(P|\d)[\dPTDHMSdhmsun.]*$/);
      }),
      { numRuns: 2000 },
    );
  });
});
