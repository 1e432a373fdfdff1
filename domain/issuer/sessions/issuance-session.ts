import { type History, NO_HISTORY } from '../../events/event-log.ts';
import { DomainError } from '../../foundation/errors.ts';
import { busy, isLeased, type Lease } from '../../foundation/lease.ts';
import {
  countNumbers,
  hasNumber,
  type NumberRanges,
  withNumbers,
  withoutNumbers,
} from '../../foundation/number-ranges.ts';
import type { IssuanceGrant } from '../issuance-grant.ts';
import type { OwnContent } from './issuance-contents.ts';
import { configurationIdsOf, countItems, type ItemPlan } from './item-plan.ts';
import type { LoginValue } from './login-claims.ts';
import type { ManagedSession } from './managed-session.ts';
import { REDELIVERY_MS, type RedeliverableCredential } from './redeliverable-credentials.ts';

/** The right of one request to make the credentials of some items. */
interface ItemLease extends Lease {
  /** The ids of the items. */
  items: readonly number[];
  /** The nonce of the request's proofs; a lease that ended without credentials keeps it good. */
  nonce?: string;
  /** How many of its credentials were made at the last renewal. */
  made?: number;
}

/** One attempt to make the credentials of some items. */
export interface Attempt extends ItemLease {
  /** Whether the items are those of a deferred issuance. */
  isDeferred?: boolean;
}

/** An issued item whose credentials the wallet can ask for again. */
export interface RedeliverableItem {
  id: number;
  /** The attempt that made the credentials, which names their copy. */
  owner: string;
  /** The digest of the holder's keys. */
  holder: string;
  /** Milliseconds since the epoch. */
  until: number;
  /** The credentials; absent when their copy has a record of its own. */
  copy?: RedeliverableCredential;
}

interface SessionFacts {
  id: string;
  /** The id of the `CredentialIssuer`. */
  issuerId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Whether the batch endpoint created the offer, which decides the names of events. */
  isBatch: boolean;
  /** Whether a credential is made when the wallet asks a second time. */
  isDeferred?: boolean;
  callbackUrl?: string;
  /** The thumbprint of the only key that gets a credential; any key when absent. */
  holderKey?: string;
  /** Whether an offer of draft 11 describes its credentials, in place of their ids. */
  describesCredentials?: boolean;
  managed?: ManagedSession;
  /** What happened to it, for those who follow it and for its webhook; only with `managed`. */
  history?: History;
  /** The name under which the contents are stored unless the session holds its content; the id when absent. */
  contentsId?: string;
  configurationIds: string[];
  plan: ItemPlan;
  /** When a wallet first asked for a credential, in milliseconds since the epoch; only with `managed`. */
  requestedAt?: number;
  /** The items whose credentials were issued. */
  issued: NumberRanges;
  /** How many credentials were issued, one for each key; absent where it is one for each issued item. */
  credentials?: number;
  /** The items that no attempt can issue. */
  failed: NumberRanges;
  /** The latest last. */
  redeliverable: readonly RedeliverableItem[];
  /** How many nonces of its grants are void, in versions where a grant has one at a time; none when absent. */
  voidNonces?: number;
}

/** A session with credentials to issue: the only state in which items move. */
export interface ActiveSession extends SessionFacts {
  state: 'ACTIVE';
  grant: IssuanceGrant;
  /** The items whose holder is known and whose credential is made at a later request. */
  deferred: NumberRanges;
  /** Running ones, and ended ones whose nonce is good. */
  leases: readonly ItemLease[];
  /** The values of `loginClaims` that a login gave. */
  loginValues?: LoginValue[];
  /** Its only content, unless that has a record. */
  content?: OwnContent;
}

/** A session that is over: without data, code or nonces. */
export interface EndedSession<State extends string = 'SUCCESSFUL' | 'UNSUCCESSFUL' | 'EXPIRED'> extends SessionFacts {
  state: State;
  reason: string;
}

/** A session whose last item was issued or failed. */
export type CompletedSession = EndedSession<'SUCCESSFUL'> | EndedSession<'UNSUCCESSFUL'>;

/** One offer from its creation to its end. */
export type IssuanceSession = ActiveSession | CompletedSession | EndedSession<'EXPIRED'>;

/** What a new session consists of. */
export type NewSession = Omit<
  ActiveSession,
  | 'state'
  | 'history'
  | 'configurationIds'
  | 'issued'
  | 'failed'
  | 'redeliverable'
  | 'voidNonces'
  | 'deferred'
  | 'leases'
>;

/** How many issued items of one session can be asked for again; also the most items of one request. */
export const MAX_REDELIVERABLE = 100;
/** The most requests of one session that work at the same time, and the most ended leases that are kept. */
const MAX_LEASES = 64;

/** Creates a session with all of its credentials still to be issued. */
export function created(session: NewSession): ActiveSession {
  const configurationIds = configurationIdsOf(session.plan);
  const history = session.managed && { history: NO_HISTORY };
  const nothing = { issued: [], failed: [], redeliverable: [], deferred: [], leases: [] };
  return Object.assign({ ...session }, nothing, history, { state: 'ACTIVE' as const, configurationIds });
}

/** Whether a session is past its expiry. */
export const isOverdue = ({ expiresAt }: SessionFacts, now: number): boolean => expiresAt <= now;

/** Whole seconds until a session expires. */
export const secondsLeft = ({ expiresAt }: SessionFacts, now: number): number =>
  Math.max(0, Math.floor((expiresAt - now) / 1000));

/** The state of one item. `done` items were issued and cannot be asked for again. */
type ItemState =
  | { state: 'open' | 'deferred' | 'done' | 'failed' | 'unknown' }
  | { state: 'leased'; until: number }
  | { state: 'issued'; redeliverable: RedeliverableItem };

/** The state of an item at `now`. */
export function stateOf(session: IssuanceSession, id: number, now: number): ItemState {
  if (hasNumber(session.failed, id)) return { state: 'failed' };
  if (hasNumber(session.issued, id)) {
    const redeliverable = session.redeliverable.find((item) => item.id === id && now < item.until);
    return redeliverable ? { state: 'issued', redeliverable } : { state: 'done' };
  }
  if (session.state !== 'ACTIVE' || id < 0 || id >= countItems(session.plan)) return { state: 'unknown' };
  const running = session.leases.find((lease) => isLeased(lease, now) && lease.items.includes(id));
  if (running) return { state: 'leased', until: running.until };
  return { state: hasNumber(session.deferred, id) ? 'deferred' : 'open' };
}

/** How far a session is, in items. */
interface IssuanceProgress {
  offered: number;
  issued: number;
  deferred: number;
  failed: number;
  /** How many credentials are made, of one item one for each key. */
  credentials: number;
}

/** Counts the items of a session by their states. */
export const progressOf = (session: IssuanceSession): IssuanceProgress => ({
  offered: countItems(session.plan),
  issued: countNumbers(session.issued),
  deferred: session.state === 'ACTIVE' ? countNumbers(session.deferred) : 0,
  failed: countNumbers(session.failed),
  credentials: countCredentials(session) + (session.state === 'ACTIVE' ? sum(session.leases) : 0),
});

const countCredentials = ({ issued, credentials = countNumbers(issued) }: SessionFacts): number => credentials;

const sum = (leases: readonly ItemLease[]): number => leases.reduce((count, { made = 0 }) => count + made, 0);

/** How many items are neither issued nor failed. */
export const countLeft = ({ plan, issued, failed }: SessionFacts): number =>
  countItems(plan) - countNumbers(issued) - countNumbers(failed);

/** The nonces of leases, running or ended; each is good when its lease has ended. */
export const leaseNonces = ({ leases }: ActiveSession): string[] =>
  leases.flatMap(({ nonce }) => (nonce === undefined ? [] : [nonce]));

/** The leases that an attempt meets: of its items, or with its nonce. */
export const rivalsOf = ({ leases }: ActiveSession, { items, nonce }: Pick<Attempt, 'items' | 'nonce'>): ItemLease[] =>
  leases.filter(
    (lease) => (nonce !== undefined && lease.nonce === nonce) || lease.items.some((id) => items.includes(id)),
  );

/**
 * Leases items for a proof. An item and a nonce are in one lease at most: one that ended without credentials gives them
 * up. @throws DomainError `Busy` while an item or the nonce is leased, `Conflict` when an item was issued
 */
export function leased(session: ActiveSession, { isDeferred = false, ...lease }: Attempt, now: number): ActiveSession {
  const rivals = rivalsOf(session, lease);
  for (const running of rivals) if (isLeased(running, now)) throw busy();
  const state = isDeferred ? 'deferred' : 'open';
  if (!lease.items.every((id) => stateOf(session, id, now).state === state))
    throw new DomainError('Conflict', 'The credential was delivered already');
  const others = session.leases.filter((other) => !rivals.includes(other));
  const leases = [...bounded(others, now), lease];
  return { ...session, leases, ...(session.managed && { requestedAt: session.requestedAt ?? now }) };
}

/** Makes room for one more lease: the oldest that ended goes. @throws DomainError `Busy` when all of them run */
function bounded(leases: ItemLease[], now: number): ItemLease[] {
  if (leases.length < MAX_LEASES) return leases;
  const oldest = leases.find((lease) => !isLeased(lease, now));
  if (!oldest) throw busy();
  return leases.filter((lease) => lease !== oldest);
}

/** Prolongs a lease; `made` is how many credentials are made. @throws DomainError `Busy` when another request has the items */
export function renewed(
  session: ActiveSession,
  attempt: Attempt,
  { until, made }: Pick<ItemLease, 'until' | 'made'>,
): ActiveSession {
  const own = leaseOf(session, attempt);
  return { ...session, leases: session.leases.map((lease) => (lease === own ? { ...lease, until, made } : lease)) };
}

/** Ends a lease without credentials, so that the wallet can try again with the same proof. @throws as `renewed` */
export const released = (session: ActiveSession, attempt: Attempt): ActiveSession =>
  renewed(session, attempt, { until: 0 });

/** What is remembered of issued credentials. */
interface Delivery {
  now: number;
  holders: ReadonlyMap<number, string>;
  /** How many credentials they are. */
  count: number;
  /** The copy that the session holds, by its item. */
  held?: ReadonlyMap<number, RedeliverableCredential>;
}

/** Marks the items as issued whose credentials are ready; the last ones end the session. @throws as `renewed` */
export function issued(
  session: ActiveSession,
  attempt: Attempt,
  { now, holders, count, held }: Delivery,
): ActiveSession | CompletedSession {
  const next = withoutLease(session, attempt);
  const until = now + REDELIVERY_MS;
  const fresh = attempt.items.map((id) => ({
    id,
    owner: attempt.owner,
    holder: holders.get(id) ?? '',
    until,
    ...(held?.has(id) && { copy: held.get(id) }),
  }));
  const redeliverable = [...next.redeliverable.filter((item) => now < item.until), ...fresh].slice(-MAX_REDELIVERABLE);
  const credentials = countCredentials(next) + count;
  return completed({ ...next, redeliverable, credentials, issued: withNumbers(next.issued, attempt.items) });
}

/** Marks the items as deferred whose holders are known. @throws as `renewed` */
export function deferred(session: ActiveSession, attempt: Attempt): ActiveSession {
  const next = withoutLease(session, attempt);
  return { ...next, deferred: withNumbers(next.deferred, attempt.items) };
}

/** Marks an item as failed because no other attempt can succeed; the last one ends the session. @throws as `renewed` */
export function failed(
  session: ActiveSession,
  attempt: Attempt,
  { item, reason }: { item: number; reason: string },
): ActiveSession | CompletedSession {
  const own = leaseOf(session, attempt);
  const others = { ...own, until: 0, items: own.items.filter((id) => id !== item) };
  const leases = session.leases
    .map((lease) => (lease === own ? others : lease))
    .filter(({ items }) => items.length > 0);
  const marked = { failed: withNumbers(session.failed, [item]), deferred: withoutNumbers(session.deferred, [item]) };
  const last = { ...session, ...marked, leases };
  return completed(last, reason);
}

/** Forgets the copy of an issued item: the wallet has it, or does not want it. */
export const acknowledged = <S extends IssuanceSession>(session: S, id: number): S =>
  session.redeliverable.some((item) => item.id === id)
    ? { ...session, redeliverable: session.redeliverable.filter((item) => item.id !== id) }
    : session;

/** Forgets for whom the session is. @throws DomainError `Busy` while a wallet gets a credential, which would keep it */
export function withoutRecipient(session: IssuanceSession, now: number): IssuanceSession {
  const { managed } = session;
  if (managed?.file?.recipient === undefined) return session;
  if (session.state === 'ACTIVE' && session.leases.some((lease) => isLeased(lease, now))) throw busy();
  const { recipient: _, ...file } = managed.file;
  return { ...session, managed: { ...managed, file } };
}

/** Ends the session at its expiry. */
export const expired = (session: ActiveSession, reason = 'The issuance session expired'): EndedSession<'EXPIRED'> =>
  ended(session, 'EXPIRED', reason);

/** @throws DomainError `Busy` when the attempt has no lease, or not of all its items (any more) */
function leaseOf({ leases }: ActiveSession, { owner, items }: Attempt): ItemLease {
  const own = leases.find((lease) => lease.owner === owner);
  if (own && items.every((id) => own.items.includes(id))) return own;
  throw busy();
}

/** The items of the attempt are neither leased nor deferred. */
function withoutLease(session: ActiveSession, attempt: Attempt): ActiveSession {
  const own = leaseOf(session, attempt);
  const leases = session.leases.filter((lease) => lease !== own);
  return { ...session, leases, deferred: withoutNumbers(session.deferred, attempt.items) };
}

function completed(
  session: ActiveSession,
  reason = 'Some credentials could not be issued',
): ActiveSession | CompletedSession {
  if (countLeft(session) > 0) return session;
  if (session.failed.length > 0) return ended(session, 'UNSUCCESSFUL', reason);
  return ended(session, 'SUCCESSFUL', 'Credential issued successfully');
}

function ended<State extends EndedSession['state']>(
  { grant: _, leases: __, deferred: ___, state: ____, content: _____, loginValues: ______, ...facts }: ActiveSession,
  state: State,
  reason: string,
): EndedSession<State> {
  return { state, reason, ...facts };
}
