import type { JsonObject } from '../foundation/json.ts';
import { isoDuration } from '../foundation/time.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import type { PolicyResult } from './policies/policy.ts';
import type { CredentialResult, VerificationSession } from './verification-session.ts';

/** One credential's results; clients look for the list under both names. */
interface CredentialResultView extends CredentialResult {
  policyResults: PolicyResult[];
}

/** A session as its verifier sees it, by request and by callback (interface: Verification result). */
export interface SessionView {
  id: string;
  presentationDefinition: PresentationDefinition;
  tokenResponse?: JsonObject;
  verificationResult?: boolean;
  policyResults?: { results: CredentialResultView[]; time: string; policiesRun: number };
}

/** Shows a session; without a result until a wallet has answered, and never with the callback's key. */
export function sessionView(id: string, session: VerificationSession): SessionView {
  const view = { id, presentationDefinition: session.request.query.definition };
  if (!('outcome' in session)) return view;
  const { tokenResponse, results, tookMs } = session.outcome;
  const policyResults = results && {
    results: results.map(({ credential, policies }) => ({ credential, policies, policyResults: policies })),
    time: isoDuration(tookMs),
    policiesRun: results.reduce((sum, { policies }) => sum + policies.length, 0),
  };
  const verificationResult = session.state === 'verified';
  return { ...view, tokenResponse, verificationResult, ...(policyResults && { policyResults }) };
}
