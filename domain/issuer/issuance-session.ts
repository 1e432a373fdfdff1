import { DomainError } from '../foundation/errors.ts';
import { busy, isLeased, type Lease } from '../foundation/lease.ts';
import type { IssuableContent } from './issuable-content.ts';

/** The right of one request to make one credential. `owner` is its id; `nonce` is that of the proof it was given. */
export interface ItemLease extends Lease {
  nonce: string;
}

/** One credential that is still to be issued. */
export interface IssuanceItem {
  id: number;
  content: IssuableContent;
  /** The last lease. One that ended without a credential keeps its nonce good. */
  lease?: ItemLease;
}

interface SessionFacts {
  id: string;
  /** The id of the `CredentialIssuer`. */
  issuerId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Whether the batch endpoint created the offer, which decides the names of events. */
  isBatch: boolean;
  callbackUrl?: string;
  configurationIds: string[];
}

/** A session with credentials to issue: the only state that has moves. */
export interface ActiveSession extends SessionFacts {
  state: 'ACTIVE';
  /** The pre-authorized code: an offer by reference shows it whenever it is fetched. */
  code: string;
  items: IssuanceItem[];
}

/** A session that is over: without key references, data or code. */
export interface EndedSession<State extends string = 'SUCCESSFUL' | 'UNSUCCESSFUL' | 'EXPIRED'> extends SessionFacts {
  state: State;
  reason: string;
}

/** One offer from its creation to its end. */
export type IssuanceSession =
  | ActiveSession
  | EndedSession<'SUCCESSFUL'>
  | EndedSession<'UNSUCCESSFUL'>
  | EndedSession<'EXPIRED'>;

/** What a new session consists of. */
export type NewSession = Omit<ActiveSession, 'state' | 'items' | 'configurationIds'> & { contents: IssuableContent[] };

/** Creates a session with all of its credentials still to be issued. */
export function created({ contents, ...session }: NewSession): ActiveSession {
  const configurationIds = [...new Set(contents.map(({ configurationId }) => configurationId))];
  return { ...session, state: 'ACTIVE', configurationIds, items: contents.map((content, id) => ({ id, content })) };
}

/** Whether an active session is past its expiry. */
export const isOverdue = ({ expiresAt }: ActiveSession, now: number): boolean => expiresAt <= now;

/** Whole seconds until a session expires. */
export const secondsLeft = ({ expiresAt }: ActiveSession, now: number): number =>
  Math.max(0, Math.floor((expiresAt - now) / 1000));

/** The name of one credential of the session, for wallets that ask by it (OpenID4VCI draft 13 §6.2). */
export const identifierOf = ({ id, content }: IssuanceItem): string => `${content.configurationId}-${id}`;

/** The nonces of leases, running or ended; each is good when its lease has ended. */
export const leaseNonces = ({ items }: ActiveSession): string[] =>
  items.flatMap(({ lease }) => (lease ? [lease.nonce] : []));

/** One attempt to make one credential. */
export interface Attempt extends ItemLease {
  itemId: number;
}

/**
 * Leases an item for a proof. A nonce is in one lease at most: one that ended without a credential gives it up.
 * @throws DomainError `Busy` while the item or the nonce is leased, `Conflict` when the item was issued
 */
export function leased(session: ActiveSession, { itemId, ...lease }: Attempt, now: number): ActiveSession {
  const item = session.items.find(({ id }) => id === itemId);
  const used = session.items.find((other) => other.lease?.nonce === lease.nonce);
  for (const running of [item?.lease, used?.lease]) if (isLeased(running, now)) throw busy(running, now);
  if (!item) throw new DomainError('Conflict', 'The credential was delivered already');
  const items = session.items.map((other) => {
    if (other === item) return { ...item, lease };
    return other === used ? withoutLease(other) : other;
  });
  return { ...session, items };
}

/** Prolongs a lease. @throws DomainError `Busy` when another request has the item */
export function renewed(session: ActiveSession, attempt: Attempt, until: number): ActiveSession {
  const { item, lease } = leaseOf(session, attempt);
  return replaced(session, item, { ...item, lease: { ...lease, until } });
}

/** Ends a lease without a credential, so that the wallet can try again with the same proof. @throws as `renewed` */
export const released = (session: ActiveSession, attempt: Attempt): ActiveSession => renewed(session, attempt, 0);

/** Removes the item whose credential is ready; the last one ends the session. @throws as `renewed` */
export function issued(session: ActiveSession, attempt: Attempt): ActiveSession | EndedSession<'SUCCESSFUL'> {
  const { item } = leaseOf(session, attempt);
  const items = session.items.filter((other) => other !== item);
  return items.length > 0 ? { ...session, items } : ended(session, 'SUCCESSFUL', 'Credential issued successfully');
}

/** Ends the session because no other attempt can succeed. @throws as `renewed` */
export function failed(session: ActiveSession, attempt: Attempt, reason: string): EndedSession<'UNSUCCESSFUL'> {
  leaseOf(session, attempt);
  return ended(session, 'UNSUCCESSFUL', reason);
}

/** Ends the session at its expiry. */
export const expired = (session: ActiveSession): EndedSession<'EXPIRED'> =>
  ended(session, 'EXPIRED', 'The issuance session expired');

function leaseOf({ items }: ActiveSession, { itemId, owner }: Attempt): { item: IssuanceItem; lease: ItemLease } {
  const item = items.find(({ id }) => id === itemId);
  if (item?.lease?.owner === owner) return { item, lease: item.lease };
  throw busy({ until: 0 }, 0);
}

const withoutLease = ({ lease: _, ...item }: IssuanceItem): IssuanceItem => item;

const replaced = (session: ActiveSession, item: IssuanceItem, next: IssuanceItem): ActiveSession => ({
  ...session,
  items: session.items.map((other) => (other === item ? next : other)),
});

function ended<State extends EndedSession['state']>(
  { items: _, code: __, state: ___, ...facts }: ActiveSession,
  state: State,
  reason: string,
): EndedSession<State> {
  return { ...facts, state, reason };
}
