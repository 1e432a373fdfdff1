import { systemClock } from '../../../adapters/system/system.ts';
import { creations, type ServicePlan } from '../stores/containers.ts';
import { openShared, type SharedStore } from '../stores/shared-store.ts';
import { Actor } from '../stores/stepped-store.ts';

/** Services to create, and the number of the call of the store before which the process is killed (SIGKILL). */
export interface KilledPlan extends ServicePlan {
  shared: SharedStore;
  killAt: number;
}

process.once('disconnect', () => process.exit());
process.once('message', async ({ shared, killAt, ...plan }: KilledPlan) => {
  const store = openShared(shared, systemClock);
  await store.ping();
  const creator = new Actor(store, (stepped) => creations.create(stepped, systemClock, plan));
  await creator.run(killAt);
  process.send?.(creator.outcome === undefined);
  process.kill(process.pid, 'SIGKILL');
});
