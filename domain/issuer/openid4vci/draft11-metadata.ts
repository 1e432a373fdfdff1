import type { JsonObject } from '../../foundation/json.ts';
import { claimTree } from '../configurations/claim-descriptions.ts';
import type { CredentialConfiguration } from '../configurations/credential-configuration.ts';
import { subjectClaims } from './draft13-metadata.ts';

/** Creates a member of `credentials_supported` (OpenID4VCI draft 11 §10.2.3.1); undefined unless it is a W3C credential. */
export function draft11Configuration(configuration: CredentialConfiguration): JsonObject | undefined {
  const { id, format, types, bindingMethods, algorithms, display, claims } = configuration;
  if (types.length === 0) return undefined;
  const subject = claimTree(subjectClaims(claims));
  return {
    id,
    format,
    types,
    cryptographic_binding_methods_supported: bindingMethods,
    cryptographic_suites_supported: algorithms,
    ...(display.length > 0 && { display }),
    ...(Object.keys(subject).length > 0 && { credentialSubject: subject }),
  };
}
