import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigurationError, type ConfigurationProblem } from '../../adapters/config/errors.ts';
import { readSettings } from '../../adapters/config/read-settings.ts';

describe('settings of the enterprise services', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function problems(file: string, text: string): Promise<ConfigurationProblem[]> {
    await writeFile(join(folder, file), text);
    try {
      await readSettings({ CONFIG_DIR: folder });
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return [...error.problems];
      throw error;
    }
  }

  it('are 100 and 1000 elements per page and no tokens without a file', async () => {
    const { pagination, superadminRegistration } = await readSettings({ CONFIG_DIR: folder });
    expect(pagination).to.deep.equal({ defaultLimit: 100, maxLimit: 1000 });
    expect(superadminRegistration).to.deep.equal({ tokens: {} });
  });

  const pages: [string, string[]][] = [
    ['{"defaultLimit": 10, "maxLimit": 10}', []],
    ['defaultLimit = 0', ['defaultLimit']],
    ['maxLimit = -1', ['maxLimit']],
    ['maxLimit = 1.5', ['maxLimit']],
    ['maxLimit = many', ['maxLimit']],
    ['maxLimit = 50', ['defaultLimit']],
    ['{"defaultLimit": 11, "maxLimit": 10}', ['defaultLimit']],
    ['limit = 10', ['limit']],
  ];
  for (const [text, fields] of pages)
    it(`pagination.conf ${text} ${fields.length === 0 ? 'is right' : `is refused, naming ${fields}`}`, async () => {
      const found = await problems('pagination.conf', text);
      expect(found.map(({ file, field }) => `${file} ${field}`)).to.deep.equal(
        fields.map((field) => `pagination.conf ${field}`),
      );
    });

  const account = 'account { type = email, identifier { email = "a@b" }, data { password = "hunter2" } }';
  const registrations: [string, string][] = [
    ['"hunter2-of.the/first~1" { expiration = "2030-01-01T00:00:00Z" }', 'tokens[0].account'],
    [`"hunter2-of.the/first~1" { ${account} }`, 'tokens[0].expiration'],
    [`"hunter2-of.the/first~1" { expiration = never, ${account} }`, 'tokens[0].expiration'],
    [`"hunter2" { expiration = "2030-01-01T00:00:00Z", ${account} }`, 'tokens[0]'],
    [`"hunter2-of the first" { expiration = "2030-01-01T00:00:00Z", ${account} }`, 'tokens[0]'],
    ['"hunter2-of.the/first~1" = "hunter2"', 'tokens[0]'],
    [`"hunter2-of-the-first" { expiration = "2030-01-01T00:00:00Z", ${account}, more = 1 }`, 'tokens[0].more'],
  ];
  for (const [entry, field] of registrations)
    it(`superadmin-registration.conf: an invalid entry is named by its number, ${field}, without its values`, async () => {
      const found = await problems('superadmin-registration.conf', `tokens { ${entry} }`);
      expect(found.map((problem) => problem.field)).to.deep.equal([field]);
      expect(JSON.stringify(found)).not.to.contain('hunter2');
    });
});
