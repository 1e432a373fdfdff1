import { DomainError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { PresentationDefinition } from '../presentation/definition.ts';
import type { PolicyRequest, PolicyResult } from './policies/policy.ts';

/** The policies of one requested element; bound to a descriptor, they replace the global ones for it. */
export interface OwnPolicies {
  /** The place of the requested credential in `request_credentials`. */
  index: number;
  /** The descriptor they are bound to; when the definition has none of this id, they are for every credential. */
  descriptorId: string;
  policies: PolicyRequest[];
}

/** What a verifier asked for and how it wants to hear of the result; never changes. */
export interface VerificationRequest {
  definition: PresentationDefinition;
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

interface Verifying {
  state: 'verifying';
  request: VerificationRequest;
  /** Until then (ms since the epoch) the claim holds; after it, whoever claimed is taken to be dead. */
  claimedUntil: number;
}

interface Concluded {
  state: 'verified' | 'failed';
  request: VerificationRequest;
  outcome: VerificationOutcome;
}

/** A verification session: created → verifying → verified or failed. */
export type VerificationSession = Created | Verifying | Concluded;

/** How long one submission may take, in milliseconds: longer than all its outbound calls together. */
export const CLAIM_MS = 30_000;

/** Opens a session for a request. */
export const created = (request: VerificationRequest): Created => ({ state: 'created', request });

/** Claims the one presentation of a session. @throws DomainError `Conflict` when it was used, or is being used now */
export function claimed(session: VerificationSession, now: number): Verifying {
  const { state, request } = session;
  if (state === 'verified' || state === 'failed')
    throw new DomainError('Conflict', 'This session has received its presentation');
  if (state === 'verifying' && now < session.claimedUntil)
    throw new DomainError('Conflict', 'A presentation for this session is being verified');
  return { state: 'verifying', request, claimedUntil: now + CLAIM_MS };
}

/** Gives a claim back: nothing was decided. */
export const released = ({ request }: Verifying): Created => created(request);

/** Ends a session with what came out. */
export const concluded = ({ request }: Verifying, outcome: VerificationOutcome): Concluded => ({
  state: isSuccess(outcome) ? 'verified' : 'failed',
  request,
  outcome,
});

const isSuccess = ({ results }: VerificationOutcome): boolean =>
  results?.every(({ policies }) => policies.every((policy) => policy.is_success)) === true;
