import type { FormatName } from '../../ports/credential-formats.ts';
import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { busy, isLeased, type Lease } from '../foundation/lease.ts';
import type { MessageKey } from '../keys/message-keys.ts';
import type { PresentationQuery } from '../presentation/query.ts';
import type { CredentialHandle } from './credential-handles.ts';
import type { ProfileName, ResponseMode } from './openid4vp/draft20-profiles.ts';
import type { CredentialResult } from './presentation-evaluation.ts';
import { leasedTo } from './response-leases.ts';
import type { BoundPolicies, VerificationTask } from './verification-task.ts';

/** The policies of one requested credential. */
export interface OwnPolicies extends BoundPolicies {
  /** The index of the requested credential in the request. */
  index: number;
}

/** What a verifier requested and where it wants the result; never changes. */
export interface VerificationRequest extends VerificationTask {
  /** The id of the `VerifierProfile`. */
  verifierId: string;
  query: PresentationQuery<'presentation-exchange'>;
  /** The name of the verifier in the request. */
  clientId: string;
  /** The URL that wallets post their responses to. */
  responseUri: string;
  /** `DEFAULT` when absent, as in the versions before 0.7.0. */
  requestProfile?: ProfileName;
  /** `direct_post` when absent. */
  responseMode?: ResponseMode;
  /** The formats of presentations that can satisfy the query. */
  formats?: FormatName[];
  /** A secret: what encrypted responses are encrypted to; present with `direct_post.jwt`. */
  responseKey?: MessageKey;
  /** The authorization request of a wallet that asked for this one; its answer is a redirect. */
  startedByWallet?: { state?: string };
  ownPolicies: OwnPolicies[];
  successRedirectUri?: string;
  errorRedirectUri?: string;
  statusCallbackUri?: string;
  /** A secret: sent with the callback, shown nowhere. */
  statusCallbackApiKey?: string;
}

/** The outcome of a wallet's response. */
export interface VerificationOutcome {
  /** What the wallet sent. */
  tokenResponse: JsonObject;
  /** In the order of `inOrder`; absent when the wallet sent an error instead of a presentation. */
  results?: CredentialResult[];
  /** Milliseconds the policies took. */
  tookMs: number;
  /** Of the presented credentials; absent in sessions of versions before 0.8.0. */
  handles?: CredentialHandle[];
  /** When the verifier received the outcome and what was presented was deleted, in milliseconds since the epoch. */
  handedOverAt?: number;
}

/** A session that waits for its response. */
export interface CreatedSession {
  state: 'created';
  request: VerificationRequest;
}

/** A session whose response is being verified. */
export interface VerifyingSession {
  state: 'verifying';
  request: VerificationRequest;
  lease: Lease;
}

/** A session with its result. */
export interface ConcludedSession {
  state: 'verified' | 'failed';
  request: VerificationRequest;
  outcome: VerificationOutcome;
}

/** A verification session: created → verifying → verified or failed. */
export type VerificationSession = CreatedSession | VerifyingSession | ConcludedSession;

/** Creates the session of a request. */
export const created = (request: VerificationRequest): CreatedSession => ({ state: 'created', request });

/** Checks that a session accepts a response. @throws DomainError `Conflict` when it has one, `Busy` while one is verified */
export function checkFree(session: VerificationSession, now: number): void {
  if (session.state === 'verified' || session.state === 'failed')
    throw new DomainError('Conflict', 'The session has already received a presentation');
  if (session.state === 'verifying' && isLeased(session.lease, now)) throw busy();
}

/** Leases a session to the request with its response. @throws DomainError as `checkFree` */
export function leased(session: VerificationSession, lease: Lease, now: number): VerifyingSession {
  checkFree(session, now);
  return { state: 'verifying', request: session.request, lease };
}

/** Ends the lease without a result. @throws as `leasedTo` */
export const released = (session: VerificationSession, lease: Lease): CreatedSession =>
  created(leasedTo(session, lease).request);

/** Ends the session with the outcome of the leased response. @throws as `leasedTo` */
export function concluded(session: VerificationSession, lease: Lease, outcome: VerificationOutcome): ConcludedSession {
  const { request } = leasedTo(session, lease);
  return { state: isSuccess(outcome) ? 'verified' : 'failed', request, outcome };
}

const isSuccess = ({ results }: VerificationOutcome): boolean =>
  results?.every(({ policies }) => policies.every((policy) => policy.is_success)) === true;
