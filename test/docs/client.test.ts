import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useServer } from '../support/servers/server.ts';
import { blocksOf } from './tables.ts';

const run = promisify(execFile);
const page = readFileSync('docs/client.md', 'utf8');
const [example = ''] = blocksOf(page, 'ts');

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
  let folder: string;

  /** A project that has installed what is published of the package. */
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'credenza-consumer-'));
    const installed = join(folder, 'node_modules/credenza');
    mkdirSync(installed, { recursive: true });
    mkdirSync(join(folder, 'node_modules/@types'));
    cpSync('package.json', join(installed, 'package.json'));
    cpSync('dist/client', join(installed, 'dist/client'), { recursive: true });
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
    return run(process.execPath, [compiler, '-p', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  it('the example compiles in the strictest TypeScript and prints the documented output on Node', async () => {
    expect(await compile({ 'example.ts': example }, NODE)).to.equal('');
    const env = { ...process.env, SERVER: server.url };
    const { stdout } = await run(process.execPath, ['example.js'], { cwd: folder, env });
    expect(stdout).to.equal(blocksOf(page, 'text')[0]);
  });

  it('it compiles for browsers', async () => {
    const process = 'declare const process: { env: Record<string, string | undefined> };\n';
    expect(await compile({ 'page.ts': process + example }, BROWSER)).to.equal('');
  });

  it('a path, a parameter or a member that does not exist does not compile', async () => {
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
    const errors = await compile(Object.fromEntries(files), NODE);
    for (const [file] of files) expect(errors).to.match(new RegExp(`${file}\\(\\d+,\\d+\\): error TS`));
  });
});
