import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import { Accounts, type WalletProvisioner } from '../../../domain/accounts/accounts.ts';
import { Identities } from '../../../domain/accounts/identities.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';

/** Records which wallets are filled. */
class FilledWallets implements WalletProvisioner {
  readonly ids = new Set<string>();

  async provision(walletId: string): Promise<void> {
    this.ids.add(walletId);
  }

  async discard(walletId: string): Promise<void> {
    this.ids.delete(walletId);
  }
}

/** A store whose n-th call fails, before or after doing its work. */
class FailingStore implements Store {
  readonly #store: Store;
  readonly #failAt: number;
  readonly #after: boolean;
  calls = 0;

  constructor(store: Store, { failAt, after }: { failAt: number; after: boolean }) {
    this.#store = store;
    this.#failAt = failAt;
    this.#after = after;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const real = this.#store.collection<T>(spec);
    const guard = async <R>(work: () => Promise<R>): Promise<R> => {
      this.calls += 1;
      const fails = this.calls === this.#failAt;
      if (fails && !this.#after) throw new DomainError('StoreUnavailable', 'The store is down');
      const result = await work();
      if (fails) throw new DomainError('StoreUnavailable', 'The store is down');
      return result;
    };
    return {
      insert: (record) => guard(() => real.insert(record)),
      get: (key) => guard(() => real.get(key)),
      replace: (record, revision) => guard(() => real.replace(record, revision)),
      remove: (key) => guard(() => real.remove(key)),
      take: (key) => guard(() => real.take(key)),
      list: (query) => guard(() => real.list(query)),
      ids: (query) => guard(() => real.ids(query)),
    };
  }

  ping = (): Promise<void> => this.#store.ping();
  checkWritable = (): Promise<void> => this.#store.checkWritable();
  close = (): Promise<void> => this.#store.close();
}

const codeOf = (error: unknown): unknown => (error instanceof DomainError ? error.code : error);
const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined, codeOf);

describe('Accounts', () => {
  const world = (store: Store = new MemoryStore(systemClock), wallets = new FilledWallets()) => {
    const identities = new Identities(store);
    const accounts = new Accounts({
      store,
      identities,
      activity: silentActivity,
      wallets,
      clock: systemClock,
      ids: systemIds,
    });
    return { wallets, accounts, find: (id: string) => identities.find(id) };
  };

  it('gives a new account one filled wallet and finds it by its identity', async () => {
    const { accounts, wallets, find } = world();
    const account = await accounts.create({ identity: { id: 'x5c:key' }, name: 'Ada' });
    expect(account.wallets.map(({ name }) => name)).to.deep.equal(['Wallet of Ada']);
    expect([...wallets.ids]).to.deep.equal(account.wallets.map(({ id }) => id));
    const found = await find('x5c:key');
    expect(await accounts.get(found?.accountId ?? '')).to.deep.equal(account);
  });

  it('stores name and address with the account', async () => {
    const account = await world().accounts.create({ identity: { id: 'x5c:key' }, name: 'Ada', email: 'a@b.c' });
    expect(account).to.include({ name: 'Ada', email: 'a@b.c' });
  });

  it('lets exactly one of fifty concurrent registrations succeed, and stores nothing of the others', async () => {
    const { accounts, wallets, find } = world();
    const all = await Promise.all(
      Array.from({ length: 50 }, () => failure(accounts.create({ identity: { id: 'email:ada@example.org' } }))),
    );
    expect(all.filter((code) => code === undefined)).to.have.length(1);
    expect(all.filter((code) => code === 'Conflict')).to.have.length(49);
    const found = await find('email:ada@example.org');
    const winner = await accounts.get(found?.accountId ?? '');
    expect([...wallets.ids]).to.deep.equal([winner.wallets[0]?.id]);
  });

  it('never leaves an identity without its whole account, whichever store call fails', async () => {
    for (const after of [false, true])
      for (let failAt = 1; failAt <= 4; failAt += 1) {
        const healthy = new MemoryStore(systemClock);
        const wallets = new FilledWallets();
        const failing = world(new FailingStore(healthy, { failAt, after }), wallets);
        const outcome = await failure(failing.accounts.create({ identity: { id: 'x5c:key' } }));
        expect(outcome).to.equal(failAt <= 3 ? 'StoreUnavailable' : undefined);
        const { accounts, find } = world(healthy, wallets);
        const before = await find('x5c:key');
        expect(await failure(accounts.create({ identity: { id: 'x5c:key' } }))).to.equal(
          before ? 'Conflict' : undefined,
        );
        const found = await find('x5c:key');
        const account = await accounts.get(found?.accountId ?? '');
        expect(wallets.ids.has(account.wallets[0]?.id ?? '')).to.equal(true);
      }
  });

  it('discards the wallet that could not be filled', async () => {
    class HalfFilled extends FilledWallets {
      override async provision(walletId: string): Promise<void> {
        await super.provision(walletId);
        throw new DomainError('StoreUnavailable', 'The store is down');
      }
    }
    const { accounts, wallets, find } = world(undefined, new HalfFilled());
    expect(await failure(accounts.create({ identity: { id: 'x5c:key' } }))).to.equal('StoreUnavailable');
    expect(wallets.ids.size).to.equal(0);
    expect(await find('x5c:key')).to.equal(undefined);
  });

  it('refuses a foreign wallet and one that does not exist in the same words', async () => {
    const { accounts } = world();
    const ada = await accounts.create({ identity: { id: 'email:ada@example.org' } });
    const eve = await accounts.create({ identity: { id: 'email:eve@example.org' } });
    await accounts.requireWallet(ada.id, ada.wallets[0]?.id ?? '');
    const refusalOf = (walletId: string) =>
      accounts.requireWallet(eve.id, walletId).catch(({ code, message }: DomainError) => ({ code, message }));
    const foreign = await refusalOf(ada.wallets[0]?.id ?? '');
    expect(foreign).to.have.property('code', 'Forbidden');
    expect(await refusalOf(systemIds.uuid())).to.deep.equal(foreign);
    expect(await failure(accounts.requireWallet(systemIds.uuid(), ada.wallets[0]?.id ?? ''))).to.equal('Forbidden');
  });

  it('asks for a login when the account is gone', async () => {
    expect(await failure(world().accounts.get(systemIds.uuid()))).to.equal('LoginRequired');
  });
});
