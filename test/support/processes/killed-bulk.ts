import { startServer } from '../servers/server.ts';
import { DeadlyStore, type Death } from '../stores/deadly-store.ts';

/** A server that dies by SIGKILL while it creates offers. */
export interface BulkPlan extends Death {
  dataDir: string;
}

process.once('disconnect', () => process.exit());
process.once('message', async (plan: BulkPlan) => {
  const { dataDir } = plan;
  const server = await startServer({ store: 'sqlite', dataDir, wrapStore: (store) => new DeadlyStore(store, plan) });
  process.send?.(server.url);
});
