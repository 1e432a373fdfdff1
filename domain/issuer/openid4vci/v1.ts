import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { oauthError } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { PROOF_TYPES } from '../configurations/proof-types.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { CredentialChoice, IssuanceOutcome, ItemKind, PendingCredentials, Redemption } from '../protocol.ts';
import {
  type CredentialOffer,
  createTokenResponse as createDraft13Response,
  type TokenResponse as Draft13Response,
} from './draft13.ts';

/** The most keys of one credential request where the operator states no other number. */
const BATCH_SIZE = 20;

/** The most keys of one credential request (OpenID4VCI 1.0 §12.2.4, `batch_size`). */
export const batchSizeOf = ({ batchSize = BATCH_SIZE }: CredentialIssuer): number => batchSize;

/**
 * Creates the URL that brings the offer of a session into a wallet, by reference (OpenID4VCI 1.0 §4.1.3); the offer itself
 * has the members of draft 13.
 */
export function createOfferUrl({ identifier }: CredentialIssuer, sessionId: string): string {
  const uri = `${identifier}/credential-offer?id=${sessionId}`;
  return `${OPENID4VCI.OFFER_URL}?credential_offer_uri=${encodeURIComponent(uri)}`;
}

/** Creates the URL that has an offer in it (§4.1.2). */
export const createValueUrl = (offer: CredentialOffer): string =>
  `${OPENID4VCI.OFFER_URL}?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`;

/** A token response (§6.2, RFC 6749 §5.1, RFC 9449 §5). */
interface TokenResponse extends Omit<Draft13Response, 'token_type'> {
  token_type: 'bearer' | 'DPoP';
  refresh_token?: string;
  scope?: string;
}

/** Creates a token response. */
export const createTokenResponse = (redemption: Redemption): TokenResponse => ({
  ...createDraft13Response(redemption),
  token_type: redemption.isBound ? 'DPoP' : 'bearer',
  ...(redemption.refreshToken !== undefined && { refresh_token: redemption.refreshToken }),
  ...(redemption.scopes && { scope: redemption.scopes.join(' ') }),
});

/** Parses a credential request (§8.2). @throws DomainError with a code of §8.3.1.2 */
export function parseCredentialRequest(request: JsonObject, issuer: CredentialIssuer): CredentialChoice {
  const { credential_configuration_id: configurationId, credential_identifier: identifier } = request;
  if (isText(configurationId) === isText(identifier))
    throw invalid('exactly one of credential_configuration_id and credential_identifier is required');
  return {
    proofs: parseProofs(request.proofs, batchSizeOf(issuer)),
    identifier: isText(identifier) ? identifier : undefined,
    select: (kinds) => kindsOf(kinds, configurationId),
    refusals: { unknownIdentifier: 'unknown_credential_identifier', nothingLeft: 'credential_request_denied' },
  };
}

const invalid = (text: string) => oauthError('invalid_credential_request', text);

/** The proofs, each as draft 13 sends one; all are of one type (appendix F). */
function parseProofs(proofs: unknown, batchSize: number): JsonObject[] {
  const [given, ...others] = isObject(proofs) ? Object.keys(proofs) : [];
  if (!isObject(proofs) || given === undefined) throw oauthError('invalid_proof', 'proofs: is required');
  if (others.length > 0) throw oauthError('invalid_proof', 'proofs: must have exactly one type of proof');
  const type = PROOF_TYPES.find((one) => one === given);
  if (!type) throw oauthError('invalid_proof', `proofs: the type must be one of ${PROOF_TYPES.join(', ')}`);
  const list = proofs[type];
  const most = type === 'attestation' ? 1 : batchSize;
  if (!Array.isArray(list) || list.length < 1 || list.length > most)
    throw oauthError('invalid_proof', `proofs.${type}: 1 to ${most} proofs are required`);
  return list.map((one: unknown) => ({ proof_type: type, [type]: one }));
}

function kindsOf(kinds: readonly ItemKind[], wanted: unknown): ItemKind[] {
  const found = kinds.filter(({ configurationId }) => configurationId === wanted);
  if (found.length > 0) return found;
  const description = 'credential_configuration_id: nothing of this configuration was offered';
  throw oauthError('unknown_credential_configuration', description);
}

/** A response with the credentials (§8.3, §9.2). */
interface CredentialResponse {
  credentials: { credential: string }[];
  notification_id: string;
}

/** A response that promises the credentials (§8.3, §9.2). */
interface DeferredResponse {
  transaction_id: string;
  /** In seconds. */
  interval: number;
}

/** A response and its status. */
export type StatedResponse = { status: 200; body: CredentialResponse } | { status: 202; body: DeferredResponse };

/** Creates a response. */
export function createCredentialResponse(outcome: IssuanceOutcome): StatedResponse {
  if (outcome.kind === 'deferred') return deferredResponse(outcome.transactionId, outcome);
  const credentials = outcome.credentials.map((credential) => ({ credential }));
  return { status: 200, body: { credentials, notification_id: outcome.notificationId } };
}

/** Creates the response while the credentials are not ready. */
export const deferredResponse = (
  transactionId: string,
  { intervalSeconds: interval }: Pick<PendingCredentials, 'intervalSeconds'>,
): StatedResponse => ({ status: 202, body: { transaction_id: transactionId, interval } });
