import { systemClock } from '../../../adapters/system/system.ts';
import { openStore } from '../../../composition/platform/stores.ts';
import { IssuedLists } from '../../../domain/status/issued-lists.ts';
import type { TestServer } from '../servers/server.ts';
import { silentLog } from '../servers/silent-log.ts';
import { placeOf } from './status-entries.ts';

/** Sets the status of a credential in a Token Status List of a server, in its store. */
export async function setStatus(
  { settings }: TestServer,
  status: Record<string, unknown>,
  value: number,
): Promise<void> {
  const { store, claim } = (await openStore(settings))({ clock: systemClock, log: silentLog });
  await claim();
  const { id, idx } = placeOf(status);
  await new IssuedLists({ store }).change(id, idx, () => value);
  await store.close();
}
