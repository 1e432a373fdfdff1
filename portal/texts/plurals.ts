/** Counts things in a language: `count(2, 'check', 'checks')` is "2 checks". */
export function plurals(tag: string): (n: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(tag);
  return (n, one, other) => `${n} ${rules.select(n) === 'one' ? one : other}`;
}
