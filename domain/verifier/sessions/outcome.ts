import type { JsonObject } from '../../foundation/json.ts';
import type { SelfIssuedLogin, TokenProblem } from '../../oauth/self-issued-tokens.ts';
import type { CredentialHandle } from '../credential-handles.ts';
import type { PolicyCode } from '../policies/codes.ts';

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

/** What came of the response of a wallet. */
export interface SessionOutcome {
  /** Absent when the wallet answered with an error. */
  vpToken?: JsonObject;
  /** By query. */
  credentials?: Record<string, PresentedCredential[]>;
  results?: PolicyResults;
  /** The login of the ID token; absent when none was asked for or it is not accepted. */
  login?: SelfIssuedLogin;
  /** Absent after success. */
  failure?: SessionFailure;
  /** When the verifier received the outcome and what was presented was deleted, in milliseconds since the epoch. */
  handedOverAt?: number;
}
