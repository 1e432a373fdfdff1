import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigurationError } from '../../adapters/config/errors.ts';
import { readSettings } from '../../adapters/config/read-settings.ts';

const ACCESS =
  'auth { accessKeyId = AKIAIOSFODNN7EXAMPLE, secretAccessKey = "very-secret-text", region = eu-central-1 }';

describe('settings of keys', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function problems(files: Record<string, string>): Promise<string[]> {
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const error = await readSettings({ CONFIG_DIR: folder }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) return [];
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.message).not.to.include('very-secret-text');
    return error.problems.map(({ file, field }) => `${file} ${field}`);
  }

  const DEFAULTS = 'key-generation-defaults.conf';
  const FIRST = 'registration-defaults.conf';
  const cases: [string, Record<string, string>, string[]][] = [
    ['a complete configuration', { [DEFAULTS]: `keyGenerationDefaults { kmsa { ${ACCESS} } }` }, []],
    [
      'a first key in a key management service that is configured',
      {
        [DEFAULTS]: `keyGenerationDefaults { aws { ${ACCESS} } }`,
        [FIRST]: 'defaultKeyConfig { backend = kmsa-rest-api, keyType = secp384r1 }',
      },
      [],
    ],
    [
      'a region that is none',
      { [DEFAULTS]: `keyGenerationDefaults { kmsa { ${ACCESS.replace('eu-central-1', 'europe')} } }` },
      [`${DEFAULTS} keyGenerationDefaults.kmsa.auth.region`],
    ],
    [
      'members that are missing or unknown, all together',
      { [DEFAULTS]: 'keyGenerationDefaults { kmsb { auth { vault = x } } }' },
      ['vault', 'keyVaultUrl', 'clientId', 'tenantId', 'clientSecret'].map(
        (name) => `${DEFAULTS} keyGenerationDefaults.kmsb.auth.${name}`,
      ),
    ],
    [
      'a first key of a type that its backend lacks',
      { [FIRST]: `defaultKeyConfig { backend = kmsa, keyType = Ed25519, config { ${ACCESS} } }` },
      [`${FIRST} defaultKeyConfig.keyType`],
    ],
    [
      'a first key without the configuration of its backend',
      { [FIRST]: 'defaultKeyConfig { backend = kmsa }' },
      [`${FIRST} defaultKeyConfig.config.auth`],
    ],
    [
      'a backend that is none',
      { [FIRST]: 'defaultKeyConfig { backend = hsm }' },
      [`${FIRST} defaultKeyConfig.backend`],
    ],
  ];
  for (const [name, files, fields] of cases)
    it(`${fields.length === 0 ? 'accept' : 'refuse'} ${name}`, async () => {
      expect(await problems(files)).to.deep.equal(fields);
    });
});
