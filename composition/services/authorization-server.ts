import type { IssuerServices } from '../../adapters/http/handlers/issuer.ts';
import type { AuthorizationServices } from '../../adapters/http/handlers/openid4vci-authorization.ts';
import {
  AuthorizationEndpoint,
  type AuthorizationEndpointParts,
} from '../../domain/issuer/endpoints/authorization-endpoint.ts';
import {
  AuthorizationRedemption,
  type AuthorizationRedemptionParts,
} from '../../domain/issuer/endpoints/authorization-redemption.ts';
import { type ClientProofParts, ClientProofs } from '../../domain/issuer/endpoints/client-proofs.ts';
import { RefreshRedemption, type RefreshRedemptionParts } from '../../domain/issuer/endpoints/refresh-redemption.ts';
import { SessionTokens } from '../../domain/issuer/endpoints/session-tokens.ts';
import type { ServerSecret } from '../../domain/keys/server-secret.ts';
import { AccessTokens } from '../../domain/oauth/access-tokens.ts';
import { Authorizations } from '../../domain/oauth/authorizations.ts';
import { ClientAttestations } from '../../domain/oauth/client-attestations.ts';
import { DpopProofs } from '../../domain/oauth/dpop-proofs.ts';
import { PushedRequests } from '../../domain/oauth/pushed-requests.ts';
import { RefreshTokens } from '../../domain/oauth/refresh-tokens.ts';
import type { Platform } from '../platform/platform.ts';
import { holderAuthentication } from './holder-logins.ts';

/** What tokens are made from. */
export function grantServices(platform: Platform, secret: ServerSecret) {
  const authorizations = new Authorizations(platform);
  const tokens = new AccessTokens({ ...platform, authorizations, secret });
  const refreshTokens = new RefreshTokens({ ...platform, authorizations });
  const sessionTokens = new SessionTokens({ ...platform, tokens, authorizations, refreshTokens });
  return { tokens, authorizations, refreshTokens, sessionTokens };
}

type Parts = Omit<AuthorizationEndpointParts, 'pushed' | 'holders' | 'formats'> &
  AuthorizationRedemptionParts &
  RefreshRedemptionParts &
  Pick<ClientProofParts, 'tokens'>;

/** The services of the authorization servers of issuers. */
export function authorizationServices(
  platform: Platform,
  parts: Parts,
): Omit<AuthorizationServices, 'tokenEndpoint'> & Pick<IssuerServices, 'hasLoginServer'> {
  const pushed = new PushedRequests(platform);
  const holders = holderAuthentication(platform);
  const attestations = new ClientAttestations(platform);
  return {
    hasLoginServer: platform.settings.authenticationService.server !== undefined,
    authorizationEndpoint: new AuthorizationEndpoint({ ...parts, formats: platform.formats, pushed, holders }),
    authorizationRedemption: new AuthorizationRedemption(parts),
    refreshRedemption: new RefreshRedemption(parts),
    attestations,
    clientProofs: new ClientProofs({ ...parts, dpopProofs: new DpopProofs(platform), attestations }),
  };
}
