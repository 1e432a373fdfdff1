import { expect } from 'chai';
import { WALLET_CREDENTIALS, WALLET_DIDS, WALLET_KEYS } from '../../../domain/holdings/records.ts';
import type { Store } from '../../../ports/store.ts';
import { newWallet2User, WITHOUT_ACCOUNTS, wallet2Caller } from '../../actors/wallet2.ts';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

/** Runs work with a process that ends at its first, second, … call of the store, until the work gets to its end. */
async function atEveryCall(
  faults: StoreFaults,
  {
    prepare,
    work,
    check,
  }: { prepare(): Promise<void>; work(): Promise<boolean>; check(isDone: boolean): Promise<void> },
): Promise<void> {
  for (let call = 1, isDone = false; !isDone; call += 1) {
    await prepare();
    Object.assign(faults, { failIn: call, isDeadly: true });
    isDone = await work();
    faults.end();
    await check(isDone);
  }
}

const KINDS = ['keys', 'credentials', 'dids'];

for (const [name, settings] of Object.entries({ 'an account': {}, 'the operator': WITHOUT_ACCOUNTS }))
  describe(`wallets of ${name} whose process ends`, () => {
    const faults = new StoreFaults();
    let store: Store;
    const server = useServer({
      settings,
      wrapStore: (inner) => {
        store = inner;
        return new FaultyStore(inner, faults);
      },
    });
    const caller = async () => (name === 'an account' ? newWallet2User(server) : wallet2Caller(server));
    const has = async (wallet: string): Promise<string[]> => {
      const page = { parent: wallet, order: 'id', offset: 0, limit: 9 } as const;
      const specs = [WALLET_KEYS, WALLET_DIDS, WALLET_CREDENTIALS].map((spec) => ({
        ...spec,
        afterRestore: 'kept' as const,
      }));
      return (await Promise.all(specs.map((spec) => store.collection<unknown>(spec).ids(page)))).flat();
    };

    it('while one is deleted: it is whole, or nothing reaches it and the rest is removed with the next list', async () => {
      const { call, create } = await caller();
      let wallet = '';
      let isReachable = true;
      await atEveryCall(faults, {
        prepare: async () => {
          const { walletId, call: on } = await create({ noDidStore: false });
          wallet = walletId;
          await on('generateWallet2Key', { json: {} });
          await on('createWallet2Did', { json: { method: 'key' } });
        },
        work: async () => (await call('deleteWallet', { path: { wallet } })).status === 204,
        check: async (isDone) => {
          const { status } = await call('describeWallet', { path: { wallet } });
          isReachable = status === 200;
          expect((await call('listWallets')).body.includes(wallet)).to.equal(isReachable);
          expect(await has(wallet)).to.have.lengthOf(isReachable ? 2 : 0);
          if (isDone) expect(isReachable).to.equal(false);
          if (isReachable) await call('deleteWallet', { path: { wallet } });
          if (name === 'the operator')
            for (const kind of KINDS)
              expect((await call('listNamedStores', { path: { kind } })).body).to.not.include(`${wallet}-${kind}`);
        },
      });
    });

    it('while one is created: it is whole or none', async () => {
      const { call } = await caller();
      const isNamed = name === 'the operator';
      let before: string[] = [];
      await atEveryCall(faults, {
        prepare: async () => {
          if (isNamed) await call('createNamedStore', { path: { kind: 'keys', storeId: 'shared' } });
          before = (await call('listWallets')).body;
        },
        work: async () =>
          (await call('createWallet', { json: isNamed ? { keyStoreIds: ['shared'] } : {} })).status === 201,
        check: async (isDone) => {
          const added = ((await call('listWallets')).body as string[]).filter((id) => !before.includes(id));
          if (isDone) expect(added).to.have.lengthOf(1);
          for (const wallet of added)
            expect((await call('generateWallet2Key', { path: { wallet }, json: {} })).status).to.equal(201);
        },
      });
    });
  });
