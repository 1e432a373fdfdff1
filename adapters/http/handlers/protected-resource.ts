import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { ClientProofs, ResourceRequest } from '../../../domain/issuer/endpoints/client-proofs.ts';
import type { PresentedToken } from '../../../domain/oauth/sender-constraints.ts';

/** A request to a protected resource of an issuer, and what verifies its proof. */
interface ProtectedRequest extends Omit<ResourceRequest, 'authorization' | 'dpop'> {
  issuer: CredentialIssuer;
  headers: { authorization?: string; dpop?: string };
  clientProofs: ClientProofs;
}

/**
 * Does the work of a request with its access token; where the token is not accepted, the answer names the schemes in which
 * the issuer takes tokens. @throws DomainError `LoginRequired`, and what the work throws
 */
export async function withAccessToken<T>(
  { issuer, endpoint, headers: { authorization, dpop }, clientProofs }: ProtectedRequest,
  work: (token: PresentedToken) => Promise<T>,
): Promise<T> {
  try {
    return await work(await clientProofs.token(issuer, { endpoint, authorization, dpop }));
  } catch (error) {
    if (!isDomainError(error, 'LoginRequired')) throw error;
    const schemes = issuer.policy?.requiresDpop ? (['DPoP'] as const) : (['DPoP', 'Bearer'] as const);
    throw new DomainError(error.code, error.message, { ...error, cause: error.cause, schemes });
  }
}
