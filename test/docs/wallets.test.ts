import { readFile } from 'node:fs/promises';
import { useServer } from '../support/servers/server.ts';
import { expectDocumented } from './commands.ts';

describe('docs/wallets.md', () => {
  const server = useServer();

  it('the commands print the documented output', async () => {
    await expectDocumented(await readFile('docs/wallets.md', 'utf8'), server);
  });
});
