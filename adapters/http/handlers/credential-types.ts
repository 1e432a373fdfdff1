import { DomainError } from '../../../domain/foundation/errors.ts';
import { typeNamed } from '../../../domain/issuer/configurations/type-metadata.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { Handlers } from '../messages/operations.ts';

/** The operations of the document `credential-types`; the last segment of an issuer's identifier is its version in the path. */
export function credentialTypeHandlers(issuers: readonly CredentialIssuer[]): Handlers<'credential-types'> {
  const describe = (version: string, name: string) => {
    const issuer = issuers.find(({ identifier }) => identifier.slice(identifier.lastIndexOf('/') + 1) === version);
    const type = issuer && typeNamed(issuer, name);
    if (type) return { status: 200 as const, body: type.body };
    throw new DomainError('NotFound', 'There is no credential type of this name');
  };
  return {
    getDraft13CredentialType: async ({ path }) => describe('draft13', path.type),
    getFinalCredentialType: async ({ path }) => describe('openid4vci', path.type),
    getCredentialType: async ({ path }) => describe(path.version, path.type),
  };
}
