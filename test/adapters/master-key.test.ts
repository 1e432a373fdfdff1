import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { loadMasterKeys } from '../../adapters/crypto/master-key.ts';
import { runCommandProcess } from '../support/processes/process.ts';

/** Loads the key in a process, as a first start does. */
const LOAD = buildSync({
  stdin: {
    contents: `import { loadMasterKeys } from './adapters/crypto/master-key.ts';
      await loadMasterKeys(process.argv[1], undefined);`,
    resolveDir: process.cwd(),
  },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  write: false,
})
  .outputFiles.map(({ text }) => text)
  .join('');

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: Error) => error.message,
  );

describe('the master key file', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-key-'));
    file = join(folder, 'master.key');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('of many concurrent first starts exactly one writes it, and all use the same key', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => loadMasterKeys(folder, undefined)));
    expect(new Set(keys.map(([key]) => key?.toString('hex'))).size).to.equal(1);
    expect(await readFile(file, 'utf8')).to.equal(`${keys[0]?.[0]?.toString('hex')}\n`);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder)).to.deep.equal(['master.key']);
  });

  it('a first start that ends while writing leaves no key, and the next one creates it', async () => {
    const place = join(folder, 'new');
    // A process that cannot write to a file stops where a full disk or a kill would stop it.
    const command = `ulimit -f 0 && exec "${process.execPath}" --input-type=module -e "$LOAD" "${place}"`;
    const child = spawn('bash', ['-c', command], { env: { ...process.env, LOAD }, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    expect(code).to.not.equal(0);
    expect(await readdir(place)).to.not.include('master.key');
    expect((await loadMasterKeys(place, undefined)).map((key) => key.length)).to.deep.equal([32]);
  });

  it('an empty file stops the start with an error that names the file and the remedy', async () => {
    await writeFile(file, '', { mode: 0o600 });
    const command = runCommandProcess(['serve'], { DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0' });
    expect(await command.ended).to.equal(1);
    expect(command.output.err).to.include(`The master key file ${file} is empty`).and.include('backup');
    expect(await readFile(file, 'utf8')).to.equal('');
  });

  it('a file with other content, or a folder in its place, is named without its content', async () => {
    await writeFile(file, 'sesame');
    expect(await messageOf(loadMasterKeys(folder, undefined))).to.equal(
      `The master key in ${file} must be 32 bytes, as 64 hex digits or as base64`,
    );
    expect(await messageOf(loadMasterKeys(file, undefined))).to.match(
      new RegExp(`^The master key file ${file}/master.key cannot be used: `),
    );
  });

  it('several lines are a ring of keys, the current one first', async () => {
    const [current, old] = ['ab'.repeat(32), Buffer.alloc(32, 7).toString('base64')];
    await writeFile(file, `${current}\r\n\n  ${old}\n`, { mode: 0o600 });
    const keys = await loadMasterKeys(folder, undefined);
    expect(keys.map((key) => key.toString('hex'))).to.deep.equal([current, '07'.repeat(32)]);
    await writeFile(file, `${current}\nsesame\n`);
    expect(await messageOf(loadMasterKeys(folder, undefined)))
      .to.include(file)
      .and.not.include('sesame');
  });

  it('the environment variable takes precedence', async () => {
    const keys = await loadMasterKeys(folder, ['ab'.repeat(32), 'cd'.repeat(32)]);
    expect(keys.map((key) => key.toString('hex'))).to.deep.equal(['ab'.repeat(32), 'cd'.repeat(32)]);
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
