import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseHocon } from '../../adapters/config/hocon.ts';
import { REFERENCE_FEATURES, REFERENCE_FILES } from '../../adapters/config/reference-files.ts';
import { FileSchemas } from '../../adapters/config/schemas.ts';
import { CREDENTIAL_STORE, DID_STORE, type EnterpriseFixture, KMS, startEnterprise } from '../actors/tenant.ts';
import { contract } from '../support/documents/contract.ts';
import { otherNames } from '../support/documents/other-names.ts';
import { VICAL_SIGNER } from '../support/reference/cli-setup.ts';
import { expectDocumented } from './commands.ts';
import { blocksOf, codeOf, rowsOf, sectionOf } from './tables.ts';

/** RFC 8037 appendix A.1. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

const page = readFileSync('docs/moving.md', 'utf8');
/** The rows of the table below a heading of the third or second level. */
const rowsBelow = (heading: string): string[][] => rowsOf(page.split(`## ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '');

describe('docs/moving.md', () => {
  let folder: string;
  let world: EnterpriseFixture;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-moving-'));
    world = await startEnterprise();
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('the check of a folder prints what is documented', async () => {
    const program = `credenza() { "${process.execPath}" "${process.cwd()}/dist/main.js" "$@"; }`;
    const section = sectionOf(page, 'The configuration');
    await expectDocumented(['```sh', program, '```', section].join('\n'), world.server, folder);
  });

  it('keys, DIDs and credentials are moved by the documented calls', async () => {
    await world.post('addDependency', DID_STORE, { dependency: KMS });
    await writeFile(join(folder, 'key.json'), JSON.stringify(JWK));
    const credential = { type: 'vc-sd_jwt', credentialData: {}, signed: 'a.b.c~' };
    await writeFile(join(folder, 'credential.json'), JSON.stringify({ credential }));
    expect([KMS, DID_STORE, CREDENTIAL_STORE].filter((target) => !page.includes(target))).to.deep.equal([]);
    const section = sectionOf(page, 'Data').replaceAll('localhost:7001', world.server.url);
    await expectDocumented(['```sh', `TOKEN=${world.root}`, '```', section].join('\n'), world.server, folder);
  });

  it('the files and features are those of the check', () => {
    const files = Object.entries(REFERENCE_FILES).flatMap(([file, { same, members, all }]) => {
      const named = Object.entries(members).map(([name, fate]) => [`\`${name}\``, ...fate]);
      const other = named.length > 0 ? 'every other member' : 'every member';
      const rows = [
        ...(same
          ? [[`the members of \`${same}.conf\``, 'understood', 'works as it is, where our schema accepts it']]
          : []),
        ...named,
        ...(all ? [[other, ...all]] : []),
      ];
      return rows.map((row) => [`\`${file}.conf\``, ...row]);
    });
    expect(rowsBelow('Files')).to.deep.equal(files);
    const features = Object.entries(REFERENCE_FEATURES).map(([name, fate]) => [`\`${name}\``, ...fate]);
    expect(rowsBelow('Features')).to.deep.equal(features);
  });

  it('rows: the other names are those of the documents', async () => {
    const { operations } = await contract;
    const paths = operations.flatMap(({ method, path, aliases }) =>
      aliases.map((alias) => [`${method} ${alias.path}`, `${method} ${path}`]),
    );
    const members = operations.flatMap((operation) => otherNames(operation).map(({ name, other }) => [other, name]));
    const texts = new Set([...paths, ...members].map((row) => row.join(' ')));
    const rows = rowsBelow('The enterprise API').map((row) => row.map(codeOf).join(' '));
    expect(rows).to.have.members([...texts]);
  });

  it('what the command line of the reference takes for granted is a configuration', async () => {
    const [text = ''] = blocksOf(page, 'hocon');
    const content = await parseHocon(text, { SIGNER: VICAL_SIGNER });
    expect(new FileSchemas().check('trusted-issuers', content)).to.have.property('value');
  });
});
