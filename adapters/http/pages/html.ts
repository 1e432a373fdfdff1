/** A text that is HTML; no other text gets into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a page is made of; what is absent or false is left out. */
type Part = Html | string | number | false | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}

/** HTML of a template: texts in it are escaped, in quoted attributes too. */
export const html = (template: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(template.reduce((text, piece, index) => `${text}${textOf(parts[index - 1])}${piece}`));
