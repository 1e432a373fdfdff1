import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { CODE_CHALLENGE_METHOD } from '../../oauth/pkce.ts';
import { claimTree } from '../configurations/claim-descriptions.ts';
import type { ClaimDescription, CredentialConfiguration } from '../credential-configuration.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';

/** Authorization server metadata (RFC 8414, RFC 9126 §5, RFC 9207 §3, OpenID4VCI draft 13 §11.3). */
export interface AuthorizationServerDocument {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  grant_types_supported: string[];
  response_types_supported: string[];
  [member: string]: unknown;
}

/** OpenID Connect Discovery 1.0 §3, for clients that look there for the authorization server. */
interface OpenidProviderDocument extends AuthorizationServerDocument {
  subject_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
}

/** Issuer metadata (OpenID4VCI draft 13 §11.2.3); it repeats the authorization server's for wallets that read only this. */
interface IssuerDocument extends AuthorizationServerDocument {
  credential_issuer: string;
  credential_endpoint: string;
  batch_credential_endpoint: string;
  deferred_credential_endpoint: string;
  notification_endpoint: string;
  credential_configurations_supported: Record<string, JsonObject>;
}

const jwksUri = ({ identifier }: CredentialIssuer): string => `${identifier}/jwks`;

/** Creates the authorization server metadata of an issuer. */
export const authorizationServerDocument = (issuer: CredentialIssuer): AuthorizationServerDocument => ({
  issuer: issuer.identifier,
  authorization_endpoint: `${issuer.identifier}/authorize`,
  pushed_authorization_request_endpoint: `${issuer.identifier}/par`,
  require_pushed_authorization_requests: issuer.policy?.requiresPar === true,
  token_endpoint: `${issuer.identifier}/token`,
  jwks_uri: jwksUri(issuer),
  grant_types_supported: [OPENID4VCI.AUTHORIZATION_CODE, OPENID4VCI.PRE_AUTHORIZED],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  code_challenge_methods_supported: [CODE_CHALLENGE_METHOD],
  authorization_response_iss_parameter_supported: true,
  authorization_details_types_supported: [OPENID4VCI.AUTHORIZATION_DETAIL],
  token_endpoint_auth_methods_supported: ['none'],
  'pre-authorized_grant_anonymous_access_supported': true,
});

/** Creates the OpenID provider metadata of an issuer. */
export const openidProviderDocument = (issuer: CredentialIssuer): OpenidProviderDocument => ({
  ...authorizationServerDocument(issuer),
  subject_types_supported: ['public'],
  // No response type leads to an ID token; the list is required and must contain RS256.
  id_token_signing_alg_values_supported: ['RS256'],
});

/** Creates the credential issuer metadata. */
export const issuerDocument = (issuer: CredentialIssuer): IssuerDocument => ({
  ...authorizationServerDocument(issuer),
  credential_issuer: issuer.identifier,
  authorization_servers: [issuer.identifier],
  credential_endpoint: `${issuer.identifier}/credential`,
  batch_credential_endpoint: `${issuer.identifier}/batch_credential`,
  deferred_credential_endpoint: `${issuer.identifier}/credential_deferred`,
  notification_endpoint: `${issuer.identifier}/notification`,
  ...(issuer.display.length > 0 ? { display: issuer.display } : {}),
  credential_configurations_supported: Object.fromEntries(
    [...issuer.configurations].map(([id, configuration]) => [id, draft13Configuration(configuration)]),
  ),
});

/** Creates a member of `credential_configurations_supported` (OpenID4VCI draft 13 §11.2.3, appendix A). */
export function draft13Configuration(configuration: CredentialConfiguration): JsonObject {
  const { format, scope, algorithms, bindingMethods, proofTypes, display, order } = configuration;
  return {
    format,
    scope,
    cryptographic_binding_methods_supported: bindingMethods,
    credential_signing_alg_values_supported: algorithms,
    proof_types_supported: proofTypes,
    ...typeMembers(configuration),
    ...(display.length > 0 && { display }),
    order,
  };
}

/** Appendices A.1.1.2 (W3C), A.2.2 (mdoc) and A.3.2 (SD-JWT VC). */
function typeMembers({ facts: { typeMember }, types, type, claims }: CredentialConfiguration): JsonObject {
  const tree = claimTree(type === undefined ? subjectClaims(claims) : claims);
  if (type === undefined) return { [typeMember]: { type: types, ...(isFilled(tree) && { credentialSubject: tree }) } };
  return { [typeMember]: type, ...(isFilled(tree) && { claims: tree }) };
}

const isFilled = (tree: JsonObject): boolean => Object.keys(tree).length > 0;

/** The claims of the subject of a W3C credential, with their paths below it. */
export const subjectClaims = (claims: readonly ClaimDescription[]): ClaimDescription[] =>
  claims
    .filter(({ path }) => path[0] === 'credentialSubject' && path.length > 1)
    .map(({ path, ...description }) => ({ path: path.slice(1), ...description }));

/** Creates the JWT VC issuer metadata, which says where the issuer's keys are (SD-JWT VC §5). */
export const jwtVcIssuerDocument = (issuer: CredentialIssuer): { issuer: string; jwks_uri: string } => ({
  issuer: issuer.identifier,
  jwks_uri: jwksUri(issuer),
});
