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
 * @throws DomainError `Conflict` naming the limit, `BadRequest` when it has no store for them
 */
export async function requireRoom(
  records: { isFull(owner: string, most: number): Promise<boolean> },
  { owner, kind }: WantedRoom,
): Promise<void> {
  const most = WALLET_LIMITS[kind];
  if (await records.isFull(owner, most))
    throw new DomainError('Conflict', `A wallet may have at most ${most} ${kind}; remove one permanently first`);
}
