import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { useServer } from '../support/servers/server.ts';
import { freePort } from '../support/stores/redis.ts';
import { expectDocumented } from './commands.ts';
import { blocksOf, sectionOf } from './tables.ts';

const REGISTRY_SECRET = 'a secret of 32 characters or more';

describe('docs/attribute-sources.md', () => {
  let folder: string;
  let page: string;
  const server = useServer(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-docs-'));
    const port = String(await freePort());
    page = (await readFile('docs/attribute-sources.md', 'utf8')).replaceAll('7403', port);
    const [profiles = ''] = blocksOf(page, 'hocon');
    await writeFile(join(folder, 'issuer2-profiles.conf'), profiles);
    const { issuer2Profiles } = await readSettings({ CONFIG_DIR: folder, REGISTRY_SECRET });
    return { settings: { issuer2Profiles, outbound: { allow: [`127.0.0.1:${port}`] } } };
  });
  after(() => rm(folder, { recursive: true }));

  it('the commands print the documented output', () => expectDocumented(sectionOf(page, 'Try it'), server, folder));
});
