/**
 * Writes the portal to dist/portal/: files whose names have a digest of their content, each also compressed with brotli and
 * gzip, and assets.json with the document and the type of each file. Fails when a part is larger than its budget.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Marked } from 'marked';
import { buildUnlessFresh, licencesOf, ROOT } from './fresh-build.mjs';

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain', '.html': 'text/html' };

/** What other web sites load, in bytes without compression. */
const BUTTON_BUDGET = 8_000;
const BUTTON_NOTICE = '/* Credenza, Apache-2.0; with lean-qr, MIT. Licences: the portal of this server. */';

const MAIN = 'portal/main.tsx';

/** In bytes of gzip, and in requests. */
const BUDGETS = { firstView: 30_000, style: 10_000, area: 20_000, all: 180_000, requests: 5 };

/** Besides the scripts, the first view asks for the document, the style, what runs here, and a language. */
const OTHER_REQUESTS = 4;

/**
 * What is imported when it is needed also imports the first script, which is there by then: esbuild makes a chunk for each
 * set of entries that reach a module, and so all modules of the first script are in one.
 */
const firstScriptInOne = {
  name: 'first-script-in-one',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: relative(ROOT, join(resolveDir, path)), namespace: 'late' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: `import './${MAIN}'; export * from './${path}';`,
      resolveDir: ROOT,
    }));
  },
};

await buildUnlessFresh({
  folder: 'dist/portal',
  inputs: ['portal', 'client', 'openapi/types.ts', 'docs/phone.md', 'scripts/build-portal.mjs'],
  build: async (folder) => {
    const { metafile, outputFiles } = await build({
      absWorkingDir: ROOT,
      entryPoints: { main: MAIN, style: 'portal/styles/main.css' },
      outdir: folder,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      plugins: [firstScriptInOne],
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      tsconfig: 'portal/tsconfig.json',
      metafile: true,
      write: false,
      logLevel: 'warning',
    });
    const files = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents: Buffer.from(contents) }));
    const button = await buildButton(folder);
    const signIn = await buildSignIn(folder);
    const inputs = { ...metafile.inputs, ...button.inputs, ...signIn.inputs };
    files.push(named('licences', '.txt', Buffer.from(licencesOf({ inputs }))));
    const find = (start, end) => files.find(({ name }) => name.startsWith(start) && name.endsWith(end)).name;
    const style = find('style', '.css');
    files.push(named('phone', '.html', Buffer.from(pageOf('docs/phone.md', style))));
    const assets = Object.fromEntries(files.map((file) => [file.name, write(folder, file)]));
    checkSizes(assets, metafile);
    const places = {
      script: basename(firstScript(metafile.outputs)),
      style,
      licences: find('licences', '.txt'),
      phone: find('phone', '.html'),
    };
    const document = filled('portal/index.html', places);
    const types = Object.entries(assets).map(([name, { type }]) => [name, { type }]);
    writeFileSync(join(folder, 'assets.json'), JSON.stringify({ document, assets: Object.fromEntries(types) }));
  },
});

function filled(file, places) {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name) => places[name]);
}

/** A page of the documentation as a page of the portal, where the others are not: their links become plain text. */
function pageOf(file, style) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const renderer = {
    link({ href, tokens }) {
      return /^https:/.test(href) ? false : this.parser.parseInline(tokens);
    },
  };
  const [, title] = /^# (.*)/.exec(text);
  return filled('portal/page.html', { title, style, content: new Marked({ renderer }).parse(text) });
}

/** The one file with a name that stays. */
async function buildButton(folder) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['portal/button/verify-button.ts'],
    outfile: join(folder, 'verify-button.js'),
    bundle: true,
    minify: true,
    charset: 'utf8',
    banner: { js: BUTTON_NOTICE },
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const [{ path, contents }] = outputFiles;
  if (process.env.PORTAL_SIZES) console.log(`the button: ${contents.length} of ${BUTTON_BUDGET}`);
  if (contents.length > BUTTON_BUDGET) throw new Error(`${basename(path)} has ${contents.length} bytes`);
  writeFileSync(path, contents);
  return metafile;
}

/** What the pages of sign-ins load, which the server writes; the names stay. */
async function buildSignIn(outdir) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['portal/sign-in/sign-in.ts', 'portal/sign-in/sign-in.css'],
    outdir,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

function named(name, end, contents) {
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  return { name: `${name}-${digest}${end}`, contents };
}

/** Writes a file in its three forms; returns its type and its size as gzip. */
function write(folder, { name, contents }) {
  const gzip = gzipSync(contents, { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(join(folder, name), contents);
  writeFileSync(join(folder, `${name}.gz`), gzip);
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(contents));
  return { type: TYPES[extname(name)], bytes: gzip.length };
}

/** The file of the first script; the entry that esbuild writes beside it only imports it. */
function firstScript(outputs) {
  return Object.keys(outputs).find((file) => MAIN in outputs[file].inputs);
}

/** @throws Error naming the part and its size, in bytes of gzip or in requests */
function checkSizes(assets, { outputs }) {
  const sizeOf = (name) => assets[name].bytes;
  const imports = (file) =>
    outputs[file].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  const withImports = (file, seen = new Set()) => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const path of imports(file)) withImports(path, seen);
    return seen;
  };
  const total = (files) => [...files].reduce((sum, file) => sum + sizeOf(basename(file)), 0);
  const first = withImports(firstScript(outputs));
  const late = Object.keys(outputs).filter((file) => outputs[file].entryPoint?.match(/\.[jt]sx?$/) && !first.has(file));
  const sizes = [
    ['the script of the first view', total(first), BUDGETS.firstView],
    ['the style', sizeOf(Object.keys(assets).find((name) => name.endsWith('.css'))), BUDGETS.style],
    ...late.map((file) => [
      outputs[file].entryPoint,
      total([...withImports(file)].filter((one) => !first.has(one))),
      BUDGETS.area,
    ]),
    ['the requests of the first view', OTHER_REQUESTS + first.size, BUDGETS.requests],
    ['everything', total(Object.keys(assets).filter((name) => !name.endsWith('.txt'))), BUDGETS.all],
  ];
  for (const [part, bytes, budget] of sizes)
    if (process.env.PORTAL_SIZES) console.log(`${part}: ${bytes} of ${budget}`);
  const large = sizes.filter(([, bytes, budget]) => bytes > budget);
  if (large.length > 0)
    throw new Error(large.map(([part, size, budget]) => `${part}: ${size}, not ${budget}`).join(', '));
}
