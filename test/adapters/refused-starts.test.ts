import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { plain } from '../../adapters/cli/colors.ts';
import { renderCheck } from '../../adapters/cli/reports.ts';
import { type Commands, runCommand } from '../../adapters/cli/run-command.ts';
import { ConfigurationError } from '../../adapters/config/errors.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { start } from '../../composition/commands/start.ts';
import { checkStore } from '../../composition/commands/start-checks.ts';
import { loadSettings } from '../../composition/platform/settings.ts';
import { DATA_STATE, DATA_STATES, DATA_VERSION } from '../../domain/migration/data-version.ts';
import { MARKER_COLLECTION } from '../../domain/migration/migration-marker.ts';
import { sharedContract } from '../support/documents/contract.ts';
import { runCommandProcess } from '../support/processes/process.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { useFolder } from '../support/stores/used-folder.ts';

const clock = { now: () => Date.now() };
const KEY = 'ab'.repeat(32);
const fileIn = (folder: string): string => join(folder, 'credenza.sqlite');
const keyIn = (folder: string): string => join(folder, 'master.key');

async function change(folder: string, work: (store: SqliteStore) => Promise<unknown>): Promise<void> {
  const store = new SqliteStore(fileIn(folder), clock);
  await work(store);
  await store.close();
}

const NEWER = { version: DATA_VERSION + 1, program: '99.0.0' };
const COPY = { id: 'source', value: { state: 'open' as const, source: 'sqlite:/srv/data' } };

/** Accounts as version 0.1.0 stored them. */
const ACCOUNTS = { name: 'accounts', listed: false, sealed: false, afterRestore: 'kept' as const };

/** What is wrong with a store, how it came about, and what the operator reads. */
const FAULTS: [string, (folder: string) => Promise<unknown>, RegExp][] = [
  [
    'a file that is no database',
    (folder) => writeFile(fileIn(folder), 'no database, but long enough to be taken for one '.repeat(40)),
    /SQLite \/\S+\/credenza\.sqlite: file is not a database \(SQLITE_NOTADB\)/,
  ],
  [
    'a folder in the place of the file',
    (folder) => mkdir(fileIn(folder)),
    /SQLite \/\S+\/credenza\.sqlite: EISDIR: illegal operation on a directory/,
  ],
  [
    'an empty file beside a master key',
    async (folder) => {
      await writeFile(keyIn(folder), KEY);
      await writeFile(fileIn(folder), '');
    },
    /The SQLite file \/\S+\/credenza\.sqlite is empty, and the key in \/\S+\/master\.key was made for data/,
  ],
  ['an empty master key', (folder) => writeFile(keyIn(folder), ''), /The master key file \/\S+\/master\.key is empty/],
  [
    'another master key',
    async (folder) => {
      await useFolder(folder);
      await writeFile(keyIn(folder), KEY);
    },
    /SQLite in \/\S+: The stored data was sealed with another master key: this store needs /,
  ],
  [
    'a half-finished copy',
    async (folder) => {
      await useFolder(folder);
      await change(folder, (store) => store.collection(MARKER_COLLECTION).insert(COPY));
    },
    /SQLite in \/\S+: The store is a half-finished copy of sqlite:\/srv\/data\./,
  ],
  [
    'data of a newer version',
    async (folder) => {
      await useFolder(folder);
      await change(folder, (store) => store.collection(DATA_STATES).replace({ ...DATA_STATE, value: NEWER }, 1));
    },
    /SQLite in \/\S+: Credenza 99\.0\.0 has taken the store: its data is of version \d+, /,
  ],
  [
    'data of a version that is not read any more',
    async (folder) => {
      await useFolder(folder);
      await change(folder, async (store) => {
        await store.collection(DATA_STATES).remove(DATA_STATE);
        await store.collection(ACCOUNTS).insert({ id: 'a', value: { id: 'a' } });
      });
    },
    /SQLite in \/\S+: The store has records that a version before 0\.9\.0 wrote .*accounts: 1 \(.*Run Credenza 0\.9\.0 /,
  ],
];

describe('A start that fails in its store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-refused-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A folder of configuration in which services.conf says this. */
  async function withFile(services: string): Promise<string> {
    await writeFile(join(folder, 'services.conf'), services);
    return folder;
  }

  const environment = () => ({ DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0' });

  async function outcome(command: 'serve' | 'check', more: Record<string, string> = {}) {
    const { ended, output } = runCommandProcess([command], { ...environment(), ...more });
    return { code: await ended, text: command === 'serve' ? output.err : output.out };
  }

  /** The same in this process: what a command does about its store, and what is made of it. */
  async function outcomeHere(command: 'serve' | 'check') {
    const settings = await loadSettings(environment());
    const output = { out: '', err: '' };
    const serve = async () => {
      await (await start(settings, { checkedContract: sharedContract, log: silentLog })).close();
      return 0;
    };
    const check = async () => {
      const { problems } = await checkStore(settings);
      const { text, exitCode } = renderCheck(new ConfigurationError(problems), plain);
      output.out += text;
      return exitCode;
    };
    const code = await runCommand([command], { version: '', serve, check } as Partial<Commands> as Commands, {
      out: () => {},
      err: (text) => {
        output.err += text;
      },
    });
    return { code, text: command === 'serve' ? output.err : output.out };
  }

  for (const [at, [fault, make, says]] of FAULTS.entries())
    it(`${fault}: serve and check end with 1, and name the place and the cause`, async () => {
      await make(folder);
      for (const command of ['check', 'serve'] as const) {
        // The way from a refused store to the end of a process is the same for all.
        const { code, text } = await (at === 0 ? outcome : outcomeHere)(command);
        expect(text, command).to.match(says);
        expect(code, command).to.equal(1);
      }
    });

  it('a data folder that is a file: the same', async () => {
    const DATA_DIR = join(folder, 'data');
    await writeFile(DATA_DIR, '');
    for (const command of ['check', 'serve'] as const) {
      const { code, text } = await outcome(command, { DATA_DIR });
      expect(text).to.include(`The data folder ${DATA_DIR} cannot be used: `);
      expect(code).to.equal(1);
    }
  });

  it('data without its master key: check says so, and a start does not make another one usable', async () => {
    await useFolder(folder);
    await rm(keyIn(folder));
    expect(await outcome('check')).to.deep.include({ code: 1 });
    const { code, text } = await outcome('serve');
    expect(text).to.match(/SQLite in \/\S+: The stored data was sealed with another master key/);
    expect(code).to.equal(1);
  });

  /** A script that runs before the program. */
  async function running(script: string): Promise<{ NODE_OPTIONS: string }> {
    await writeFile(join(folder, 'before.cjs'), script);
    return { NODE_OPTIONS: `--require ${join(folder, 'before.cjs')}` };
  }

  it('a driver that is not installed: serve and check say so, and how to get it', async () => {
    const without = await running(`const modules = require('node:module'), find = modules._resolveFilename;
      modules._resolveFilename = function (name, ...more) {
        if (name.startsWith('better-sqlite3')) throw Object.assign(new Error('No ' + name), { code: 'MODULE_NOT_FOUND' });
        return find.call(this, name, ...more);
      };`);
    for (const command of ['check', 'serve'] as const) {
      const { code, text } = await outcome(command, without);
      expect(text, command).to.match(/The SQLite driver for Node \d+ is missing: .*npm install/);
      expect(code, command).to.equal(1);
    }
  });

  it('a version of Node that is too old: one sentence with both versions', async () => {
    const old = await running("Object.defineProperty(process.versions, 'node', { value: '18.20.8' })");
    const { ended, output } = runCommandProcess(['serve'], old, { program: 'bin/credenza.mjs' });
    expect(await ended).to.equal(1);
    expect(output).to.deep.equal({
      out: '',
      err: 'credenza: needs Node 20.19 or newer, and this is Node 18.20.8\n',
    });
  });

  it('an address that cannot be listened on: what to do, by the option or variable that changes it', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, text } = await outcome('serve', { PORT: String(port) });
    taken.close();
    expect(text).to.include(
      `credenza: Cannot listen on 127.0.0.1:${port} (EADDRINUSE): another program listens there.`,
    );
    expect(text).to.include('--port');
    expect(code).to.equal(1);
    const foreign = await outcome('serve', { HOST: '192.0.2.1', CONFIG_DIR: await withFile('management = open') });
    expect(foreign.text).to.match(/Cannot listen on 192\.0\.2\.1:\d+ \(EADDRNOTAVAIL\): .*--host/);
  });

  it('a start that hangs ends at one signal', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const store = `type = kvstore, nodes = [{ host = "127.0.0.1", port = ${port} }]`;
    await writeFile(join(folder, 'store.conf'), store);
    const command = runCommandProcess(['serve'], { DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0' });
    await once(silent, 'connection');
    expect((await command.stop()).code).to.equal(0);
    expect(command.output.out).to.equal('');
    silent.close();
  });

  it('a worker reports the same', async () => {
    await writeFile(join(folder, 'services.conf'), 'workers = 2');
    await writeFile(fileIn(folder), 'no database, but long enough to be taken for one '.repeat(40));
    const { code, text } = await outcome('serve');
    expect(text).to.match(/credenza: The store cannot be reached: SQLite \/\S+: file is not a database/);
    expect(code).to.equal(1);
  });

  it('maxConnections beyond the open files of the system is a warning of check and at start', async () => {
    const script = join(folder, 'limited');
    await writeFile(script, `#!/bin/sh\nulimit -n 500\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
    const warning = /maxConnections is 4000, but a process may open 500 files .* set at most 436/;
    const { ended, output } = runCommandProcess(['check'], environment(), { node: script });
    expect(await ended).to.equal(0);
    expect(output.out).to.match(warning);
    const server = runCommandProcess(['serve'], environment(), { node: script });
    await server.says(/Listening on/);
    expect((await server.stop()).code).to.equal(0);
    expect(server.output.out).to.match(warning);
  });
});
