import type { History } from '../../events/event-log.ts';
import { DomainError } from '../../foundation/errors.ts';
import { busy, isLeased, type Lease } from '../../foundation/lease.ts';
import type { Protocol, SessionRequest } from '../protocol.ts';
import type { SessionOutcome } from './outcome.ts';

/** What every session has. */
interface AnySession<P extends Protocol> {
  request: SessionRequest<P>;
  /** Its steps, where they are reported; the repository carries it from state to state. */
  history?: History;
}

/** A session without a response. */
export interface WaitingSession<P extends Protocol = Protocol> extends AnySession<P> {
  /** Whether a wallet has fetched the request; where requests are not fetched it is only waited for. */
  state: 'waiting' | 'fetched';
}

/** A session whose response is being verified. */
export interface VerifyingSession<P extends Protocol = Protocol> extends AnySession<P> {
  state: 'verifying';
  lease: Lease;
}

/** What a response came to. */
export interface Conclusion<P extends Protocol = Protocol> {
  isAccepted: boolean;
  outcome: SessionOutcome<P>;
  /** The SHA-256 of the code that the user's browser brings; absent without a redirect, or once it was used. */
  responseCode?: string;
  /** The code itself, where the creator of the session is shown it; absent once it was used. */
  shownCode?: string;
}

/** A session with its outcome. */
export interface ConcludedSession<P extends Protocol = Protocol> extends AnySession<P>, Conclusion<P> {
  state: 'concluded';
}

/** A verification session of any protocol: waiting → fetched → verifying → concluded. */
export type VerificationSession<P extends Protocol = Protocol> =
  | WaitingSession<P>
  | VerifyingSession<P>
  | ConcludedSession<P>;

/** The states of a session, and what it was concluded with. */
export type SessionStatus = WaitingSession['state'] | 'verifying' | 'accepted' | 'refused';

/** Where a session stands. */
export function statusOf(session: VerificationSession): SessionStatus {
  if (session.state !== 'concluded') return session.state;
  return session.isAccepted ? 'accepted' : 'refused';
}

/** Creates the session of a request. */
export const waiting = <P extends Protocol>(request: SessionRequest<P>): WaitingSession<P> => ({
  state: 'waiting',
  request,
});

/** Notes that a wallet fetched the request. */
export const fetched = (session: VerificationSession): VerificationSession =>
  session.state === 'waiting' ? { ...session, state: 'fetched' } : session;

/** The error for a session that is not there, or not for this request. */
export const noSession = (): DomainError =>
  new DomainError('NotFound', 'There is no such verification session, or it has expired');

/** Checks that a session waits for a response. @throws DomainError `NotFound` after the end of the request; as `checkFree` */
export function checkAwaiting(session: VerificationSession, now: number): void {
  const { request } = session;
  // Where a request has no end of its own its record has.
  if ('expiresAt' in request && now >= request.expiresAt) throw noSession();
  checkFree(session, now);
}

/** Checks that a session accepts a response. @throws DomainError `Conflict` when it has one, `Busy` while one is verified */
function checkFree(session: VerificationSession, now: number): void {
  if (session.state === 'concluded') throw new DomainError('Conflict', 'The session has already received a response');
  if (session.state === 'verifying' && isLeased(session.lease, now)) throw busy();
}

/** Leases a session to the request with its response. @throws DomainError as `checkFree` */
export function leased<P extends Protocol>(
  session: VerificationSession<P>,
  lease: Lease,
  now: number,
): VerifyingSession<P> {
  checkFree(session, now);
  return { state: 'verifying', request: session.request, lease };
}

/** The session under a lease. @throws DomainError `Conflict` when another request has it */
function leasedTo<P extends Protocol>(session: VerificationSession<P>, { owner }: Lease): VerifyingSession<P> {
  if (session.state === 'verifying' && session.lease.owner === owner) return session;
  throw new DomainError('Conflict', 'The session received another response first');
}

/** Prolongs the lease. @throws DomainError `Conflict` when another request has the session */
export const renewed = <P extends Protocol>(session: VerificationSession<P>, lease: Lease): VerifyingSession<P> => ({
  ...leasedTo(session, lease),
  lease,
});

/** Ends the lease without an outcome, for the wallet's next attempt. @throws as `renewed` */
export const released = <P extends Protocol>(session: VerificationSession<P>, lease: Lease): WaitingSession<P> => ({
  state: 'fetched',
  request: leasedTo(session, lease).request,
});

/** Ends a session with what its leased response came to. Its keys are no longer needed. @throws as `renewed` */
export function concluded<P extends Protocol>(
  session: VerificationSession<P>,
  lease: Lease,
  conclusion: Conclusion<P>,
): ConcludedSession<P> {
  const { request } = leasedTo(session, lease);
  return { state: 'concluded', request: { ...request, responseKey: undefined, signing: undefined }, ...conclusion };
}

/** Uses the code of a session up. @throws DomainError `Conflict` when it was used, or there is none */
export function redeemed(session: VerificationSession): ConcludedSession {
  if (session.state !== 'concluded' || session.responseCode === undefined)
    throw new DomainError('Conflict', 'The response code was used already');
  return { ...session, responseCode: undefined, shownCode: undefined };
}
