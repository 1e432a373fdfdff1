import { readFile } from 'node:fs/promises';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { components } from '../../../openapi/types.ts';
import { CompressedText } from '../messages/compressed-text.ts';
import { weightsOf } from '../messages/negotiation.ts';
import { type Handlers, replyUncached } from '../messages/operations.ts';

/** What the handlers of the document `portal` need. */
interface PortalParts {
  /** The folder that scripts/build-portal.mjs writes. */
  files: URL;
  settings: components['schemas']['PortalSettings'];
}

/** What the build wrote: the document, and the type of each other file. */
interface Manifest {
  document: string;
  assets: Record<string, { type: string }>;
}

/** No script, style or connection but those of this origin, and no text that becomes script (CSP 3, Trusted Types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'permissions-policy': 'camera=(self)',
  'cross-origin-opener-policy': 'same-origin',
  // With `no-referrer` the Origin of posted forms would be `null` (Fetch §4.6).
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

const DOCUMENT_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-cache' };

const ASSET_HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'Accept-Encoding',
};

/** Of the one file that pages of other origins load. Its name stays, so it is kept for minutes only. */
const BUTTON_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=300',
};

/** The forms of a file that the build wrote, the smallest first, with the end of their names. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The document of the portal, its files and its settings. Files are read at their first request, and kept. */
export function portalHandlers({ files, settings }: PortalParts): Handlers<'portal'> {
  const bytes = new Map<string, Buffer>();
  let manifest: Manifest | undefined;
  let page: CompressedText | undefined;
  let button: CompressedText | undefined;
  const read = async (name: string): Promise<Buffer> => {
    const known = bytes.get(name) ?? (await readFile(new URL(name, files)));
    bytes.set(name, known);
    return known;
  };
  const built = async (): Promise<Manifest> => {
    manifest ??= JSON.parse((await read('assets.json')).toString()) as Manifest;
    return manifest;
  };
  return {
    getPortal: async ({ headers }) => {
      page ??= new CompressedText((await built()).document, DOCUMENT_HEADERS);
      return page.answer(headers);
    },
    getVerifyButton: async ({ headers }) => {
      button ??= new CompressedText((await read('verify-button.js')).toString(), BUTTON_HEADERS);
      return button.answer(headers);
    },
    getPortalAsset: async ({ path, headers }) => {
      const { assets } = await built();
      // A name of the manifest, never a path of the request.
      const asset = Object.hasOwn(assets, path.asset) ? assets[path.asset] : undefined;
      if (!asset) throw new DomainError('NotFound', 'The portal has no such file, or no longer');
      const weights = weightsOf(headers['accept-encoding'] ?? '');
      const [encoding, end] = ENCODINGS.find(([name]) => (weights.get(name) ?? 0) > 0) ?? [];
      return {
        status: 200,
        body: await read(`${path.asset}${end ?? ''}`),
        headers: {
          ...(asset.type === 'text/html' && PAGE_HEADERS),
          ...ASSET_HEADERS,
          'content-type': `${asset.type}; charset=utf-8`,
          ...(encoding && { 'content-encoding': encoding }),
        },
      };
    },
    getPortalSettings: replyUncached(200, () => settings),
  };
}
