import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { usePages } from '../support/portal/browser.ts';
import { useServer } from '../support/servers/server.ts';
import { blocksOf } from './tables.ts';

const run = promisify(execFile);
const page = readFileSync('docs/client.md', 'utf8');
const [example = ''] = blocksOf(page, 'ts');
const [documented] = blocksOf(page, 'text');

/** The strictest settings, with the types of packages checked too. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  target: 'es2022',
};
const NODE = { ...STRICT, module: 'nodenext', lib: ['es2023'], types: ['node'] };
const BROWSER = {
  ...STRICT,
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.asynciterable'],
  types: [],
};

describe('docs/client.md', () => {
  const server = useServer();
  const open = usePages(server);
  let folder: string;

  /** A project that has installed what is published of the package, and what Node is for the compiler. */
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'credenza-consumer-'));
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    // Nothing is fetched: the package is packed as it is, without its scripts.
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await run('tar', ['-xzf', join(folder, filename), '-C', join(folder, 'node_modules')]);
    renameSync(join(folder, 'node_modules/package'), join(folder, 'node_modules/credenza'));
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Compiles files of that project; returns the errors. */
  async function compile(files: Record<string, string>, compilerOptions: object): Promise<string> {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    const compiler = resolve('node_modules/typescript-native/bin/tsc');
    // As the tests are compiled: with one checker and fewer collections of garbage it takes half the processor time.
    const env = { ...process.env, GOGC: '400' };
    return run(process.execPath, [compiler, '-p', folder, '--checkers', '1'], { env }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  it('the example compiles in the strictest TypeScript and prints the documented output on Node; what does not exist does not compile', async () => {
    const wrong = [
      ["'/issuer2/credential-offers'", "'/issuer2/credential-offer'"],
      ['sessionId: offer', 'session: offer'],
      ['offer.credentialOffer', 'offer.link'],
      ['error.message', 'error.text'],
      ["'PRE_AUTHORIZED'", "'PRE'"],
    ] as const;
    const files = wrong.map(
      ([right, instead], index) => [`wrong-${index}.ts`, example.replace(right, instead)] as const,
    );
    for (const [, text] of files) expect(text).to.not.equal(example);
    const errors = await compile({ 'example.ts': example, ...Object.fromEntries(files) }, NODE);
    for (const [file] of files) expect(errors).to.match(new RegExp(`${file}\\(\\d+,\\d+\\): error TS`));
    expect(errors.split('\n').filter((line) => /\): error /.test(line) && !line.includes('wrong-'))).to.deep.equal([]);
    const env = { ...process.env, SERVER: server.url };
    const { stdout } = await run(process.execPath, ['example.js'], { cwd: folder, env });
    expect(stdout).to.equal(documented);
  });

  it('it compiles for browsers, and bundled it prints the same on a page', async () => {
    const process = 'declare const process: { env: Record<string, string | undefined> };\n';
    expect(await compile({ 'page.ts': process + example }, BROWSER)).to.equal('');
    const define = { 'process.env': JSON.stringify({ SERVER: server.url }) };
    const entry = { entryPoints: ['page.ts'], absWorkingDir: folder };
    const { outputFiles } = await build({ ...entry, bundle: true, format: 'esm', define, write: false });
    const page = await open('/docs');
    const printed: string[] = [];
    page.on('console', (message) => printed.push(`${message.text()}\n`));
    await page.evaluate(`(async () => { ${outputFiles[0]?.text} })()`);
    expect(printed.join('')).to.equal(documented);
  });
});
