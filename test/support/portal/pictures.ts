import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { build, type Plugin, transform } from 'esbuild';

/** A picture of a page in the documentation. */
interface Picture {
  /** The component of the page, from the folder of the portal. */
  page: string;
  /** The texts that it shows besides those around every page. */
  texts: string[];
}

/** A picture of a page that the server writes. */
interface ServedPicture {
  /** The files that it is made of. */
  served: string[];
}

/** The pictures by name; `npm run screenshots` makes them, in screenshots.ts. */
export const PICTURES = {
  start: { page: 'areas/start/start.tsx', texts: [] },
  wallet: { page: 'areas/wallet/wallet.tsx', texts: ['wallet'] },
  verified: { page: 'areas/verify/session.tsx', texts: ['sessions'] },
  'not-verified': { page: 'areas/verify/session.tsx', texts: ['sessions'] },
  type: { page: 'areas/types/editor.tsx', texts: ['office', 'types', 'forms'] },
  counter: { page: 'areas/checks/counter.tsx', texts: ['office', 'checks', 'queries', 'sessions', 'forms'] },
  'sign-in': {
    served: [
      'adapters/http/pages/sign-in-pages.ts',
      'adapters/http/pages/sign-in-texts.ts',
      'portal/sign-in/sign-in.css',
      'portal/styles/base.css',
      'portal/styles/tokens.css',
    ],
  },
} as const satisfies Record<string, Picture | ServedPicture>;

export type PictureName = keyof typeof PICTURES;

/** The folder of the pictures, and the file with the digest of each one's page when it was made. */
export const FOLDER = 'docs/pictures';
export const DIGESTS = `${FOLDER}/digests.json`;

export const fileOf = (name: PictureName): string => `${FOLDER}/${name}.png`;

export const keptDigests = (): Partial<Record<PictureName, string>> =>
  existsSync(DIGESTS) ? JSON.parse(readFileSync(DIGESTS, 'utf8')) : {};

/** What other pages are made of too: the list of all pages, and that of all texts. */
const LISTS = /\/(router\.tsx|texts\.ts)$/;

const withoutLists: Plugin = {
  name: 'without-lists',
  setup: ({ onResolve }) => onResolve({ filter: LISTS }, ({ path }) => ({ path, external: true })),
};

/**
 * What a page is made of: its component with what that imports of the portal, the frame around it, its English texts and
 * the styles; without the comments, spaces and inner names of the sources, which no reader sees.
 */
export async function sourcesOf(name: PictureName): Promise<{ digest: string; files: string[] }> {
  const picture = PICTURES[name];
  return 'served' in picture ? servedSources(picture) : portalSources(picture);
}

async function servedSources({ served }: Readonly<{ served: readonly string[] }>) {
  const hash = createHash('sha256');
  for (const file of served) {
    const loader = file.endsWith('.css') ? 'css' : 'ts';
    hash.update((await transform(readFileSync(file, 'utf8'), { loader, minify: true })).code);
  }
  return { digest: hash.digest('hex').slice(0, 16), files: [...served] };
}

async function portalSources({ page, texts }: Readonly<{ page: string; texts: readonly string[] }>) {
  const imports = [page, 'shell/frame.tsx', ...['shell', ...texts].map((section) => `texts/en/${section}.ts`)];
  const script = imports.map((file) => `export * from './${file}';`).join('\n');
  const { outputFiles, metafile } = await build({
    stdin: { contents: `${script}\nimport './styles/main.css';`, resolveDir: 'portal', sourcefile: 'page.ts' },
    outdir: 'page',
    bundle: true,
    minify: true,
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfig: 'portal/tsconfig.json',
    plugins: [withoutLists],
    metafile: true,
    write: false,
  });
  const hash = createHash('sha256');
  for (const { contents } of outputFiles) hash.update(contents);
  return { digest: hash.digest('hex').slice(0, 16), files: Object.keys(metafile.inputs) };
}

/** The pictures that are missing, or whose page is another one than when they were made. */
export async function staleNames(): Promise<PictureName[]> {
  const kept = keptDigests();
  const names = Object.keys(PICTURES) as PictureName[];
  const digests = await Promise.all(names.map(async (name) => (await sourcesOf(name)).digest));
  return names.filter((name, at) => kept[name] !== digests[at] || !existsSync(fileOf(name)));
}
