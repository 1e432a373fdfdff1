import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { SealedStore } from '../../adapters/sealing/sealed-store.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import type { CollectionSpec, Store } from '../../ports/store.ts';
import { collectionContract, type StoreUnderTest } from './collection.contract.ts';

async function inFolder(open: (folder: string, clock: { now(): number }) => Store): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'credenza-store-'));
  const clock = { time: 0, now: () => clock.time };
  const store = open(folder, clock);
  return { store, clock, close: () => store.close().then(() => rm(folder, { recursive: true })) };
}

/** The same store with every collection sealed. */
const sealing = (store: Store): Store => {
  const sealed = new SealedStore(store, new AesSecrets(randomBytes(32)));
  return {
    collection: <T>(spec: CollectionSpec<T>) => sealed.collection<T>({ ...spec, sealed: true }),
    ping: () => sealed.ping(),
    close: () => sealed.close(),
  };
};

const STORES: Record<string, (folder: string, clock: { now(): number }) => Store> = {
  memory: (_folder, clock) => new MemoryStore(clock),
  SQLite: (folder, clock) => new SqliteStore(join(folder, 'test.sqlite'), clock),
  'sealed SQLite': (folder, clock) => sealing(new SqliteStore(join(folder, 'test.sqlite'), clock)),
};

for (const [name, open] of Object.entries(STORES)) collectionContract(name, () => inFolder(open));
