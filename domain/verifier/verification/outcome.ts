import type { JsonObject } from '../../foundation/json.ts';
import type { SelfIssuedLogin, TokenProblem } from '../../oauth/self-issued-tokens.ts';
import type { PolicyCode } from '../policies/codes.ts';
import type { Protocol } from '../protocol.ts';
import type { CredentialResult } from './evaluation.ts';
import type { CredentialHandle } from './handles.ts';

/** One line of a result of a policy on a credential. */
export interface CredentialPolicyResult {
  policy: { policy: string; args?: unknown };
  success: boolean;
  /** Why, for programs and for people. */
  code: PolicyCode;
  reason: string;
  result?: unknown;
  error?: unknown;
  /** The query that the credential was presented for, and its place among the credentials for it. */
  query_id: string;
  credential_index: number;
}

/** The outcome of one check of a presentation. */
export interface PresentationCheckResult {
  success: boolean;
  errors: { error: PolicyCode; message: string }[];
}

/** The results of all policies of a session, as its creator sees them. */
export interface PolicyResults {
  /** By query, then by the name of the check. */
  vp_policies: Record<string, Record<string, PresentationCheckResult>>;
  vc_policies: CredentialPolicyResult[];
  specific_vc_policies: Record<string, CredentialPolicyResult[]>;
  overallSuccess: boolean;
}

/** Which queries a response left unanswered. */
export interface QueryShortfall {
  missing_query_ids: string[];
  unsatisfied_sets: { options: string[][] }[];
  successfully_validated_query_ids: string[];
}

/** Why a session failed. */
export type SessionFailure =
  | { type: 'presentation_validation'; reason: string; failed_policies: string[] }
  | { type: 'dcql_fulfillment'; reason: string; failure: QueryShortfall }
  | { type: 'vc_policy_violations'; reason: string; violations: CredentialPolicyResult[] }
  | { type: 'id_token_validation'; reason: string; code: TokenProblem }
  | { type: 'wallet_error_response'; reason: string; error: string; error_description?: string; state?: string };

/** A presented credential as the session's creator sees it. */
export interface PresentedCredential extends CredentialHandle {
  /** What the holder showed; absent when it was deleted. */
  claims?: JsonObject;
}

/** What came of a response by OpenID4VP 1.0, or for its query. */
export interface V1Outcome extends Purgeable {
  /** Absent when the wallet answered with an error. */
  vpToken?: JsonObject;
  /** By query. */
  credentials?: Record<string, PresentedCredential[]>;
  results?: PolicyResults;
  /** The login of the ID token; absent when none was asked for or it is not accepted. */
  login?: SelfIssuedLogin;
  /** Absent after success. */
  failure?: SessionFailure;
}

/** What came of a response of the drafts. */
export interface Draft20Outcome extends Purgeable {
  /** What the wallet sent. */
  tokenResponse: JsonObject;
  /** In the order of `inOrder`; absent when the wallet sent an error instead of a presentation. */
  results?: CredentialResult[];
  /** Milliseconds the policies took. */
  tookMs: number;
  /** Of the presented credentials; absent when the wallet sent an error. */
  handles?: CredentialHandle[];
}

interface Purgeable {
  /** When the verifier read the outcome and what was presented was deleted, in milliseconds since the epoch. */
  purgedAt?: number;
}

interface Outcomes {
  draft20: Draft20Outcome;
  v1: V1Outcome;
  'iso-dc-api': V1Outcome;
  exchange: V1Outcome;
}

/** What came of the response of a wallet, as its protocol shows it. */
export type SessionOutcome<P extends Protocol = Protocol> = Outcomes[P];

/** The steps of a verification (reference: events of sessions). */
export type SessionEvent =
  | 'authorization_request_requested'
  | 'attempted_presentation'
  | 'parsed_presentation_available'
  | 'presentation_validation_available'
  | 'validated_credentials_available'
  | 'presentation_fulfils_dcql_query'
  | 'credential_policy_results_available'
  | 'presentation_validation_failed'
  | 'dcql_fulfillment_check_failed'
  | 'wallet_error_response_received'
  | 'data_retention_purge';

/**
 * What a wallet is answered (OpenID4VP 1.0 §8.2, draft 20 §6.2); where it began the verification itself, and brings a
 * code or an error back, by the URL to call.
 */
export type WalletReply =
  | { kind: 'taken'; status: 'received' | 'acknowledged'; redirectUri?: string }
  | { kind: 'rejected'; error: string; description: string; redirectUri?: string }
  | { kind: 'redirect'; location: string };
