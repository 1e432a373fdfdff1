import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { at, DomainError, oauthError, replacing } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type {
  CredentialChoice,
  DeliveredCredentials,
  ItemKind,
  OfferedSession,
  PendingCredentials,
  Redemption,
} from '../protocol.ts';
import {
  createDeferredResponse as createDraft13Deferred,
  createTokenResponse as createDraft13Token,
  parseBatchRequest as parseDraft13Batch,
  parseCredentialRequest as parseDraft13Credential,
  responsesWith,
  type TokenResponse,
} from './draft13.ts';
import {
  type TokenRequest as Draft13TokenRequest,
  type ParsedTokenRequest,
  parseTokenRequest as parseDraft13Token,
} from './token-requests.ts';

/** A credential by its format and type (draft 11 §4.1.1, appendix E). */
interface DescribedCredential {
  format: string;
  types?: string[];
  doctype?: string;
}

/** A credential offer (OpenID4VCI draft 11 §4.1.1). */
interface CredentialOffer {
  credential_issuer: string;
  /** Ids of the metadata, or descriptions by format and type. */
  credentials: (string | DescribedCredential)[];
  grants: {
    authorization_code?: { issuer_state?: string };
    [OPENID4VCI.PRE_AUTHORIZED]?: { 'pre-authorized_code': string; user_pin_required: boolean };
  };
}

/** Creates the offer of a session. */
export const createOffer = (
  { identifier }: CredentialIssuer,
  { configurationIds, describesCredentials, plan, grant }: OfferedSession,
): CredentialOffer => ({
  credential_issuer: identifier,
  credentials: describesCredentials ? plan.kinds.map(described) : configurationIds,
  grants:
    grant.kind === 'authorization-code'
      ? { authorization_code: { issuer_state: grant.issuerState } }
      : {
          [OPENID4VCI.PRE_AUTHORIZED]: {
            'pre-authorized_code': grant.code,
            user_pin_required: grant.txCode !== undefined,
          },
        },
});

const described = ({ format, type, types: [types] }: ItemKind): DescribedCredential =>
  type === undefined ? { format, types } : { format, doctype: type };

/** A token request (draft 11 §6.1); other members are ignored. */
interface TokenRequest extends Omit<Draft13TokenRequest, 'tx_code' | 'authorization_details'> {
  user_pin?: string;
}

/** Parses a token request. @throws DomainError with a code of RFC 6749 §5.2 */
export const parseTokenRequest = ({ user_pin, ...request }: TokenRequest): ParsedTokenRequest =>
  parseDraft13Token({ ...request, tx_code: user_pin, authorization_details: undefined });

/** Creates a token response (draft 11 §6.2), which says nothing of what the token permits. */
export const createTokenResponse = (redemption: Redemption): TokenResponse =>
  createDraft13Token({ ...redemption, credentials: [] });

/** Draft 11 names credentials by format and type only (§7.2). */
const byType = ({ credential_identifier: _, credential_configuration_id: __, ...request }: JsonObject): JsonObject =>
  request;

/** Parses a credential request (draft 11 §7.2). */
export const parseCredentialRequest = (request: JsonObject): CredentialChoice =>
  parseDraft13Credential(byType(request));

/** Parses a batch credential request (draft 11 §8.1). @throws DomainError `invalid_credential_request` */
export const parseBatchRequest = ({ credential_requests: requests }: JsonObject): readonly CredentialChoice[] =>
  parseDraft13Batch({
    credential_requests: Array.isArray(requests) ? requests.filter(isObject).map(byType) : undefined,
  });

/** What a response says of one credential (draft 11 §7.3). */
interface CredentialMembers {
  format: string;
  credential?: string;
  /** What the wallet asks with at the deferred credential endpoint. */
  acceptance_token?: string;
}

/** Creates a deferred credential response (draft 11 §9.1). @throws DomainError `issuance_pending` while there is no credential */
export function createDeferredResponse(outcome: DeliveredCredentials | PendingCredentials): CredentialMembers {
  const { format, credential } = createDraft13Deferred(outcome);
  return { format, credential };
}

export const { createCredentialResponse, createBatchResponse } = responsesWith(
  (outcome): CredentialMembers => ({
    format: outcome.format,
    ...(outcome.kind === 'delivered'
      ? { credential: outcome.credentials[0] }
      : { acceptance_token: outcome.transactionId }),
  }),
);

/** The codes of draft 11 (§7.3.1, §9.2) for what later drafts name otherwise. */
const CODES: Readonly<Record<string, string>> = {
  invalid_credential_request: 'invalid_request',
  invalid_proof: 'invalid_or_missing_proof',
  invalid_transaction_id: 'invalid_token',
};

/** Answers a request of draft 11: what goes wrong has its names. */
export const inDraft11 = <T>(work: () => Promise<T>): Promise<T> =>
  at({ tx_code: ['user_pin'] }, work).catch(replacing(undefined, named));

function named(error: DomainError): DomainError {
  const code = CODES[error.oauthError ?? ''] ?? error.oauthError;
  if (code === 'invalid_token') return oauthError(code, error.message, { cause: error });
  return new DomainError(error.code, error.message, { ...error, cause: error.cause, oauthError: code });
}
