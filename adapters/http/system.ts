import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { operations } from '../../openapi/types/system.ts';
import type { Store } from '../../ports/store.ts';
import type { Handlers } from './operations.ts';

/** What the service can tell of itself. */
export interface SystemParts {
  /** Resolves when the store can be used. */
  store: Pick<Store, 'ping'>;
  /** The counters as text. */
  expose: () => Promise<string>;
  /** The document of everything that is served. */
  published: Record<string, unknown>;
}

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Credenza API</title>
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="api"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/page.js"></script></body>
</html>
`;
const PAGE_SCRIPT = `SwaggerUIBundle({ url: 'api.json', dom_id: '#api', deepLinking: true, validatorUrl: null });\n`;
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

type Asset = 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'page.js';

/** Health, metrics, the contract and its page. */
export const systemHandlers = ({ store, expose, published }: SystemParts): Handlers<operations> => ({
  getLiveness: async () => ({ status: 200, body: [{ name: 'http', status: 'Healthy' }] }),
  getReadiness: async () => {
    const answers = await store.ping().then(
      () => true,
      () => false,
    );
    return answers
      ? { status: 200, body: [{ name: 'store', status: 'Healthy' }] }
      : { status: 503, body: [{ name: 'store', status: 'Unhealthy' }] };
  },
  getMetrics: async () => ({ status: 200, body: await expose() }),
  getContract: async () => ({ status: 200, body: published }),
  getDocsPage: async () => ({ status: 200, body: PAGE, headers: { 'content-security-policy': PAGE_POLICY } }),
  getDocsAsset: async ({ path }) => ({
    status: 200,
    body: await readAsset(path.asset),
    headers: { 'content-type': assetType(path.asset) },
  }),
});

const assetType = (asset: Asset): string =>
  asset.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';

const assets = new Map<Asset, string>();

async function readAsset(asset: Asset): Promise<string> {
  if (asset === 'page.js') return PAGE_SCRIPT;
  const known = assets.get(asset);
  if (known !== undefined) return known;
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const text = await readFile(join(folder, asset), 'utf8');
  assets.set(asset, text);
  return text;
}
