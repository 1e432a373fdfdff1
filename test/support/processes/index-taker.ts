import { systemClock } from '../../../adapters/system/system.ts';
import { IssuedEntries } from '../../../domain/status/issued-entries.ts';
import { allocationOn, entryRequest, placeOf } from '../status/status-entries.ts';
import { openShared, type SharedStore } from '../stores/shared-store.ts';

/** Entries of status lists to take: so many calls for so many each. */
export interface TakerPlan {
  shared: SharedStore;
  calls: number;
  each: number;
}

/** Their records are not read. */
const UNRECORDED = Object.assign(Object.create(IssuedEntries.prototype), { insert: async () => undefined });

process.once('disconnect', () => process.exit());
process.on('message', async ({ shared, calls, each }: TakerPlan) => {
  const store = openShared(shared, systemClock);
  const { entries } = allocationOn(store, { issued: UNRECORDED });
  const taken: string[] = [];
  for (let call = 0; call < calls; call += 1)
    for (const entry of await entries.allocate(entryRequest(), each)) {
      const { id, idx } = placeOf(entry);
      taken.push(`${id} ${idx}`);
    }
  await store.close();
  process.send?.(taken);
});
