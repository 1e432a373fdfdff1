import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../../domain/issuer/endpoints/authorization-endpoint.ts';
import type { ClientProofs } from '../../../domain/issuer/endpoints/client-proofs.ts';
import type { RefreshRedemption } from '../../../domain/issuer/endpoints/refresh-redemption.ts';
import { type ParsedV1Request, parseV1TokenRequest } from '../../../domain/issuer/openid4vci/token-requests.ts';
import { createTokenResponse } from '../../../domain/issuer/openid4vci/v1.ts';
import type { ProvenClient, Redemption } from '../../../domain/issuer/protocol.ts';
import type { ClientAttestations } from '../../../domain/oauth/client-attestations.ts';
import type { Parameters } from '../../../domain/oauth/request-parameters.ts';
import { type Handlers, NO_STORE } from '../messages/operations.ts';
import { type CodeServices, redeemCode } from './code-redemption.ts';

/** What the handlers of the authorization server need. */
export interface AuthorizationServices extends CodeServices {
  /** The issuer of OpenID4VCI 1.0. */
  v1Issuer: CredentialIssuer;
  authorizationEndpoint: AuthorizationEndpoint;
  refreshRedemption: RefreshRedemption;
  clientProofs: ClientProofs;
  attestations: ClientAttestations;
}

/** The headers by which clients prove themselves, by their names in lower case. */
interface ProofHeaders {
  dpop?: string;
  'oauth-client-attestation'?: string;
  'oauth-client-attestation-pop'?: string;
}

/** The authorization server of OpenID4VCI 1.0. */
export function authorizationHandlers(services: AuthorizationServices) {
  const { v1Issuer: issuer, authorizationEndpoint, clientProofs, attestations } = services;
  const clientOf = (endpoint: 'par' | 'token', sent: ProofHeaders, clientId: string | undefined) => {
    const { dpop, 'oauth-client-attestation': attestation, 'oauth-client-attestation-pop': attestationPop } = sent;
    return clientProofs.client(issuer, { endpoint, clientId, dpop, attestation, attestationPop });
  };
  return {
    pushOpenid4vciAuthorization: async ({ body, headers: sent }) => {
      const client = await clientOf('par', sent, body.client_id);
      const { requestUri, expiresInSeconds } = await authorizationEndpoint.push(issuer, body as Parameters, client);
      const answer = { request_uri: requestUri, expires_in: expiresInSeconds };
      return { status: 201, headers: await nextHeaders(services), body: answer };
    },
    authorizeOpenid4vci: async ({ query }) => {
      const location = await authorizationEndpoint.authorize(issuer, query as Parameters);
      return { status: 302, headers: { ...NO_STORE, location } };
    },
    requestOpenid4vciToken: async ({ body, headers: sent }) => {
      const client: ProvenClient = await clientOf('token', sent, body.client_id);
      const redemption = await redeem(services, parseV1TokenRequest(body, client));
      return { status: 200, headers: await nextHeaders(services), body: createTokenResponse(redemption) };
    },
    requestOpenid4vciChallenge: async () => ({
      status: 200,
      headers: NO_STORE,
      body: { attestation_challenge: await attestations.createChallenge(issuer.id) },
    }),
  } satisfies Partial<Handlers<'openid4vci'>>;
}

const redeem = (services: AuthorizationServices, parsed: ParsedV1Request): Promise<Redemption> =>
  parsed.kind === 'refresh-token'
    ? services.refreshRedemption.redeem(services.v1Issuer, parsed.request)
    : redeemCode(services, services.v1Issuer, parsed);

/** The headers of an answer after which a client proves itself again. */
export async function nextHeaders({
  v1Issuer,
  clientProofs,
}: Pick<AuthorizationServices, 'v1Issuer' | 'clientProofs'>): Promise<Record<string, string>> {
  const nonce = await clientProofs.nextNonce(v1Issuer);
  return nonce === undefined ? NO_STORE : { ...NO_STORE, 'dpop-nonce': nonce };
}
