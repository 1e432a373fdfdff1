import type { JsonObject } from '../../foundation/json.ts';
import { claimTree } from '../configurations/claim-descriptions.ts';
import type { CredentialConfiguration } from '../credential-configuration.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { type AuthorizationServerDocument, authorizationServerDocument, subjectClaims } from './draft13-metadata.ts';

/** Creates a member of `credentials_supported` (OpenID4VCI draft 11 §10.2.3.1, appendix E). */
export function draft11Configuration(configuration: CredentialConfiguration): JsonObject {
  const { id, format, scope, bindingMethods, algorithms, display } = configuration;
  return {
    id,
    format,
    scope,
    cryptographic_binding_methods_supported: bindingMethods,
    cryptographic_suites_supported: algorithms,
    ...(display.length > 0 && { display }),
    ...typeMembers(configuration),
  };
}

function typeMembers({ types, type, claims }: CredentialConfiguration): JsonObject {
  const isW3c = types.length > 0;
  const tree = claimTree(isW3c ? subjectClaims(claims) : claims);
  const named = isW3c ? { types } : { doctype: type };
  return { ...named, ...(Object.keys(tree).length > 0 && { [isW3c ? 'credentialSubject' : 'claims']: tree }) };
}

/** Issuer metadata (OpenID4VCI draft 11 §10.2); it repeats the authorization server's for wallets that read only this. */
interface IssuerDocument extends AuthorizationServerDocument {
  credential_issuer: string;
  authorization_server: string;
  credential_endpoint: string;
  batch_credential_endpoint: string;
  deferred_credential_endpoint: string;
  credentials_supported: JsonObject[];
}

/** Creates the credential issuer metadata. */
export const issuerDocument = (issuer: CredentialIssuer): IssuerDocument => ({
  ...authorizationServerDocument(issuer),
  credential_issuer: issuer.identifier,
  authorization_server: issuer.identifier,
  credential_endpoint: `${issuer.identifier}/credential`,
  batch_credential_endpoint: `${issuer.identifier}/batch_credential`,
  deferred_credential_endpoint: `${issuer.identifier}/credential_deferred`,
  ...(issuer.display.length > 0 && { display: issuer.display }),
  credentials_supported: [...issuer.configurations.values()].map(draft11Configuration),
});
