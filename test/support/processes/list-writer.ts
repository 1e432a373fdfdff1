import { setImmediate } from 'node:timers/promises';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import type { Collection, Store } from '../../../ports/store.ts';
import { openShared, type SharedStore } from '../stores/shared-store.ts';

/** One write with a clock that is `skew` milliseconds off. */
export interface Write {
  do: 'insert' | 'replace' | 'remove';
  id: string;
  skew: number;
}

/** The successive writes of a writer to one parent of a listed collection. */
export interface WriterPlan {
  collection: string;
  parent: string;
  writes: Write[];
}

/** Does the writes of a plan; `setClock` sets how far the clock of the store is off. */
export async function write(store: Store, plan: WriterPlan, setClock: (skew: number) => void): Promise<void> {
  const { collection: name, parent, writes } = plan;
  const items = store.collection<{ n: number }>({ name, listed: true, sealed: false, afterRestore: 'kept' });
  for (const { skew, ...step } of writes) {
    const at = await revisionFor(items, { parent, ...step });
    setClock(skew);
    await one(items, { parent, ...step }, at).catch((error) => {
      if (!isDomainError(error, 'Conflict')) throw error;
    });
    await setImmediate();
  }
}

type Step = Omit<Write, 'skew'> & { parent: string };

async function revisionFor(items: Collection<{ n: number }>, step: Step): Promise<number> {
  return step.do === 'replace' ? ((await items.get(step))?.revision ?? 0) : 0;
}

async function one(items: Collection<{ n: number }>, { do: what, parent, id }: Step, revision: number): Promise<void> {
  const record = { parent, id, value: { n: revision } };
  if (what === 'insert') await items.insert(record);
  else if (what === 'remove') await items.remove(record);
  else await items.replace(record, revision);
}

interface Opened {
  store: Store;
  clock: { skew: number };
}

const stores = new Map<string, Opened>();

function open(shared: SharedStore): Opened {
  const name = JSON.stringify(shared);
  const clock = { skew: 0, now: () => Date.now() + clock.skew };
  const opened = stores.get(name) ?? { store: openShared(shared, clock), clock };
  stores.set(name, opened);
  return opened;
}

/** As a process: receives plans as messages and answers each when it is done. */
if (process.send) {
  process.once('disconnect', () => process.exit());
  process.on('message', async ({ shared, plan }: { shared: SharedStore; plan: WriterPlan }) => {
    const { store, clock } = open(shared);
    await store.ping();
    await write(store, plan, (skew) => {
      clock.skew = skew;
    });
    process.send?.('done');
  });
}
