import type { Handover, ParsedCredential, ParsedPresentation } from '../../ports/credential-formats.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { CompiledQuery, Match } from '../presentation/matching/compiled-query.ts';
import type { PresentationQuery, ResponseTexts } from '../presentation/query.ts';
import type { VerifierTrust } from '../trust/verifier-trust.ts';
import type { PolicyRequest } from './policies/policy.ts';

/** Policies of one query; they replace the global ones for it. */
export interface BoundPolicies {
  /** The query they are bound to; when there is none of this id, they apply to every credential. */
  queryId: string;
  policies: readonly PolicyRequest[];
}

/** What responses are verified against, whichever protocol and session they come with. */
export interface VerificationTask {
  query: PresentationQuery;
  nonce: string;
  /** The verifier that a presentation must be meant for. */
  audience: string;
  /** Policies of each presentation, as `readPolicies` reads them; those that must always hold run besides. */
  vpPolicies: readonly PolicyRequest[];
  /** Policies of each credential for whose queries there are no others. */
  vcPolicies: readonly PolicyRequest[];
  ownPolicies: readonly BoundPolicies[];
  /** Whether the presenter must be the holder of every credential whose queries do not waive it, listed or not. */
  needsHolder?: boolean;
  /** Certificates of authorities in PEM that are trusted besides those of the configuration, as `readRoots` reads them. */
  trustedRoots?: readonly string[];
  /** Whom the verifier believes besides; `NO_OWN_TRUST` when absent. */
  trust?: VerifierTrust;
  /** The transactions to be authorized, as the request has them: JSON in base64url (OpenID4VP 1.0 §5.1). */
  transactionData?: readonly string[];
}

/** A response of a wallet, unread. */
export interface ReceivedResponse extends ResponseTexts {
  /** What the session transcripts of this response are made for; absent when the request asks for no such format. */
  handover?: Handover;
}

/** A presentation of a response. */
export interface SubmittedPresentation {
  parsed: ParsedPresentation;
  /** The queries that the wallet presents its credentials for. */
  queryIds: readonly string[];
}

/** A parsed response of a wallet, matched with the query. */
export interface Submission {
  presentations: readonly SubmittedPresentation[];
  /** The credentials of all presentations, as matches count them. */
  credentials: readonly ParsedCredential[];
  /** The parameter that names the queries: the submission, or the `vp_token` of DCQL. */
  document: JsonObject;
  /** The `vp_token` as JSON. */
  token: unknown;
  handover?: Handover;
  query: CompiledQuery;
  matches: readonly Match[];
}
