import type { Random } from '../../../ports/system.ts';
import { errorDescription } from '../../oauth/error-description.ts';
import { newSecret } from '../../oauth/secrets.ts';
import type { OpenSession, SessionWebhook, V1Request, WalletRefusal } from '../protocol.ts';
import type { SessionEvent, V1Outcome, WalletReply } from './outcome.ts';
import type { EndedSession, ProtocolOf } from './rules.ts';
import type { ConcludedSession } from './session.ts';

type V1Api = ProtocolOf<'v1'>;

export const refusedBy = ({ error, description }: WalletRefusal): V1Outcome => ({
  failure: {
    type: 'wallet_error_response',
    reason: `Wallet returned OID4VP error: ${error}`,
    error,
    error_description: description,
  },
});

export const isAccepted = ({ failure }: V1Outcome): boolean => failure === undefined;

export const newCode = ({ redirects, showsCode }: V1Request, { random }: { random: Random }): string | undefined =>
  redirects.success === undefined && !showsCode ? undefined : newSecret(random);

/**
 * Whether the outcome waits for its code. The result of a flow on one device is for the browser that began it, not for an
 * attacker who had another person answer that request (OpenID4VP 1.0 §13.3).
 */
export const isWithheld = ({ isAccepted: isSuccess, request, responseCode }: ConcludedSession<V1Api>): boolean =>
  isSuccess && responseCode !== undefined && (request.flow === 'same_device' || request.showsCode === true);

export const receiver = ({ request }: OpenSession<V1Api>): SessionWebhook | undefined => request.webhook;

export function stepsOf({ failure }: V1Outcome): SessionEvent[] {
  if (failure?.type === 'wallet_error_response') return ['wallet_error_response_received'];
  const parsed: SessionEvent[] = ['parsed_presentation_available', 'presentation_validation_available'];
  if (failure?.type === 'presentation_validation' || failure?.type === 'id_token_validation')
    return [...parsed, 'presentation_validation_failed'];
  parsed.push('validated_credentials_available');
  if (failure?.type === 'dcql_fulfillment') return [...parsed, 'dcql_fulfillment_check_failed'];
  return [...parsed, 'presentation_fulfils_dcql_query', 'credential_policy_results_available'];
}

export function replyTo({ value: { request, outcome } }: EndedSession<V1Api>, code: string | undefined): WalletReply {
  const { success, error } = request.redirects;
  const { failure } = outcome;
  if (!failure) {
    const redirectUri = success === undefined || code === undefined ? success : withCode(success, code);
    return { kind: 'taken', status: 'received', redirectUri };
  }
  if (failure.type === 'wallet_error_response') return { kind: 'taken', status: 'acknowledged', redirectUri: error };
  const description = errorDescription(failure.reason).slice(0, MAX_DESCRIPTION);
  return { kind: 'rejected', error: 'invalid_request', description, redirectUri: error };
}

const MAX_DESCRIPTION = 1024;

/** Adds the code to the query of a URL; the fragment stays at the end. */
function withCode(uri: string, code: string): string {
  const url = new URL(uri);
  url.searchParams.append('response_code', code);
  return url.href;
}
