import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { plain } from '../../adapters/cli/colors.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { sealFile, unsealFile } from '../../adapters/crypto/sealed-file.ts';
import { backup, verify } from '../../composition/commands/backup.ts';
import { restore } from '../../composition/commands/restore.ts';
import { STORES } from '../../composition/platform/stores.ts';
import { degree, onboard } from '../../demo/actors/issuer.ts';
import { offerId } from '../actors/issuance.ts';
import { ENTERPRISE_SETTINGS, type EnterpriseFixture, enterpriseOn, login, SUPERADMIN } from '../actors/tenant.ts';
import { redeem } from '../actors/wallet.ts';
import { startServer, type TestServer, type TestStore } from '../support/servers/server.ts';
import { silentLog } from '../support/servers/silent-log.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

let folder: string;
/** A folder for each test of a describe. */
function useFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-backups-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
}

const printed = { out: '' };
const terminal = {
  colors: plain,
  out: (text: string) => {
    printed.out += text;
  },
  err: () => {},
};
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: Error) => error.message,
  );
/** A data directory with this name and, where there is one to copy, the master key of another. */
async function place(name: string, keyOf?: string): Promise<string> {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  if (keyOf) await copyFile(join(keyOf, 'master.key'), join(dataDir, 'master.key'));
  return dataDir;
}
const begin = (store: TestStore, dataDir: string, own?: Settings['store']): Promise<TestServer> =>
  startServer({ store, dataDir, settings: { ...ENTERPRISE_SETTINGS, ...(own && { store: own }) } });

/** Creates tenants one after the other until it is stopped; resolves with those that were acknowledged. */
function load({ post }: EnterpriseFixture): { acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = [];
  let isOver = false;
  const work = (async () => {
    for (let n = 1; !isOver; n += 1) {
      const { status } = await post('createTenant', `acme.x${n}`, {});
      if (status === 201) acknowledged.push(`acme.x${n}`);
    }
  })();
  const stop = async (): Promise<void> => {
    isOver = true;
    await work;
  };
  return { acknowledged, stop };
}

async function codeOf(server: TestServer): Promise<string> {
  const made = await server.call('issueJwtCredential', { json: degree(await onboard(server)) });
  const { body } = await server.call('getCredentialOffer', { query: { id: offerId(made.body) } });
  return body.grants[GRANT]['pre-authorized_code'];
}

const KINDS: { name: string; store: TestStore; whileServing: boolean }[] = [
  { name: 'SQLite', store: 'sqlite', whileServing: true },
  { name: 'PostgreSQL', store: 'postgresql', whileServing: true },
  { name: 'Redis', store: 'redis', whileServing: false },
  { name: 'Redis Cluster', store: 'redis-cluster', whileServing: false },
];

describe('A backup', () => {
  useFolder();
  for (const { name, store, whileServing } of KINDS)
    it(`of ${name}: restored, it has all that was acknowledged before, nothing single-use is good twice, and each chain says where the gap is`, async () => {
      const dataDir = await place('data');
      const server = await begin(store, dataDir);
      const world = await enterpriseOn(server);
      const code = await codeOf(server);
      const busy = load(world);
      while (busy.acknowledged.length < 5) await new Promise(setImmediate);
      if (!whileServing) {
        await busy.stop();
        await server.close();
      }
      const before = [...busy.acknowledged];
      const file = join(folder, 'a.backup');
      printed.out = '';
      expect(await backup(server.settings, { file }, terminal)).to.equal(0);
      expect(printed.out).to.match(/audit-events +\d+/);
      await busy.stop();
      const again = whileServing ? server : await begin(store, dataDir, server.settings.store);
      expect((await redeem(again, code)).status).to.equal(200);
      await again.close();

      expect(await verify({ ...server.settings, dataDir }, { file }, terminal)).to.equal(0);
      const other = await begin(store, await place('other', dataDir));
      await other.close();
      const empty = { ...other.settings, dataDir: await place('new', dataDir) };
      const started = await messageOf(restore(other.settings, { file }, terminal));
      expect(started, 'a server has started there').to.match(/is there: a backup is restored where|data of its own/);
      const [schema, keyPrefix] = [`${other.settings.store.schema}_2`, `${other.settings.store.keyPrefix}2:`];
      const target = { ...empty, store: { ...empty.store, schema, keyPrefix } };
      expect(await restore(target, { file }, terminal)).to.equal(0);

      const after = await begin(store, target.dataDir, target.store);
      const root = await login(after, SUPERADMIN);
      for (const one of before)
        expect((await after.call('getResource', { path: { target: one }, token: root })).status, one).to.equal(200);
      expect((await redeem(after, code)).status).to.equal(400);
      const list = { path: { target: 'acme' }, query: { action: 'restored' }, token: root };
      const { events } = (await after.call('listAuditEvents', list)).body;
      expect(events[0]).to.include({ action: 'restored', target: 'acme', outcome: 'succeeded', account: '' });
      expect(events[0].parameters.backup).to.match(/^\d{4}-\d\d-\d\dT/);
      expect((await after.call('checkAuditTrail', { path: { target: 'acme' }, token: root })).body.valid).to.equal(
        true,
      );
      await after.close();
    });

  it('is of one moment: of two records that are written one after the other, it never has the second without the first', async () => {
    for (const store of ['sqlite', 'postgresql'] as const) {
      const server = await begin(store, await place(store));
      const database = STORES[server.settings.store.type].open(server.settings, {
        clock: server.clock,
        log: silentLog,
      });
      // The pages are read in the order of the collections, so a copy in pieces would read the later write too.
      const spec = (collection: string) => ({ name: collection, sealed: false, afterRestore: 'kept' as const });
      const [early, late] = [database.collection(spec('aa-first')), database.collection(spec('zz-second'))];
      let isOver = false;
      const writes = (async () => {
        for (let n = 0; !isOver; n += 1) {
          await early.insert({ id: `n${n}`, value: {} });
          await late.insert({ id: `n${n}`, value: {} });
        }
      })();
      printed.out = '';
      await backup(server.settings, { file: join(folder, `${store}.backup`) }, terminal);
      isOver = true;
      await writes;
      const [first, second] = ['aa-first', 'zz-second'].map((one) =>
        Number(new RegExp(`${one} +(\\d+)`).exec(printed.out)?.[1] ?? 0),
      ) as [number, number];
      expect(first - second, store).to.be.within(0, 1);
      await database.close();
      await server.close();
    }
  });
});

describe('A file of a backup', () => {
  useFolder();
  const key = randomBytes(32);
  const about = { createdAt: '2026-01-01T00:00:00.000Z', program: '1', store: 'SQLite', keys: [key] };
  let file: string;
  let out: string;
  beforeEach(async () => {
    file = join(folder, 'sealed');
    out = join(folder, 'out');
    await writeFile(join(folder, 'plain'), 'the content of the store');
    await sealFile(join(folder, 'plain'), file, about);
  });

  it('has its content back with a key of the ring, and shows nothing of it', async () => {
    await unsealFile(file, out, [randomBytes(32), key]);
    expect(await readFile(out, 'utf8')).to.equal('the content of the store');
    expect(await readFile(file, 'latin1')).not.to.include('content of');
  });

  it('is refused with each of its bytes changed, and at each length, and leaves nothing behind', async () => {
    const bytes = await readFile(file);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(file, changed);
      expect(await messageOf(unsealFile(file, out, [key])), `byte ${at}`).to.match(/^The (file|backup) /);
    }
    for (const length of [0, 1, 100, bytes.length - 49, bytes.length - 1]) {
      await writeFile(file, bytes.subarray(0, length));
      expect(await messageOf(unsealFile(file, out, [key])), `length ${length}`).to.match(/^The (file|backup) /);
    }
    expect(await readdir(folder)).to.have.members(['plain', 'sealed']);
  });

  it('is refused when who has no key wrote another content and its checksum', async () => {
    const bytes = await readFile(file);
    const end = bytes.length - 32;
    const changed = Buffer.from(bytes.subarray(0, end));
    changed[end - 20] = (changed[end - 20] ?? 0) ^ 1;
    await writeFile(file, Buffer.concat([changed, createHash('sha256').update(changed).digest()]));
    expect(await messageOf(unsealFile(file, out, [key]))).to.equal(
      'The backup was altered, or made under another master key',
    );
    expect(await readdir(folder)).to.have.members(['plain', 'sealed']);
  });

  it('is refused without its key, which the message names', async () => {
    expect(await messageOf(unsealFile(file, out, [randomBytes(32)]))).to.match(
      /^The backup was sealed under the master key \S{8}, and the ring has \S{8}$/,
    );
  });

  it('never takes the place of another file', async () => {
    expect(await messageOf(sealFile(join(folder, 'plain'), file, about))).to.include('EEXIST');
    expect(await messageOf(unsealFile(file, join(folder, 'plain'), [key]))).to.include('EEXIST');
    expect(await readFile(join(folder, 'plain'), 'utf8')).to.equal('the content of the store');
  });
});

describe('credenza backup, verify and restore', () => {
  useFolder();
  it('refuse a file that is there, one that is none, a store in memory and one that holds nothing', async () => {
    const dataDir = await place('data');
    const server = await begin('sqlite', dataDir);
    await server.close();
    const { settings } = server;
    const file = join(folder, 'a.backup');
    await backup(settings, { file }, terminal);
    expect(await messageOf(backup(settings, { file }, terminal))).to.include('it is there already');
    const memory = { ...settings, store: { ...settings.store, type: 'memory' as const } };
    expect(await messageOf(backup(memory, { file: `${file}2` }, terminal))).to.include('only its own process');
    await writeFile(join(folder, 'text'), 'no backup');
    const none = { file: join(folder, 'text') };
    const fresh = { ...settings, dataDir: await place('fresh', dataDir) };
    expect(await messageOf(verify(fresh, none, terminal))).to.equal('The file is no backup of Credenza');
    expect(await messageOf(restore(fresh, none, terminal))).to.equal('The file is no backup of Credenza');
    const keyless = { ...settings, dataDir: await place('keyless') };
    expect(await messageOf(restore(keyless, { file }, terminal))).to.match(
      /^There is no master key: put .*master\.key/,
    );
    expect(await readdir(fresh.dataDir)).to.deep.equal(['master.key']);
    expect((await readdir(folder)).filter((name) => name.startsWith('a.backup'))).to.deep.equal(['a.backup']);
  });

  it('two restorations at once: one has the place', async () => {
    const dataDir = await place('data');
    const server = await begin('sqlite', dataDir);
    await server.close();
    const file = join(folder, 'a.backup');
    await backup(server.settings, { file }, terminal);
    const settings = { ...server.settings, dataDir: await place('new', dataDir) };
    const all = await Promise.all([1, 2, 3].map(() => messageOf(restore(settings, { file }, terminal))));
    expect(all.filter((one) => one === 'fulfilled')).to.have.length(1);
    expect((await readdir(settings.dataDir)).toSorted()).to.deep.equal(['credenza.sqlite', 'master.key']);
  });
});
