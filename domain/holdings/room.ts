import type { Collection } from '../../ports/store.ts';
import { DomainError } from '../foundation/errors.ts';

/** The most records of each kind that one wallet holds, so that a list of all of them has a bound. */
export const WALLET_LIMITS = { keys: 1000, DIDs: 1000, credentials: 10_000 } as const;

/** What a wallet gets more of. */
interface WantedRoom {
  owner: string;
  kind: keyof typeof WALLET_LIMITS;
}

/**
 * Checks that a wallet may get one more of a kind. Requests at once may pass the limit by their number.
 * @throws DomainError `Conflict` naming the limit
 */
export async function requireRoom(collection: Collection<unknown>, { owner, kind }: WantedRoom): Promise<void> {
  const most = WALLET_LIMITS[kind];
  const [last] = await collection.ids({ parent: owner, order: 'id', offset: most - 1, limit: 1 });
  if (last !== undefined)
    throw new DomainError('Conflict', `A wallet may have at most ${most} ${kind}; remove one permanently first`);
}
