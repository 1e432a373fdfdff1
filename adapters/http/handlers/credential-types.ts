import { DomainError } from '../../../domain/foundation/errors.ts';
import { typeNamed } from '../../../domain/issuer/configurations/type-metadata.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { Handlers } from '../messages/operations.ts';

/** Whose credential types are described. */
interface OfIssuers {
  issuers: readonly CredentialIssuer[];
}

/** The operations of the document `credential-types`; the last segment of an issuer's identifier is its version in the path. */
export function credentialTypeHandlers(): Handlers<'credential-types', OfIssuers> {
  const describe = ({ issuers }: OfIssuers, version: string, name: string) => {
    const issuer = issuers.find(({ identifier }) => identifier.slice(identifier.lastIndexOf('/') + 1) === version);
    const type = issuer && typeNamed(issuer, name);
    if (type) return { status: 200 as const, body: type.body };
    throw new DomainError('NotFound', 'There is no credential type of this name');
  };
  return {
    getDraft13CredentialType: async (input) => describe(input, 'draft13', input.path.type),
    getFinalCredentialType: async (input) => describe(input, 'openid4vci', input.path.type),
    getCredentialType: async (input) => describe(input, input.path.version, input.path.type),
  };
}
