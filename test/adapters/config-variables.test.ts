import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigurationError } from '../../adapters/config/errors.ts';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { secretIn } from '../../adapters/config/variables.ts';

const [KEY, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];

describe('settings outside of files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-variables-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = (environment: Record<string, string>) => readSettings({ CREDENZA_CONFIG_DIR: folder, ...environment });
  const problems = async (environment: Record<string, string>) => {
    const error = await read(environment).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(ConfigurationError);
    return error.problems.map(({ file, field, message }: Record<string, string>) => `${file} ${field}: ${message}`);
  };
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };

  it('an option wins over a variable with the prefix, and that over one without; an empty one counts as unset', async () => {
    expect((await read({ PORT: '1', CREDENZA_PORT: '2', '--port': '3' })).port).to.equal(3);
    expect((await read({ PORT: '1', CREDENZA_PORT: '2', '--port': '' })).port).to.equal(2);
    expect((await read({ PORT: '1', CREDENZA_PORT: ' ' })).port).to.equal(1);
    const { host, publicUrl, dataDir, logLevel, masterKeys } = await read({
      CREDENZA_HOST: '::1',
      CREDENZA_PUBLIC_URL: 'https://cards.example',
      CREDENZA_DATA_DIR: '/srv/data',
      CREDENZA_LOG_LEVEL: 'warn',
      CREDENZA_MASTER_KEY: KEY,
    });
    expect([host, publicUrl, dataDir, logLevel]).to.deep.equal(['::1', 'https://cards.example', '/srv/data', 'warn']);
    expect(masterKeys).to.deep.equal([KEY]);
  });

  it('a problem has the name that was written', async () => {
    const port = 'must be a whole number from 0 (any free port) to 65535';
    expect(await problems({ '--port': 'x' })).to.deep.equal([`command line --port: ${port}`]);
    expect(await problems({ CREDENZA_PORT: 'x', PORT: '1' })).to.deep.equal([`environment CREDENZA_PORT: ${port}`]);
    expect(await problems({ PORT: 'x' })).to.deep.equal([`environment PORT: ${port}`]);
  });

  it('a secret may stand in a file, which a variable names', async () => {
    const [one, ring] = [await file('one', `${KEY}\n`), await file('ring', `${KEY}\n${OTHER}\n`)];
    expect((await read({ MASTER_KEY_FILE: one })).masterKeys).to.deep.equal([KEY]);
    expect((await read({ CREDENZA_MASTER_KEYS_FILE: ring })).masterKeys).to.deep.equal([KEY, OTHER]);
    expect(secretIn({ MIGRATE_TO_PASSWORD_FILE: one }, 'MIGRATE_TO_PASSWORD')?.text).to.equal(KEY);
    await file('services.conf', `management = token, managementToken = \${TOKEN}`);
    expect((await read({ TOKEN_FILE: one })).services.managementToken).to.equal(KEY);
    const direct = await read({ TOKEN_FILE: join(folder, 'none'), TOKEN: OTHER });
    expect(direct.services.managementToken).to.equal(OTHER);
  });

  it('a file that cannot be used, two sources and a wrong key are named without what they hold', async () => {
    const [one, none] = [await file('one', KEY), join(folder, 'none')];
    const large = await file('large', 'a'.repeat(65_537));
    expect(await problems({ MASTER_KEY_FILE: none })).to.deep.equal([
      'environment MASTER_KEY_FILE: names a file that cannot be read (ENOENT)',
    ]);
    expect(await problems({ MASTER_KEY_FILE: large })).to.deep.equal([
      'environment MASTER_KEY_FILE: names a file of more than 64 KiB',
    ]);
    expect(await problems({ MASTER_KEY: KEY, MASTER_KEY_FILE: one })).to.deep.equal([
      'environment MASTER_KEY_FILE: must not be set beside MASTER_KEY',
    ]);
    expect(await problems({ MASTER_KEYS: KEY, MASTER_KEY_FILE: one })).to.deep.equal([
      'environment MASTER_KEY_FILE: must not be set beside MASTER_KEYS',
    ]);
    expect(await problems({ CREDENZA_MASTER_KEY: 'secret' })).to.deep.equal([
      'environment CREDENZA_MASTER_KEY: must be 32 bytes, as 64 hex digits or as base64',
    ]);
    await file('services.conf', `management = token, managementToken = \${TOKEN}`);
    expect(await problems({ TOKEN_FILE: none })).to.deep.equal([
      'services.conf : TOKEN_FILE names a file that cannot be read (ENOENT)',
    ]);
    expect(await problems({})).to.deep.equal(['services.conf : line 1: the environment variable TOKEN is not set']);
  });

  it('a file with the name of another format is not read, and the start says so', async () => {
    await file('services.yaml', 'services: [wallet]');
    await file('auth.json', '{}');
    await file('notes.yaml', '');
    expect((await read({})).warnings).to.deep.equal([
      'auth.json is not read: only .conf files are, and JSON may stand in them',
      'services.yaml is not read: only .conf files are, and JSON may stand in them',
    ]);
  });
});
