import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { byCertificate } from '../actors/accounts.ts';
import { accountRequest, login, registration, TOKEN } from '../actors/tenant.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { LOGIN, type PostgresServer, sharedPostgres } from '../support/stores/postgres.ts';
import { addressesOf, type RedisNode, startNode } from '../support/stores/redis.ts';

/** Personal data and names of organizations; no other value in the store has these letters. */
const NAMES = ['ada.lovelace', 'grace.hopper', 'root.operator', 'lovelace-corp', 'first-tenant-name', 'role-of-grace'];

const superadminRegistration = { tokens: { [TOKEN]: registration(`${NAMES[2]}@example.org`) } };

/** Registers and logs in at every operation that takes an address or a name. */
async function leaveTraces(server: TestServer): Promise<void> {
  const ada = { type: 'email', email: `${NAMES[0]}@example.org`, password: 'difference-engine', name: NAMES[0] };
  expect((await server.call('registerAccount', { json: ada })).status).to.equal(201);
  const { token } = (await server.call('loginAccount', { json: ada })).body;
  expect((await server.call('getUserInfo', { token })).body.email).to.equal(`${NAMES[0]}@example.org`);
  expect((await server.call('listAccountWallets', { token })).body.wallets[0].name).to.include(NAMES[0]);
  const json = { ...byCertificate(0), name: NAMES[1] };
  expect((await server.call('registerWithCertificate', { json })).status).to.equal(201);
  await server.call('createSuperadmin', { text: TOKEN });
  const root = await login(server, `${NAMES[2]}@example.org`);
  const post = (operationId: string, path: Record<string, string>, body: unknown) =>
    server.call(operationId, { path, json: body, token: root });
  const answers = [
    await post('createOrganization', {}, { _id: 'acme', profile: { name: NAMES[3] } }),
    await post('createTenant', { target: 'acme.t1' }, { name: NAMES[4] }),
    await post('createService', { target: 'acme.t1.kms' }, { type: 'kms', name: NAMES[4] }),
    await post('createRole', { target: 'acme.r1' }, { name: NAMES[5], permissions: [] }),
    await post(
      'registerEnterpriseAccount',
      {},
      { ...accountRequest(`${NAMES[1]}@example.org`), profile: { name: NAMES[1] } },
    ),
  ];
  expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201, 201]);
}

/** The names that a text contains: in clear, in capitals, in hexadecimal or in any alignment of base64. */
function sightings(bytes: string): string[] {
  const text = bytes.toLowerCase();
  return NAMES.filter((name) => {
    const inner = [0, 1, 2].map((shift) => {
      const aligned = Buffer.from(`${'x'.repeat(shift)}${name}`)
        .toString('base64')
        .slice(4, -4);
      return aligned.toLowerCase();
    });
    return [name, Buffer.from(name).toString('hex'), ...inner].some((form) => text.includes(form));
  });
}

describe('Addresses and names at rest', () => {
  it('are not in the SQLite file nor in its write-ahead log, neither as values nor as ids', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'credenza-'));
    const server = await startServer({ settings: { superadminRegistration }, store: 'sqlite', dataDir });
    await leaveTraces(server);
    const read = async (): Promise<string> => {
      const files = (await readdir(dataDir)).filter((name) => name.startsWith('credenza.sqlite'));
      return (await Promise.all(files.map((name) => readFile(join(dataDir, name), 'latin1')))).join('');
    };
    const serving = await read();
    expect(serving.includes('acme.t1')).to.equal(true);
    expect(sightings(serving)).to.deep.equal([]);
    await server.close();
    expect(sightings(await read())).to.deep.equal([]);
    await rm(dataDir, { recursive: true });
  });

  it('are not in Redis, neither in keys nor in values', async () => {
    const node = await startNode();
    await node.command('CONFIG', 'SET', 'rdbcompression', 'no');
    const store = { type: 'kvstore', nodes: addressesOf([node]) } as const;
    const server = await startServer({ settings: { superadminRegistration, store } });
    await leaveTraces(server);
    const all = await dump(node);
    expect(all.includes('acme.t1')).to.equal(true);
    expect(sightings(all)).to.deep.equal([]);
    await server.close();
    await node.stop();
  });

  it('are not in PostgreSQL, neither in keys nor in values', async () => {
    const postgres = await sharedPostgres();
    const store = { type: 'postgresql', ...LOGIN, nodes: addressesOf([postgres]), schema: 'at_rest' } as const;
    const server = await startServer({ settings: { superadminRegistration, store } });
    await leaveTraces(server);
    const all = await rowsOf(postgres, 'at_rest');
    expect(all.includes('acme.t1')).to.equal(true);
    expect(sightings(all)).to.deep.equal([]);
    await server.close();
  });

  it('are found by this test where they are stored in clear', () => {
    const name = NAMES[0] ?? '';
    for (const text of [`x${name}y`, Buffer.from(`ab${name}cd`).toString('base64'), Buffer.from(name).toString('hex')])
      expect(sightings(text)).to.deep.equal([name]);
  });
});

async function rowsOf(postgres: PostgresServer, schema: string): Promise<string> {
  const columns = ['parent', 'id', 'body'].map((name) => `encode(${name}, 'escape')`).join(` || ' ' || `);
  const select = (table: string) => `SELECT collection || ' ' || ${columns} AS row FROM ${schema}.${table}`;
  const rows = await postgres.query(`${select('records')} UNION ALL ${select('listed_records')}`);
  return rows.map(({ row }) => row).join('\n');
}

async function dump(node: RedisNode): Promise<string> {
  const keys = (await node.command('KEYS', '*')) as string[];
  const values = await Promise.all(keys.map((key) => node.command('DUMP', key)));
  return [...keys, ...values].join('\n');
}
