import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CompressedText } from './compressed-text.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Credenza API</title>
<link rel="icon" href="docs/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="api"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/page.js"></script></body>
</html>
`;
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
const PAGE_SCRIPT = `SwaggerUIBundle({ url: 'api.json', dom_id: '#api', deepLinking: true, validatorUrl: null });\n`;
/** The logo of the project: a sealed card. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="6" fill="#1f3a5f"/><rect x="5" y="8" width="22" height="16" rx="2" fill="#fff"/>
<path d="M8 13h9M8 17h7" stroke="#1f3a5f" stroke-width="2"/><circle cx="22" cy="18" r="4" fill="#d9822b"/></svg>
`;

/** The files of the API page by name. */
export type DocsAsset = 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'page.js' | 'favicon.svg';

/** After an upgrade a browser has the new files within the hour. */
const CACHED = 'public, max-age=3600';

const ASSETS: Record<DocsAsset, { type: string; text: () => Promise<string> }> = {
  'swagger-ui.css': { type: 'text/css', text: () => packaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: 'text/javascript', text: () => packaged('swagger-ui-bundle.js') },
  'page.js': { type: 'text/javascript', text: async () => PAGE_SCRIPT },
  'favicon.svg': { type: 'image/svg+xml', text: async () => FAVICON },
};

const packaged = (file: string): Promise<string> =>
  readFile(join(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), file), 'utf8');

/** The API page, its files and the document it shows; each is read at its first request. */
export class DocsPage {
  readonly page = new CompressedText(PAGE, { 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' });
  readonly #published: object;
  #document: CompressedText | undefined;
  readonly #assets = new Map<DocsAsset, CompressedText>();

  constructor(published: object) {
    this.#published = published;
  }

  get document(): CompressedText {
    this.#document ??= new CompressedText(JSON.stringify(this.#published), { 'cache-control': 'no-cache' });
    return this.#document;
  }

  async asset(name: DocsAsset): Promise<CompressedText> {
    const asset = this.#assets.get(name) ?? (await read(name));
    this.#assets.set(name, asset);
    return asset;
  }
}

async function read(name: DocsAsset): Promise<CompressedText> {
  const { type, text } = ASSETS[name];
  return new CompressedText(await text(), { 'content-type': `${type}; charset=utf-8`, 'cache-control': CACHED });
}
