import { readFile } from 'node:fs/promises';
import { type EnterpriseFixture, KMS, startEnterprise } from '../actors/tenant.ts';
import { expectDocumented } from './commands.ts';

describe('docs/enterprise.md', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await world.post('generateKey', `${KMS}.key1`, { keyType: 'secp256r1' });
  });
  after(() => world.close());

  it('the commands of client attesters print the documented output', async () => {
    const page = await readFile('docs/enterprise.md', 'utf8');
    const [, section = ''] = page.split('\n## Client attesters\n');
    const [own = ''] = section.split('\n## ');
    // The login and the function of the first section.
    const first = [
      `TOKEN=${world.root}`,
      String(/^post\(\) .*$/m.exec(page)).replace('"localhost', '"http://127.0.0.1'),
    ];
    await expectDocumented(['```sh', ...first, '```', own].join('\n'), world.server);
  });
});
