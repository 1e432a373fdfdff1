import type { PublicJwk } from '../../../ports/key-service.ts';
import type { RequestedDocument } from '../../../ports/mdoc-requests.ts';
import { DomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { busy, isLeased, type Lease } from '../../foundation/lease.ts';
import type { MessageKey } from '../../keys/message-keys.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import type { RequestKeyHeader } from '../request-object.ts';
import { leasedTo } from '../response-leases.ts';
import type { SessionOutcome } from './outcome.ts';
import type { SessionPolicies } from './session-policies.ts';

/** How the request reaches the wallet and the response comes back. */
export type SessionFlow = 'cross_device' | 'same_device' | 'dc_api_openid4vp' | 'dc_api_18013_7';

/** Modes of responses (OpenID4VP 1.0 §8.2, §8.3.1, annex A.2). */
export type ResponseMode = 'direct_post' | 'direct_post.jwt' | 'dc_api' | 'dc_api.jwt';

/** Where the events of a session are sent. */
export interface SessionWebhook {
  url: string;
  /** A secret: the value of the header `Authorization`. */
  authorization?: string;
}

/** Where the wallet sends the user after its response. */
export interface SessionRedirects {
  success?: string;
  error?: string;
}

/** The key that signs the requests of a session. */
export interface SessionSigning {
  /** The reference of a key, a secret; absent when it is read again for each signature. */
  key?: JsonObject;
  /** The verifier's own key, which its owner can remove while the session waits. */
  ownKey?: PublicJwk;
  /** Its JOSE algorithm. */
  alg: string;
  header: RequestKeyHeader;
}

/** The self-issued ID token that a session asks for beside presentations (SIOPv2 draft 13 §9). */
export interface SessionLogin {
  scope: string;
  /** The `id_token_type`. */
  tokenType: string;
  /** The only JOSE algorithm that is accepted; absent when any is. */
  signingAlg?: string;
}

/** What a request of the protocol `org-iso-mdoc` consists of (ISO/IEC TS 18013-7:2025 annex C). */
export interface MdocSessionRequest {
  documents: RequestedDocument[];
  /** As the wallet gets it: the session's key and nonce. */
  encryptionInfo: string;
}

/** What a session asks of a wallet, and how; never changes. */
export interface SessionRequest {
  /** The id of the verifier. */
  verifierId: string;
  flow: SessionFlow;
  /** Whether the rules of HAIP 1.0 hold. */
  isHaip: boolean;
  /** A secret of its own: the id in the URLs for the wallet. */
  requestId: string;
  /** Repeated by the wallet; absent over the Digital Credentials API. */
  state?: string;
  nonce: string;
  /** Absent in unsigned requests over the Digital Credentials API, whose client is the page. */
  clientId?: string;
  responseUri?: string;
  /** The URL above the two endpoints of the session. */
  endpointUrl: string;
  responseMode: ResponseMode;
  isSigned: boolean;
  /** The start of the link for the wallet; absent over the Digital Credentials API. */
  walletUrl?: string;
  query: DcqlQuery;
  /** The query as its caller wrote it, which is what the wallet gets. */
  dcqlQuery: JsonObject;
  clientMetadata: JsonObject;
  /** Of the flow `dc_api_18013_7` alone. */
  mdocs?: MdocSessionRequest;
  expectedOrigins?: string[];
  /** Absent when presentations alone are asked for. */
  login?: SessionLogin;
  /** Each in base64url. */
  transactionData?: string[];
  verifierInfo?: JsonObject[];
  /** Absent after the response. */
  signing?: SessionSigning;
  /** A secret; absent when responses are not encrypted, and after the response. */
  responseKey?: MessageKey;
  policies: SessionPolicies;
  redirects: SessionRedirects;
  webhook?: SessionWebhook;
  /** The end of the request in milliseconds since the epoch. */
  expiresAt: number;
}

/** A session without a response; `in-use` when a wallet has fetched its request. */
export interface WaitingSession {
  state: 'unused' | 'in-use';
  request: SessionRequest;
}

/** A session whose response is being verified. */
export interface ProcessingSession {
  state: 'processing';
  request: SessionRequest;
  lease: Lease;
}

/** A session with its outcome. */
export interface ConcludedSession {
  state: 'successful' | 'failed';
  request: SessionRequest;
  outcome: SessionOutcome;
  /** The SHA-256 of the code that the user's browser brings; absent without a redirect, or once it was used. */
  responseCode?: string;
}

/** A session of OpenID4VP 1.0: unused → in use → processing → successful or failed. */
export type PresentationSession = WaitingSession | ProcessingSession | ConcludedSession;

/** Notes that a wallet fetched the request. */
export const fetched = (session: PresentationSession): PresentationSession =>
  session.state === 'unused' ? { ...session, state: 'in-use' } : session;

/** Checks that a session accepts a response. @throws DomainError `Conflict` after another one, `Busy` during one */
export function checkFree(session: PresentationSession, now: number): void {
  if (session.state === 'successful' || session.state === 'failed')
    throw new DomainError('Conflict', 'The session has already received a response');
  if (session.state === 'processing' && isLeased(session.lease, now)) throw busy();
}

/** Leases a session to the request with its response. @throws DomainError as `checkFree` */
export function claimed(session: PresentationSession, lease: Lease, now: number): ProcessingSession {
  checkFree(session, now);
  return { state: 'processing', request: session.request, lease };
}

/** Ends the lease without an outcome, for the wallet's next attempt. @throws as `leasedTo` */
export const released = (session: PresentationSession, lease: Lease): WaitingSession => ({
  state: 'in-use',
  request: leasedTo(session, lease).request,
});

/** What the leased response came to. */
export interface Conclusion {
  outcome: SessionOutcome;
  responseCode?: string;
}

/** Ends a session. Its keys are no longer needed. @throws as `leasedTo` */
export function concluded(session: PresentationSession, lease: Lease, conclusion: Conclusion): ConcludedSession {
  const { responseKey: _, signing: __, ...request } = leasedTo(session, lease).request;
  return { state: conclusion.outcome.failure ? 'failed' : 'successful', request, ...conclusion };
}

/** Uses the code of a session up. @throws DomainError `Conflict` when it was used, or there is none */
export function redeemed(session: PresentationSession): ConcludedSession {
  if (!('responseCode' in session) || session.responseCode === undefined)
    throw new DomainError('Conflict', 'The response code was used already');
  const { responseCode: _, ...rest } = session;
  return rest;
}
