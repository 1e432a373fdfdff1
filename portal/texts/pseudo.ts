/** Marks a text and makes it longer, as most languages are, so that what is not translated and what breaks is seen. */
const mark = (text: string): string => `⟦${text}${'·'.repeat(Math.ceil(text.length / 3))}⟧`;

/** Texts in a language that no reader has. */
export function marked<T>(texts: T): T {
  if (typeof texts === 'string') return mark(texts) as T;
  if (typeof texts === 'function') return ((...values: unknown[]) => mark(texts(...values))) as T;
  return Object.fromEntries(Object.entries(Object(texts)).map(([name, member]) => [name, marked(member)])) as T;
}
