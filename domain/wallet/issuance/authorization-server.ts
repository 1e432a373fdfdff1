import { DomainError } from '../../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../../foundation/json.ts';

/** An authorization server, as far as a wallet needs it (RFC 8414 §2); plain JSON. */
export interface AuthorizationServer {
  /** Its issuer identifier. */
  issuer: string;
  tokenEndpoint: string;
  authorizationEndpoint?: string;
  /** Where authorization requests are pushed to (RFC 9126). */
  pushEndpoint?: string;
  /** Whether its authorization responses name it (RFC 9207 §3). */
  statesIssuer: boolean;
  /** Whether requests may name the wanted credentials (RFC 9396 §10, OpenID4VCI draft 13 §6.1.1). */
  takesDetails: boolean;
  /** How clients authenticate at its token endpoint; none stated when empty. */
  authMethods: string[];
  /** Where challenges for proofs of client attestations are given (attestation-based client authentication §6). */
  challengeEndpoint?: string;
  /** Whether clients without a name may redeem pre-authorized codes (OpenID4VCI 1.0 §12.3). */
  takesAnonymousCodes: boolean;
  /** Of DPoP proofs; none where it takes no proofs (RFC 9449 §5.1). */
  dpopAlgorithms: string[];
}

/** Reads the metadata of a server. @throws DomainError `BadRequest` for that of another server, and without a token endpoint */
export function readAuthorizationServer(metadata: JsonObject, issuer: string): AuthorizationServer {
  const { issuer: named, token_endpoint: tokenEndpoint, authorization_details_types_supported: types } = metadata;
  // Issuers of drafts have the members of the server in their own metadata, without this one.
  if (named !== undefined && named !== issuer)
    throw new DomainError('BadRequest', 'The metadata is that of another authorization server');
  if (!isText(tokenEndpoint)) throw new DomainError('BadRequest', 'The authorization server names no token_endpoint');
  return {
    issuer,
    tokenEndpoint,
    ...textMember('authorizationEndpoint', metadata.authorization_endpoint),
    ...textMember('pushEndpoint', metadata.pushed_authorization_request_endpoint),
    statesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    takesDetails: asList(types).includes('openid_credential'),
    authMethods: asList(metadata.token_endpoint_auth_methods_supported).filter(isText),
    ...textMember('challengeEndpoint', metadata.challenge_endpoint),
    takesAnonymousCodes: metadata['pre-authorized_grant_anonymous_access_supported'] === true,
    dpopAlgorithms: asList(metadata.dpop_signing_alg_values_supported).filter(isText),
  };
}

const textMember = (name: string, value: unknown): Record<string, string> => (isText(value) ? { [name]: value } : {});
