import type { JsonObject } from '../../foundation/json.ts';
import { FAPI_ALGORITHMS } from '../../jose/key-types.ts';
import { coseNumber } from '../../keys/cose-algorithms.ts';
import { CLIENT_ATTESTATION } from '../../oauth/client-attestations.ts';
import { v1ProofTypes } from '../configurations/proof-types.ts';
import type { ClaimDescription, CredentialConfiguration } from '../credential-configuration.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { EncryptionMetadata } from '../protocol.ts';
import { type AuthorizationServerDocument, authorizationServerDocument } from './draft13-metadata.ts';
import { batchSizeOf } from './v1.ts';

/** Issuer metadata (OpenID4VCI 1.0 §12.2.4). Its authorization server is the issuer itself. */
interface IssuerDocument {
  credential_issuer: string;
  credential_endpoint: string;
  nonce_endpoint: string;
  deferred_credential_endpoint: string;
  notification_endpoint: string;
  batch_credential_issuance: { batch_size: number };
  display?: JsonObject[];
  /** What others state about the issuer (ETSI TS 119 472-3), such as its registration certificate. */
  issuer_info?: { format: string; data: string }[];
  credential_configurations_supported: Record<string, JsonObject>;
  [member: string]: unknown;
}

/** Creates the credential issuer metadata. */
export function issuerDocument(
  issuer: CredentialIssuer,
  encryption: EncryptionMetadata,
): IssuerDocument & EncryptionMetadata {
  const { identifier, display, info = [], configurations } = issuer;
  return {
    credential_issuer: identifier,
    credential_endpoint: `${identifier}/credential`,
    nonce_endpoint: `${identifier}/nonce`,
    deferred_credential_endpoint: `${identifier}/deferred_credential`,
    notification_endpoint: `${identifier}/notification`,
    batch_credential_issuance: { batch_size: batchSizeOf(issuer) },
    ...encryption,
    ...(display.length > 0 && { display }),
    ...(info.length > 0 && { issuer_info: info }),
    credential_configurations_supported: Object.fromEntries(
      [...configurations].map(([id, configuration]) => [id, v1Configuration(configuration)]),
    ),
  };
}

/** Creates the authorization server metadata (RFC 8414, RFC 9449 §5.1). */
export function serverDocument(issuer: CredentialIssuer): AuthorizationServerDocument {
  const common = authorizationServerDocument(issuer);
  return {
    ...common,
    grant_types_supported: [...common.grant_types_supported, 'refresh_token'],
    dpop_signing_alg_values_supported: FAPI_ALGORITHMS,
    ...clientMembers(issuer),
  };
}

/** How clients authenticate (attestation-based client authentication §8, OpenID4VCI 1.0 §12.3). */
function clientMembers({ identifier, policy, attesters }: CredentialIssuer): JsonObject {
  const isOpen = policy?.requiresAttestation !== true || policy.acceptsAnonymousPreAuthorized === true;
  const anonymous = { 'pre-authorized_grant_anonymous_access_supported': isOpen };
  if (!attesters) return anonymous;
  return {
    ...anonymous,
    token_endpoint_auth_methods_supported: [...(isOpen ? ['none'] : []), ...CLIENT_ATTESTATION.METHODS],
    client_attestation_signing_alg_values_supported: FAPI_ALGORITHMS,
    client_attestation_pop_signing_alg_values_supported: FAPI_ALGORITHMS,
    challenge_endpoint: `${identifier}/challenge`,
  };
}

/** Creates a member of `credential_configurations_supported` (OpenID4VCI 1.0 §12.2.4, appendix A). */
export function v1Configuration(configuration: CredentialConfiguration): JsonObject {
  const { format, facts, scope, algorithms, bindingMethods, display, claims, type, types } = configuration;
  const { disclosurePolicy: policy } = configuration;
  const metadata = {
    ...(display.length > 0 && { display }),
    ...(claims.length > 0 && { claims: claims.map(withoutValueType) }),
  };
  return {
    format,
    scope,
    [facts.typeMember]: type ?? { type: types },
    credential_signing_alg_values_supported:
      facts.signatures === 'COSE' ? algorithms.map((name) => coseNumber(String(name)) ?? name) : algorithms,
    cryptographic_binding_methods_supported: bindingMethods,
    proof_types_supported: v1ProofTypes(configuration),
    ...(Object.keys(metadata).length > 0 && { credential_metadata: metadata }),
    ...(policy && { disclosure_policy: policy }),
  };
}

/** 1.0 has no `value_type` (appendix B.2). */
const withoutValueType = ({ value_type: _, ...description }: ClaimDescription): JsonObject => description;
