const DAY = 86_400_000;
const UNIT_MS = { d: DAY, h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, ns: 1e-6 } as const;

type Unit = keyof typeof UNIT_MS;
type Amounts = Partial<Record<Unit, string>>;

/** The longest accepted duration: 1,000 years of 365.25 days, in milliseconds. */
export const MAX_DURATION_MS = 365_250 * DAY;

const MAX_LENGTH = 64;
const AMOUNT = '\\d{1,15}(?:\\.\\d{1,9})?';
const part = (unit: Unit, suffix: string = unit): string => `(?:(?<${unit}>${AMOUNT})${suffix})?`;
/** ISO 8601 without years and months, which have no fixed length. */
const ISO = new RegExp(`^P(?=.)${part('d', 'D')}(?:T(?=\\d)${part('h', 'H')}${part('m', 'M')}${part('s', 'S')})?$`);
const COMPOSED = new RegExp(`^(?=.)${(Object.keys(UNIT_MS) as Unit[]).map((unit) => part(unit)).join('')}$`);

/**
 * Parses a duration to milliseconds, rounded: ISO 8601 (`P1DT2H`) or units from large to small without spaces (`365d`,
 * `1d12h30m`, `1.5h`; d, h, m, s, ms, us, ns), either with a leading minus. Only the smallest unit may have a fraction.
 * Returns undefined for anything else and for more than `MAX_DURATION_MS`.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const negative = text.startsWith('-');
  const unsigned = negative ? text.slice(1) : text;
  const amounts: Amounts | undefined = (ISO.exec(unsigned) ?? COMPOSED.exec(unsigned))?.groups;
  const ms = amounts && sum(amounts);
  if (ms === undefined || ms > MAX_DURATION_MS) return undefined;
  return negative && ms !== 0 ? -ms : ms;
}

function sum(amounts: Amounts): number | undefined {
  const given = (Object.keys(UNIT_MS) as Unit[]).flatMap((unit) => {
    const amount = amounts[unit];
    return amount === undefined ? [] : [{ unit, amount }];
  });
  if (given.slice(0, -1).some(({ amount }) => amount.includes('.'))) return undefined;
  return Math.round(given.reduce((total, { unit, amount }) => total + Number(amount) * UNIT_MS[unit], 0));
}
