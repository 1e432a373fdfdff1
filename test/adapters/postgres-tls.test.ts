import { chownSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { runCommandProcess } from '../support/processes/process.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { LOGIN, ownerOfPostgres, type PostgresServer, startPostgres } from '../support/stores/postgres.ts';
import { postgresSettings } from '../support/stores/stores.ts';
import { makeCertificate, testCa, testKeys } from '../support/trust/certificates.ts';

const THINGS = { name: 'things', listed: false, sealed: false, afterRestore: 'kept' as const };

describe('PostgreSQL over TLS', () => {
  let folder: string;
  let postgres: PostgresServer;
  const file = (name: string): string => join(folder, name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-tls-'));
    const [ca, own] = [testCa(), testKeys('P-256', 9)];
    const altNames = [{ iPAddress: '127.0.0.1' }];
    const certificate = makeCertificate({ subject: 'CN=postgres', issuer: ca, keys: own, altNames });
    await writeFile(file('ca.pem'), ca.pem);
    const secret = own.privateKey.export({ type: 'pkcs8', format: 'pem' });
    postgres = await startPostgres({}, async (data) => {
      const owner = ownerOfPostgres();
      for (const [name, text] of Object.entries({ 'server.crt': certificate.pem, 'server.key': `${secret}` })) {
        await writeFile(join(data, name), text, { mode: 0o600 });
        if (owner) chownSync(join(data, name), owner.uid, owner.gid);
      }
      await writeFile(join(data, 'postgresql.auto.conf'), 'ssl = on\n');
      await writeFile(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
    });
  });
  after(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('a server with an unknown certificate authority is not used, and one that demands TLS not without it', async () => {
    const refusals = [
      [{ tls: true }, /unable to verify the first certificate/],
      [{ tls: false }, /28000 no pg_hba\.conf entry .* no encryption/],
    ] as const;
    for (const [changes, reason] of refusals) {
      const settings = { ...postgresSettings([postgres]), ...changes };
      const store = new PostgresStore(settings, { clock: systemClock, log: silentLog });
      const error = await store.ping().catch((cause: unknown) => cause);
      expect(String((error as { detail: string }).detail)).to.match(reason);
      await store.close();
    }
  });

  it('a server with a configured certificate authority is the target of a migration', async () => {
    const source = new SqliteStore(join(folder, 'credenza.sqlite'), systemClock);
    await source.collection<number>(THINGS).insert({ id: 'a', value: 1 });
    await source.close();
    const { user, password, database } = LOGIN;
    const to = `postgresql://${user}@127.0.0.1:${postgres.port}/${database}?schema=moved&sslmode=verify-full`;
    const environment = { NODE_EXTRA_CA_CERTS: file('ca.pem'), MIGRATE_TO_PASSWORD: password };
    const moved = runCommandProcess(['migrate', '--from', `sqlite:${folder}`, '--to', to], environment);
    expect(await moved.ended, moved.output.err).to.equal(0);
    expect(moved.output.out).to.match(/things +1 /);
  });
});
