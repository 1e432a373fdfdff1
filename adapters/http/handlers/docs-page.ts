import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { operations } from '../../../openapi/types.ts';
import { CompressedText } from '../messages/compressed-text.ts';
import type { Audience, Contract } from '../messages/document.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Credenza API</title>
<link rel="icon" href="docs/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="api"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/page.js"></script></body>
</html>
`;
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
/** The groups are closed until the box has a text: then those with an operation of this text are open, without the others. */
const PAGE_SCRIPT = `const has = (text) => (operation) =>
  [['path'], ['operation', 'operationId'], ['operation', 'summary']]
    .some((place) => String(operation.getIn(place)).toLowerCase().includes(text.toLowerCase()));
const search = () => ({
  fn: {
    opsFilter: (groups, text) =>
      groups
        .map((group, name) => (name.includes(text) ? group : group.update('operations', (all) => all.filter(has(text)))))
        .filter((group) => group.get('operations').size > 0),
  },
  statePlugins: {
    layout: {
      wrapSelectors: {
        isShown: (usual, { layoutSelectors }) => (_, place, otherwise) =>
          (place[0] === 'operations-tag' && typeof layoutSelectors.currentFilter() === 'string' &&
            layoutSelectors.currentFilter() !== '') || usual(place, otherwise),
      },
    },
  },
});
SwaggerUIBundle({
  url: 'api.json', dom_id: '#api', deepLinking: true, validatorUrl: null,
  filter: true, docExpansion: 'none', plugins: [search],
});
`;
/** The logo of the project: a sealed card. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="6" fill="#1f3a5f"/><rect x="5" y="8" width="22" height="16" rx="2" fill="#fff"/>
<path d="M8 13h9M8 17h7" stroke="#1f3a5f" stroke-width="2"/><circle cx="22" cy="18" r="4" fill="#d9822b"/></svg>
`;

type Path = operations['getDocsAsset']['parameters']['path'];

/** The files of the API page, and the pages that it links. */
type DocsAsset = Path['asset'];

type Page = Extract<DocsAsset, `${string}.md`>;

/** After an upgrade a browser has the new files within the hour. */
const CACHED = 'public, max-age=3600';

const ASSETS: Record<Exclude<DocsAsset, Page>, { type: string; text: () => Promise<string> }> = {
  'swagger-ui.css': { type: 'text/css', text: () => packaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: 'text/javascript', text: () => packaged('swagger-ui-bundle.js') },
  'page.js': { type: 'text/javascript', text: async () => PAGE_SCRIPT },
  'favicon.svg': { type: 'image/svg+xml', text: async () => FAVICON },
};

const packaged = (file: string): Promise<string> =>
  readFile(join(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), file), 'utf8');

/** The published document, and that of one audience. */
export type Documents = Pick<Contract, 'published' | 'publishedFor'>;

/** The API page, its files and the document it shows; each is read at its first request. */
export class DocsPage {
  readonly page = new CompressedText(PAGE, { 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' });
  readonly #contract: Documents;
  readonly #pages: URL;
  readonly #documents = new Map<Audience | undefined, CompressedText>();
  readonly #assets = new Map<DocsAsset, CompressedText>();

  /** `pages` is the folder of the pages in Markdown. */
  constructor({ contract, pages }: { contract: Documents; pages: URL }) {
    this.#contract = contract;
    this.#pages = pages;
  }

  document(audience?: Audience): CompressedText {
    const known = this.#documents.get(audience);
    if (known) return known;
    const text = JSON.stringify(audience ? this.#contract.publishedFor(audience) : this.#contract.published);
    const document = new CompressedText(text, { 'cache-control': 'no-cache' });
    this.#documents.set(audience, document);
    return document;
  }

  async asset(name: DocsAsset): Promise<CompressedText> {
    const asset = this.#assets.get(name) ?? (await this.#read(name));
    this.#assets.set(name, asset);
    return asset;
  }

  async #read(name: DocsAsset): Promise<CompressedText> {
    // Browsers show plain text, and download what is of the type of Markdown.
    const { type, text } = isPage(name) ? { type: 'text/plain', text: () => this.#page(name) } : ASSETS[name];
    return new CompressedText(await text(), { 'content-type': `${type}; charset=utf-8`, 'cache-control': CACHED });
  }

  #page(name: Page): Promise<string> {
    return readFile(new URL(name, this.#pages), 'utf8');
  }
}

const isPage = (name: DocsAsset): name is Page => name.endsWith('.md');
