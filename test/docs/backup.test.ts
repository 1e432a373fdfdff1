import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import ts from 'typescript';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { rulesOf } from '../../composition/commands/restored.ts';
import { degree, onboard } from '../../demo/actors/issuer.ts';
import { sourceFiles } from '../../scripts/check-expressions.mjs';
import { offerId } from '../actors/issuance.ts';
import { redeem } from '../actors/wallet.ts';
import { startServer } from '../support/servers/server.ts';
import { LOGIN, programsOfPostgres, sharedPostgres } from '../support/stores/postgres.ts';
import { addressesOf } from '../support/stores/redis.ts';
import { blocksOf } from './tables.ts';

const run = promisify(execFile);
const page = readFileSync('docs/backup.md', 'utf8');
const [make = '', putBack = '', online = '', stopped = '', restore = '', dump = '', restoreDump = ''] = blocksOf(
  page,
  'sh',
);

/** The names of the collections of the source with what becomes of their records; those of a computed name have none. */
function writtenRules(): Map<string, string> {
  const rules = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const propertyOf = (name: string): ts.Expression | undefined =>
        node.properties.filter(ts.isPropertyAssignment).find((one) => one.name.getText() === name)?.initializer;
      const [name, rule] = [propertyOf('name'), propertyOf('afterRestore')];
      const isText = name && ts.isStringLiteral(name);
      if (rule)
        rules.set(isText ? name.text : `computed ${rules.size}`, ts.isStringLiteral(rule) ? rule.text : 'changed');
    }
    ts.forEachChild(node, visit);
  };
  for (const file of sourceFiles().filter((one: string) => /^(domain|adapters)\//.test(one)))
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return rules;
}

describe('docs/backup.md', () => {
  let folder: string;
  let BACKUP: string;
  let DATA_DIR: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-backup-'));
    [BACKUP, DATA_DIR] = [join(folder, 'backup'), join(folder, 'data')];
    await Promise.all([mkdir(BACKUP), mkdir(DATA_DIR)]);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const shell = (script: string, environment: Record<string, string> = {}) => {
    const command = script.replaceAll(/credenza (?=backup |verify |restore)/g, `"${process.execPath}" dist/main.js `);
    return run('bash', ['-euc', command], {
      env: { ...process.env, DATA_DIR, BACKUP, CONFIG_DIR: folder, ...environment },
    });
  };
  const start = () => startServer({ store: 'sqlite', dataDir: DATA_DIR });

  for (const [name, command, isRunning] of [
    ['of a running server', online, true],
    ['of a stopped server', stopped, false],
  ] as const)
    it(`its commands copy the file ${name} with the latest write, and a used code stays used after restoring it`, async () => {
      const server = await start();
      const issuer = await onboard(server);
      const offer = async (): Promise<string> => {
        const made = await server.call('issueJwtCredential', { json: degree(issuer) });
        const { body } = await server.call('getCredentialOffer', { query: { id: offerId(made.body) } });
        return body.grants['urn:ietf:params:oauth:grant-type:pre-authorized_code']['pre-authorized_code'];
      };
      const code = await offer();
      if (!isRunning) await server.close();
      await shell(command);
      const again = isRunning ? server : await start();
      expect((await redeem(again, code)).status).to.equal(200);
      await again.close();
      const { stdout } = await shell(restore);
      expect(stdout)
        .to.include('What was good once before the backup is void.')
        .and.match(/issuance-sessions +0 +1/);
      const restored = await start();
      expect((await redeem(restored, code)).status).to.equal(400);
      await restored.close();
    });

  it('its own command writes what a running server has into one file, and a used code stays used after restoring it', async () => {
    const server = await start();
    const made = await server.call('issueJwtCredential', { json: degree(await onboard(server)) });
    const { body } = await server.call('getCredentialOffer', { query: { id: offerId(made.body) } });
    const code = body.grants['urn:ietf:params:oauth:grant-type:pre-authorized_code']['pre-authorized_code'];
    expect((await shell(make)).stdout).to.include('The backup is whole.');
    expect((await redeem(server, code)).status).to.equal(200);
    await server.close();
    for (const ending of ['', '-wal', '-shm']) await rm(join(DATA_DIR, `credenza.sqlite${ending}`), { force: true });
    expect((await shell(putBack)).stdout).to.match(/issuance-sessions +0 +1/);
    const restored = await start();
    expect((await redeem(restored, code)).status).to.equal(400);
    await restored.close();
  });

  it('its commands copy a PostgreSQL that is used, and a used code stays used after restoring it', async () => {
    const postgres = await sharedPostgres();
    await postgres.query('CREATE DATABASE credenza');
    const { host, port } = postgres;
    const { user: PGUSER, password: PGPASSWORD } = LOGIN;
    const PATH = `${programsOfPostgres()}:${process.env.PATH}`;
    const login = { PATH, PGHOST: host, PGPORT: String(port), PGUSER, PGPASSWORD };
    const store = { type: 'postgresql', ...LOGIN, nodes: addressesOf([postgres]), database: 'credenza' } as const;
    await writeFile(join(folder, 'store.conf'), JSON.stringify(store));
    const begin = () => startServer({ settings: { store: { ...store, schema: 'credenza' } }, dataDir: DATA_DIR });
    const server = await begin();
    const made = await server.call('issueJwtCredential', { json: degree(await onboard(server)) });
    const { body } = await server.call('getCredentialOffer', { query: { id: offerId(made.body) } });
    const code = body.grants['urn:ietf:params:oauth:grant-type:pre-authorized_code']['pre-authorized_code'];
    await shell(dump, login);
    expect((await redeem(server, code)).status).to.equal(200);
    await server.close();
    const { stdout } = await shell(restoreDump, login);
    expect(stdout).to.match(/issuance-sessions +0 +1/);
    const restored = await begin();
    expect((await redeem(restored, code)).status).to.equal(400);
    await restored.close();
    await postgres.query('DROP DATABASE credenza');
  });

  it('rows: lists every collection whose records are void or changed, and the command knows all of them', async () => {
    const rows = [...page.matchAll(/^\| (`.*`) \| (void|changed) \|$/gm)];
    const listed = rows.flatMap(([, names = '', rule = '']) =>
      names.split(', ').map((name) => [name.replaceAll('`', ''), rule]),
    );
    const known = [...(await rulesOf(await readSettings({ CONFIG_DIR: folder, DATA_DIR })))].flatMap(([name, rule]) =>
      rule === 'kept' ? [] : [[name, rule === 'void' ? 'void' : 'changed']],
    );
    const written = [...writtenRules()].filter(([, rule]) => rule !== 'kept');
    expect(known.sort()).to.deep.equal(written.sort());
    expect(listed.sort()).to.deep.equal(known.sort());
  });
});
