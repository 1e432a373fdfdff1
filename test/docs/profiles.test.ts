import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useServer } from '../support/servers/server.ts';
import { expectDocumented } from './commands.ts';

describe('docs/profiles.md', () => {
  const server = useServer();

  it('the commands print the documented output', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-docs-'));
    await expectDocumented(await readFile('docs/profiles.md', 'utf8'), server, folder);
    await rm(folder, { recursive: true, force: true });
  });
});
