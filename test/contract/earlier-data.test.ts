import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadMasterKeys } from '../../adapters/crypto/master-key.ts';
import { ScryptPasswords } from '../../adapters/crypto/passwords.ts';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { Sqlite } from '../../adapters/sqlite/driver.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import type { Store } from '../../ports/store.ts';
import { byEmail } from '../actors/accounts.ts';
import { login, PASSWORD, SUPERADMIN } from '../actors/tenant.ts';
import { startServer } from '../support/servers/server.ts';
import { openStore, STORE_NAMES } from '../support/stores/stores.ts';

/** The collections as version 0.1.0 declared them: accounts, roles and resources in clear, ids of identities in clear. */
const EARLIER = {
  accounts: { name: 'accounts', listed: false, sealed: false, afterRestore: 'kept' as const },
  identities: { name: 'identities', listed: false, sealed: true, afterRestore: 'kept' as const },
  principals: { name: 'enterprise-principals', listed: false, sealed: true, afterRestore: 'kept' as const },
  resources: { name: 'enterprise-resources', listed: true, sealed: false, afterRestore: 'kept' as const },
  roles: { name: 'enterprise-roles', listed: true, sealed: false, afterRestore: 'kept' as const },
};

const [ACCOUNT, PRINCIPAL, WALLET] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

/** Data of 0.1.0: a wallet account, an administrator account and an organization with a service. */
async function writeEarlierData(store: Store): Promise<void> {
  const put = (collection: keyof typeof EARLIER, id: string, value: unknown, parent = '') =>
    store.collection<unknown>(EARLIER[collection]).insert({ id, parent, value });
  const passwords = new ScryptPasswords({ logN: 10 });
  const { email, password } = byEmail('ada');
  const wallets = [{ id: WALLET, name: 'Wallet of Ada', createdAt: 1 }];
  await put('accounts', ACCOUNT, { id: ACCOUNT, createdAt: 1, name: 'Ada', email, wallets });
  await put('identities', `email:${email}`, {
    accountId: ACCOUNT,
    passwordHash: await passwords.hash({ password, source: '' }),
  });
  await put('principals', PRINCIPAL, { superadmin: true, roles: [], profile: { email: SUPERADMIN } });
  await put('identities', `admin:${SUPERADMIN}`, {
    accountId: PRINCIPAL,
    passwordHash: await passwords.hash({ password: PASSWORD, source: '' }),
  });
  await put('resources', 'acme', { content: { type: 'organization', profile: { name: 'Acme' } } });
  const issuer = {
    type: 'issuer2',
    dependencies: [],
    traversable: true,
    api_key: 'SECRET',
    baseUrl: 'https://a.example',
  };
  await put('resources', 'issuer1', { content: issuer }, 'acme');
  await put('roles', 'admin', { uid: 'u', name: 'Administrator', permissions: [] }, 'acme');
}

describe('Data of version 0.1.0', () => {
  it('is usable: logins, accounts, resources; used identities and accounts become sealed with hidden ids', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'credenza-'));
    const file = join(dataDir, 'credenza.sqlite');
    const secrets = new AesSecrets(await loadMasterKeys(dataDir, undefined), systemRandom);
    const earlier = new SealedStore(new SqliteStore(file, systemClock), secrets, systemClock);
    await writeEarlierData(earlier);
    await earlier.close();
    const rows = (): string => {
      const database = new Sqlite(file, { readonly: true });
      const all = ['identities', 'accounts'].map((table) => database.prepare(`SELECT * FROM ${table}`).all());
      database.close();
      return JSON.stringify(all);
    };
    expect(rows()).to.include('ada@example.org').and.include(SUPERADMIN);
    const server = await startServer({ store: 'sqlite', dataDir });
    expect((await server.call('registerAccount', { json: byEmail('ada') })).status).to.equal(409);
    for (const _ of [1, 2]) {
      const { body } = await server.call('loginAccount', { json: byEmail('ada') });
      expect(body).to.include({ id: ACCOUNT, username: 'ada@example.org' });
      expect((await server.call('getUserInfo', { token: body.token })).body.name).to.equal('Ada');
    }
    const token = await login(server, SUPERADMIN);
    const get = async (target: string) => (await server.call('getResource', { path: { target }, token })).body;
    expect((await get('acme')).profile).to.deep.equal({ name: 'Acme' });
    expect(await get('acme.issuer1'))
      .to.include({ baseUrl: 'https://a.example' })
      .and.not.have.property('api_key');
    const { body: list } = await server.call('listResources', { path: { target: 'acme' }, token });
    expect([list.length, JSON.stringify(list).includes('SECRET')]).to.deep.equal([1, false]);
    const role = { path: { accountId: PRINCIPAL, org: 'acme', roleId: 'admin' }, token };
    expect((await server.call('assignRole', role)).status).to.equal(200);
    await server.close();
    expect(rows()).to.not.include('ada@example.org').and.not.include('Ada').and.not.include(SUPERADMIN);
    const bytes = await readFile(file, 'latin1');
    for (const trace of ['ada@example.org', 'Wallet of Ada', SUPERADMIN]) expect(bytes.includes(trace)).to.equal(false);
    await rm(dataDir, { recursive: true });
  });

  const spec = { name: 'identities', listed: false, sealed: true, afterRestore: 'kept' as const };
  for (const name of STORE_NAMES.filter((store) => !store.startsWith('sealed')))
    it(`${name}: a record under an id in clear is read, replaced, taken and removed, and conflicts with an insert, like any`, async () => {
      const { store, close } = await openStore(name);
      const sealed = new SealedStore(store, new AesSecrets([randomBytes(32)], systemRandom), systemClock);
      const earlier = sealed.collection<number>(spec);
      const hidden = sealed.collection<number>({ ...spec, hiddenIds: true });
      for (const id of ['got', 'replaced', 'taken', 'removed', 'inserted']) await earlier.insert({ id, value: 1 });
      expect(await hidden.get({ id: 'got' })).to.include({ id: 'got', value: 1, revision: 1 });
      expect(await hidden.replace({ id: 'replaced', value: 2 }, 1)).to.include({
        id: 'replaced',
        value: 2,
        revision: 2,
      });
      expect(await hidden.take({ id: 'taken' })).to.include({ id: 'taken', value: 1 });
      expect(await hidden.remove({ id: 'removed' })).to.equal(true);
      const refusal = await hidden.insert({ id: 'inserted', value: 3 }).catch((error: unknown) => error);
      expect(isDomainError(refusal, 'Conflict')).to.equal(true);
      const left = ['got', 'replaced', 'taken', 'removed', 'inserted'].map((id) => hidden.get({ id }));
      expect((await Promise.all(left)).map((record) => record?.value)).to.deep.equal([1, 2, undefined, undefined, 1]);
      for (const id of ['got', 'replaced', 'taken', 'removed', 'inserted'])
        expect(await earlier.get({ id }), id).to.equal(undefined);
      await close();
    });

  it('a value in clear is refused in a collection that was always sealed', async () => {
    const { store, close } = await openStore('memory');
    const sealed = new SealedStore(store, new AesSecrets([randomBytes(32)], systemRandom), systemClock);
    await store.collection({ ...spec, sealed: false }).insert({ id: 'planted', value: { accountId: 'mine' } });
    const refusal = await sealed
      .collection(spec)
      .get({ id: 'planted' })
      .catch((error: unknown) => error);
    expect(isDomainError(refusal, 'StoreUnavailable')).to.equal(true);
    await close();
  });
});
