import { once } from 'node:events';
import { systemClock } from '../../../adapters/system/system.ts';
import { CONTAINERS } from '../stores/containers.ts';
import { openShared, type SharedStore } from '../stores/shared-store.ts';
import { Actor } from '../stores/stepped-store.ts';

/** The number of the call before which the removal waits for a message or its process is killed (SIGKILL). */
interface Plan {
  shared: SharedStore;
  pauseAt: number;
  killAt: number;
}

process.once('disconnect', () => process.exit());
process.once('message', async ({ shared, pauseAt, killAt }: Plan) => {
  const store = openShared(shared, systemClock);
  await store.ping();
  const remover = new Actor(
    store,
    (stepped) => CONTAINERS['a service and a key']?.remove(stepped) ?? Promise.reject(new Error('No such container')),
  );
  await remover.run(pauseAt);
  process.send?.('paused');
  await once(process, 'message');
  await remover.run(killAt - pauseAt);
  process.kill(process.pid, 'SIGKILL');
});
