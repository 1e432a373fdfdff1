import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { FILE_NAMES } from '../../adapters/config/config-files.ts';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { withOperations } from '../../scripts/write-operations.mjs';
import { joined } from '../support/documents/contract.ts';

interface Schema {
  type?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  description?: string;
}

const text = (path: string): string => readFileSync(path, 'utf8');
const folder = (path: string): string[] => readdirSync(path).sort();

function* fields({ properties = {} }: Schema, prefix = ''): Generator<{ name: string; schema: Schema }> {
  for (const [key, schema] of Object.entries(properties)) {
    yield { name: `${prefix}${key}`, schema };
    yield* fields(schema, `${prefix}${key}.`);
  }
}

describe('docs/configuration.md', () => {
  const page = text('docs/configuration.md');
  const schemas = folder('openapi/config').map((file) => file.replace('.schema.json', ''));

  it('has an example for every file, and the examples together are a valid configuration', async () => {
    const CONFIG_DIR = 'docs/config';
    const { files, warnings, features } = await readSettings({
      CONFIG_DIR,
      VAULT_SIGNING_KEY: 'a key',
      HSM_PIN: '1234',
      HSM_ACCESS_KEY: 'a'.repeat(16),
      MANAGEMENT_TOKEN: 'm'.repeat(32),
      SHOP_SECRET_DIGEST: 'a'.repeat(64),
    });
    expect(files).to.have.length(schemas.length);
    expect(warnings).to.deep.equal([]);
    expect(features.trustedCa).to.equal(true);
    expect(folder('docs/config')).to.deep.equal(schemas.map((name) => `${name}.conf`).sort());
  });

  it('names every file that is read', () => {
    for (const name of FILE_NAMES) expect(page).to.include(`\`${name}\``);
  });

  it('is validated by valid schemas', () => {
    const ajv = new Ajv();
    for (const name of schemas) {
      const schema = JSON.parse(text(`openapi/config/${name}.schema.json`));
      expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).to.equal(true);
    }
  });

  for (const name of schemas) {
    it(`describes every field of ${name}.conf with its default and contains the example`, () => {
      const [, section = ''] = page.split(`## \`${name}.conf\``);
      const own = section.split('\n## ')[0] ?? '';
      expect(own).to.include(`\`\`\`hocon\n${text(`docs/config/${name}.conf`)}\`\`\``);
      for (const { name: field, schema } of fields(JSON.parse(text(`openapi/config/${name}.schema.json`)))) {
        expect(schema.description, field).to.be.a('string');
        if (schema.properties) continue;
        const row = own.split('\n').find((line) => line.startsWith(`| \`${field}\` |`));
        expect(row, `${name}.conf ${field}`).to.be.a('string');
        const value = JSON.stringify(schema.default ?? '–')
          .replaceAll('"', '')
          .replaceAll(',', ', ');
        if (value.length < 100) expect(row).to.include(value === '–' ? '| – |' : `\`${value}\``);
      }
    });
  }

  it('lists what `open_endpoints` covers as the documents do; `npm run docs` writes it', () => {
    expect(withOperations('configuration.md', page, joined)).to.equal(page);
    expect(page).to.include('- `POST /raw/jwt/sign`\n').and.include('- `GET /wallet-api/auth/x5c/nonce`\n');
  });

  it('names every credential type that the issuer supports without a file', async () => {
    const { issuerMetadata } = await readSettings({ CONFIG_DIR: new URL('./none', import.meta.url).pathname });
    const [, list = ''] = /^The built-in list: (.*?)\.$/ms.exec(page) ?? [];
    expect(list.split(/,\s/)).to.deep.equal(Object.keys(issuerMetadata.supportedCredentialTypes));
  });

  it('names every environment variable', () => {
    for (const name of ['HOST', 'PORT', 'PUBLIC_URL', 'CONFIG_DIR', 'DATA_DIR', 'MASTER_KEY', 'LOG_LEVEL'])
      expect(page).to.include(`| \`${name}\` |`);
  });
});
