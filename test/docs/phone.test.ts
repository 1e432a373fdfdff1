import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { blocksOf } from './tables.ts';

describe('docs/phone.md', () => {
  it('its settings start a server that others reach, whose management demands the token', async () => {
    const page = await readFile('docs/phone.md', 'utf8');
    const folder = await mkdtemp(join(tmpdir(), 'credenza-phone-'));
    await writeFile(join(folder, 'services.conf'), blocksOf(page, 'hocon').join(''));
    const commands = blocksOf(page, 'sh').map((command) => command.trim().split(' '));
    expect(commands).to.have.length(2);
    for (const words of commands) {
      const set = Object.fromEntries(words.filter((word) => word.includes('=')).map((word) => word.split('=')));
      const environment = { CONFIG_DIR: folder, DATA_DIR: folder, MANAGEMENT_TOKEN: 'a'.repeat(64), ...set };
      const { publicUrl, services } = await readSettings(environment);
      expect([publicUrl, services.management]).to.deep.equal([set.PUBLIC_URL, 'token']);
    }
    await rm(folder, { recursive: true });
  });
});
