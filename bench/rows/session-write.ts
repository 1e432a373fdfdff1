import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import { openSqlite } from '../../adapters/sqlite/driver.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemRandom } from '../../adapters/system/system.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { SILENT } from '../support/platform.ts';
import { isPostgresInstalled, startPostgres } from '../support/postgres-server.ts';

const SPEC = { name: 'issuance-sessions', listed: true, sealed: true, afterRestore: 'kept' as const };
const LIFETIME_MS = 300_000;

/** A session as an issuer keeps it, about 1.5 KB. */
const session = (id: string) => ({
  id,
  issuerId: 'open',
  state: 'ACTIVE',
  expiresAt: Date.now() + LIFETIME_MS,
  isBatch: false,
  code: randomUUID(),
  configurationIds: ['UniversityDegree_jwt_vc_json'],
  items: [
    {
      id: 0,
      content: {
        configurationId: 'UniversityDegree_jwt_vc_json',
        format: 'jwt_vc_json',
        types: [['VerifiableCredential', 'UniversityDegree']],
        issuerDid: `did:jwk:${'x'.repeat(180)}`,
        issuerKey: { backend: 'jwk', id: 'k'.repeat(43), keyType: 'secp256r1', config: { d: 'd'.repeat(43) } },
        credentialData: {
          type: ['VerifiableCredential'],
          credentialSubject: { degree: 'Bachelor of Science'.repeat(20) },
        },
        mapping: { id: '<uuid>', issuanceDate: '<timestamp>', expirationDate: '<timestamp-in:365d>' },
      },
    },
  ],
});

/** A new session, sealed, beside an insert of the same text into the same table with nothing around it. */
export async function sessionWrite(): Promise<Line[]> {
  return [...(await inSqlite()), ...(await inPostgres())];
}

async function inSqlite(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const clock = { now: () => Date.now() };
  const store = new SealedStore(
    new SqliteStore(join(folder, 'ours.sqlite'), clock),
    new AesSecrets([randomBytes(32)], systemRandom),
    clock,
  );
  const sessions = store.collection<ReturnType<typeof session>>(SPEC);
  const ours = () => {
    const value = session(randomUUID());
    return sessions.insert({ id: value.id, value, expiresAt: value.expiresAt });
  };
  const bare = await bareInsert(join(folder, 'bare.sqlite'));
  const rates = await interleave({ ours: repeat(ours), bare: repeat(bare.insert) });
  await store.close();
  bare.close();
  rmSync(folder, { recursive: true });
  return [
    compared(
      { work: 'session write, SQLite, sealed', named: 'bare autocommit insert', goal: { atLeast: 0.6 } },
      rates.ours,
      rates.bare,
    ),
  ];
}

/** In flight at a time, as requests are. */
const CALLERS = 32;
/** Processor time of a server is counted in hundredths of a second. */
const SLICE_MS = 500;

async function inPostgres(): Promise<Line[]> {
  const work = `session write, PostgreSQL, sealed, ${CALLERS} in flight`;
  if (!isPostgresInstalled()) return [{ work, ours: 'not measured', beside: 'PostgreSQL is not installed' }];
  const server = await startPostgres();
  const { pool, settings, cpuSeconds } = server;
  const clock = { now: () => Date.now() };
  const address = { ...settings, schema: 'bench', tls: false, connections: 10 };
  const store = new SealedStore(
    new PostgresStore(address, { clock, log: SILENT }),
    new AesSecrets([randomBytes(32)], systemRandom),
    clock,
  );
  const sessions = store.collection<ReturnType<typeof session>>(SPEC);
  const ours = () => {
    const value = session(randomUUID());
    return sessions.insert({ id: value.id, value, expiresAt: value.expiresAt });
  };
  const bare = () => {
    const value = session(randomUUID());
    const now = Date.now();
    const values = [Buffer.from(value.id), Buffer.from(JSON.stringify(value)), now, value.expiresAt];
    return pool.query({ name: 'bare', text: BARE, values });
  };
  await ours();
  const slice = (work: () => Promise<unknown>) => async () => {
    const [usedBefore, end] = [cpuSeconds(), performance.now() + SLICE_MS];
    let times = 0;
    const caller = async () => {
      for (; performance.now() < end; times += 1) await work();
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return times / (cpuSeconds() - usedBefore);
  };
  const rates = await interleave({ ours: slice(ours), bare: slice(bare) }, { rounds: 7, warmUp: 2 });
  await store.close();
  await server.stop();
  return [compared({ work, named: 'bare autocommit insert', goal: { atLeast: 0.6 } }, rates.ours, rates.bare)];
}

const BARE = `INSERT INTO bench.listed_records (collection, parent, id, body, revision, created, updated, expires)
  VALUES ('bare', '', $1, $2, 1, $3, $3, $4)`;

async function bareInsert(file: string): Promise<{ insert: () => void; close: () => void }> {
  const store = new SqliteStore(file, { now: () => Date.now() });
  // The first use makes the table.
  await store.collection(SPEC).get({ id: '' });
  await store.close();
  const database = openSqlite(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  const statement = database.prepare(
    'INSERT INTO issuance_sessions (parent, id, body, revision, created, updated, expires) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insert = () => {
    const value = session(randomUUID());
    const now = Date.now();
    statement.run('', value.id, JSON.stringify(value), 1, now, now, value.expiresAt);
  };
  return { insert, close: () => database.close() };
}
