import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { oauthError } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { requestedKinds } from '../configurations/requested-kinds.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceGrant } from '../issuance-grant.ts';
import {
  type CredentialChoice,
  type DeferredRequest,
  type DeliveredCredentials,
  type IssuanceOutcome,
  type Issued,
  type NonceMembers,
  nonceMembers,
  type OfferedSession,
  type PendingCredentials,
  type Redemption,
  type WalletNotification,
} from '../protocol.ts';

/** A credential offer (OpenID4VCI draft 13 §4.1.1). */
export interface CredentialOffer {
  credential_issuer: string;
  credential_configuration_ids: string[];
  grants: OfferedGrants;
}

/** What an offer says of its grant. */
interface OfferedGrants {
  authorization_code?: { issuer_state?: string };
  [OPENID4VCI.PRE_AUTHORIZED]?: {
    'pre-authorized_code': string;
    tx_code?: { input_mode: 'numeric' | 'text'; length: number; description?: string };
  };
}

/** Creates the offer of a session. */
export const createOffer = (
  { identifier }: CredentialIssuer,
  { configurationIds, grant }: OfferedSession,
): CredentialOffer => ({
  credential_issuer: identifier,
  credential_configuration_ids: configurationIds,
  grants: offeredGrants(grant),
});

function offeredGrants(grant: IssuanceGrant): OfferedGrants {
  if (grant.kind === 'authorization-code') return { authorization_code: { issuer_state: grant.issuerState } };
  const { code, txCode } = grant;
  const tx_code = txCode && { input_mode: txCode.inputMode, length: txCode.length, description: txCode.description };
  return { [OPENID4VCI.PRE_AUTHORIZED]: { 'pre-authorized_code': code, tx_code } };
}

/** Creates the URL that brings the offer of a session into a wallet, by reference (§4.1.3). */
export function createOfferUrl({ identifier }: CredentialIssuer, sessionId: string): string {
  const uri = `${identifier}/credentialOffer?id=${sessionId}`;
  return `${OPENID4VCI.OFFER_URL}?credential_offer_uri=${encodeURIComponent(uri)}`;
}

/** What an access token permits, configuration by configuration (OpenID4VCI draft 13 §6.2). */
interface AuthorizationDetail {
  type: typeof OPENID4VCI.AUTHORIZATION_DETAIL;
  credential_configuration_id: string;
  credential_identifiers: string[];
}

/** OpenID4VCI draft 13 §6.2; times are in seconds. */
export interface TokenResponse extends Partial<NonceMembers> {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  authorization_details?: AuthorizationDetail[];
}

/** Creates a token response. */
export function createTokenResponse({ accessToken, seconds, nonce, credentials }: Redemption): TokenResponse {
  const details = credentials.map(({ configurationId, identifiers }) => ({
    type: OPENID4VCI.AUTHORIZATION_DETAIL,
    credential_configuration_id: configurationId,
    credential_identifiers: identifiers,
  }));
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: seconds,
    ...(nonce !== undefined && nonceMembers({ nonce, seconds })),
    ...(details.length > 0 && { authorization_details: details }),
  };
}

/** Parses a credential request (OpenID4VCI draft 13 §7.2). */
export function parseCredentialRequest(request: JsonObject): CredentialChoice {
  const { proof, credential_identifier: identifier } = request;
  return {
    proofs: [proof],
    identifier: identifier === undefined ? undefined : String(identifier),
    select: (kinds, formats) => requestedKinds(kinds, request, formats),
    refusals: {
      unknownIdentifier: 'invalid_credential_request',
      nothingLeft: identifier === undefined ? 'unsupported_credential_type' : 'invalid_credential_request',
    },
  };
}

/** Parses a batch credential request (OpenID4VCI draft 13 §8.1). @throws DomainError `invalid_credential_request` */
export function parseBatchRequest({ credential_requests: requests }: JsonObject): CredentialChoice[] {
  if (Array.isArray(requests)) return requests.filter(isObject).map(parseCredentialRequest);
  throw oauthError('invalid_credential_request', 'credential_requests is required');
}

/** Parses a deferred credential request (OpenID4VCI draft 13 §9.1). @throws DomainError `invalid_credential_request` */
export function parseDeferredRequest({ transaction_id: id }: JsonObject): Pick<DeferredRequest, 'transactionId'> {
  if (isText(id)) return { transactionId: id };
  throw oauthError('invalid_credential_request', 'transaction_id is required');
}

/** Parses a notification request (OpenID4VCI draft 13 §10.1). @throws DomainError `invalid_notification_request` */
export function parseNotification(request: JsonObject): Omit<WalletNotification, 'accessToken'> {
  const { notification_id: notificationId, event, event_description: description } = request;
  if (!isText(notificationId) || !isText(event))
    throw oauthError('invalid_notification_request', 'notification_id and event are required');
  return { notificationId, event, description: isText(description) ? description : undefined };
}

/** What a response says of one credential (OpenID4VCI draft 13 §7.3). */
interface CredentialMembers {
  format: string;
  credential?: string;
  notification_id?: string;
  transaction_id?: string;
  /** In seconds. */
  interval?: number;
}

/** Creates a deferred credential response (§9.2). @throws DomainError `issuance_pending` (§9.3) without an outcome */
export function createDeferredResponse(outcome: DeliveredCredentials | PendingCredentials): CredentialMembers {
  if (outcome.kind === 'delivered') return credentialMembers(outcome);
  const extra = { interval: outcome.intervalSeconds };
  throw oauthError('issuance_pending', 'The credential is being made; ask again later', { extra });
}

/** A credential response; a session with nothing left to issue has no more nonces. */
type CredentialResponse<M> = M & Partial<NonceMembers>;

/** A batch credential response (OpenID4VCI draft 13 §8.2, draft 11 §8.2). */
interface BatchResponse<M> extends Partial<NonceMembers> {
  credential_responses: M[];
}

/** The creators of the responses of a draft, which says this of each outcome. */
export const responsesWith = <M>(members: (outcome: IssuanceOutcome) => M) => ({
  createCredentialResponse: ({ outcome, next }: Issued): CredentialResponse<M> => ({
    ...members(outcome),
    ...(next && nonceMembers(next)),
  }),
  createBatchResponse: ({ outcome, next }: Issued<IssuanceOutcome[]>): BatchResponse<M> => ({
    credential_responses: outcome.map(members),
    ...(next && nonceMembers(next)),
  }),
});

const credentialMembers = (outcome: IssuanceOutcome): CredentialMembers => ({
  format: outcome.format,
  ...(outcome.kind === 'delivered'
    ? { credential: outcome.credentials[0], notification_id: outcome.notificationId }
    : { transaction_id: outcome.transactionId, interval: outcome.intervalSeconds }),
});

export const { createCredentialResponse, createBatchResponse } = responsesWith(credentialMembers);
