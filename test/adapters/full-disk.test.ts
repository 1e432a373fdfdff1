import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommandProcess } from '../support/processes/process.ts';
import { pause, until } from '../support/runs/waiting.ts';

/** A full disk is noticed within two seconds, in milliseconds; a slow machine takes longer to answer. */
const NOTICED_MS = 10_000;
/** Recovery waits for nothing but the next probe. */
const RECOVERED_MS = 15_000;
/** Room in the write-ahead log for four pages of 4 KiB: less than a record with its indexes may need. */
const ROOM = 4 * 4120;

describe('A server whose disk is full', () => {
  it('is not ready while its file cannot grow, stays live, and becomes ready again without a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-full-'));
    await writeFile(join(folder, 'services.conf'), 'stopDelaySeconds = 0\n');
    const command = runCommandProcess(['serve'], { DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0' });
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    const status = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
    const untilReadyIs = async (wanted: number, ms: number): Promise<void> => {
      for (const end = performance.now() + ms; performance.now() < end; await pause(100))
        if ((await status('/readyz')) === wanted) return;
      throw new Error(`/readyz did not become ${wanted}: ${command.output.err}`);
    };
    // No file of the process can grow beyond the present size of its write-ahead log, but for a few pages.
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(command.child.pid), `--fsize=${bytes}:`]);
    expect(await status('/readyz')).to.equal(200);
    limit(String((await stat(join(folder, 'credenza.sqlite-wal'))).size + ROOM));
    await untilReadyIs(503, NOTICED_MS);
    expect(await status('/livez')).to.equal(200);
    await until(() => command.output.err.includes('"msg":"not ready"'));
    expect(command.output.err).to.match(/SQLite [^"]*credenza\.sqlite: /);
    limit('unlimited');
    await untilReadyIs(200, RECOVERED_MS);
    expect((await command.stop()).code).to.equal(0);
    await rm(folder, { recursive: true });
  });
});
