import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { busy, isLeased, type Lease } from '../foundation/lease.ts';
import type { PresentationQuery } from '../presentation/query.ts';
import type { PolicyRequest, PolicyResult } from './policies/policy.ts';

/** The policies of one requested credential; they replace the global ones for its query. */
export interface OwnPolicies {
  /** The index of the requested credential in the request. */
  index: number;
  /** The query they are bound to; when there is none of this id, they apply to every credential. */
  queryId: string;
  policies: PolicyRequest[];
}

/** What a verifier asked for and how it wants to hear of the result; never changes. */
export interface VerificationRequest {
  query: PresentationQuery;
  nonce: string;
  /** Where wallets answer, and whom presentations must be meant for. */
  responseUri: string;
  vpPolicies: PolicyRequest[];
  vcPolicies: PolicyRequest[];
  ownPolicies: OwnPolicies[];
  successRedirectUri?: string;
  errorRedirectUri?: string;
  statusCallbackUri?: string;
  /** A secret: sent with the callback, shown nowhere. */
  statusCallbackApiKey?: string;
}

/** The results of one credential; the first is that of the presentation. */
export interface CredentialResult {
  credential: string;
  policies: PolicyResult[];
}

/** What became of a presentation. */
export interface VerificationOutcome {
  /** What the wallet sent. */
  tokenResponse: JsonObject;
  /** Absent when the wallet sent an error instead of a presentation. */
  results?: CredentialResult[];
  /** Milliseconds the policies took. */
  tookMs: number;
}

interface Created {
  state: 'created';
  request: VerificationRequest;
}

/** A session whose one presentation is being verified. */
export interface Verifying {
  state: 'verifying';
  request: VerificationRequest;
  lease: Lease;
}

interface Concluded {
  state: 'verified' | 'failed';
  request: VerificationRequest;
  outcome: VerificationOutcome;
}

/** A verification session: created → verifying → verified or failed. */
export type VerificationSession = Created | Verifying | Concluded;

/** Opens a session for a request. */
export const created = (request: VerificationRequest): Created => ({ state: 'created', request });

/** Checks that a session takes a presentation. @throws DomainError `Conflict` when it has one, `Busy` while one is verified */
export function checkFree(session: VerificationSession, now: number): void {
  if (session.state === 'verified' || session.state === 'failed')
    throw new DomainError('Conflict', 'This session has received its presentation');
  if (session.state === 'verifying' && isLeased(session.lease, now)) throw busy(session.lease, now);
}

/** Leases a session to the request that brings its one presentation. @throws DomainError as `checkFree` */
export function leased(session: VerificationSession, lease: Lease, now: number): Verifying {
  checkFree(session, now);
  return { state: 'verifying', request: session.request, lease };
}

/** Prolongs the lease. */
export const renewed = (session: Verifying, until: number): Verifying => ({
  ...session,
  lease: { ...session.lease, until },
});

/** Gives the session back: nothing was decided. */
export const released = ({ request }: Verifying): Created => created(request);

/** Ends a session with what came out. */
export const concluded = (
  { request }: Pick<VerificationSession, 'request'>,
  outcome: VerificationOutcome,
): Concluded => ({
  state: isSuccess(outcome) ? 'verified' : 'failed',
  request,
  outcome,
});

const isSuccess = ({ results }: VerificationOutcome): boolean =>
  results?.every(({ policies }) => policies.every((policy) => policy.is_success)) === true;
