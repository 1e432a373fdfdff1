import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { AuthorizationRedemption } from '../../../domain/issuer/endpoints/authorization-redemption.ts';
import type { TokenEndpoint } from '../../../domain/issuer/endpoints/token-endpoint.ts';
import type { ParsedTokenRequest } from '../../../domain/issuer/openid4vci/token-requests.ts';
import type { Redemption } from '../../../domain/issuer/protocol.ts';

/** What redeems codes. */
export interface CodeServices {
  tokenEndpoint: TokenEndpoint;
  authorizationRedemption: AuthorizationRedemption;
}

/** Redeems the code of a token request, of either grant. */
export const redeemCode = (
  { tokenEndpoint, authorizationRedemption }: CodeServices,
  issuer: CredentialIssuer,
  parsed: ParsedTokenRequest,
): Promise<Redemption> =>
  parsed.kind === 'authorization-code'
    ? authorizationRedemption.redeem(issuer, parsed.request)
    : tokenEndpoint.redeem(issuer, parsed.request);
