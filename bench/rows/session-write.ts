import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { Sqlite } from '../../adapters/sqlite/driver.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemRandom } from '../../adapters/system/system.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';

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

async function bareInsert(file: string): Promise<{ insert: () => void; close: () => void }> {
  const store = new SqliteStore(file, { now: () => Date.now() });
  // The first use makes the table.
  await store.collection(SPEC).get({ id: '' });
  await store.close();
  const database = new Sqlite(file);
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
