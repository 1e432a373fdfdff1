import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../../domain/issuer/endpoints/authorization-endpoint.ts';
import type { ClientProofs } from '../../../domain/issuer/endpoints/client-proofs.ts';
import type { RefreshRedemption } from '../../../domain/issuer/endpoints/refresh-redemption.ts';
import { type ParsedV1Request, parseV1TokenRequest } from '../../../domain/issuer/openid4vci/token-requests.ts';
import { createTokenResponse } from '../../../domain/issuer/openid4vci/v1.ts';
import type { ProvenClient, Redemption } from '../../../domain/issuer/protocol.ts';
import type { ClientAttestations } from '../../../domain/oauth/client-attestations.ts';
import type { Parameters } from '../../../domain/oauth/request-parameters.ts';
import { type Handlers, NO_STORE, replyUncached } from '../messages/operations.ts';
import { type CodeServices, redeemCode } from './code-redemption.ts';

/** What the handlers of the authorization server need. */
export interface AuthorizationServices extends CodeServices {
  authorizationEndpoint: AuthorizationEndpoint;
  refreshRedemption: RefreshRedemption;
  clientProofs: ClientProofs;
  attestations: ClientAttestations;
}

/** The issuer that is called. */
export interface OfIssuer {
  issuer: CredentialIssuer;
}

/** The headers by which clients prove themselves, by their names in lower case. */
interface ProofHeaders {
  dpop?: string;
  'oauth-client-attestation'?: string;
  'oauth-client-attestation-pop'?: string;
}

interface ClientInput extends OfIssuer {
  body: { client_id?: string };
  headers: ProofHeaders;
}

/** The authorization server of OpenID4VCI 1.0. */
export function authorizationHandlers(services: AuthorizationServices) {
  const { authorizationEndpoint, clientProofs, attestations } = services;
  const clientOf = (endpoint: 'par' | 'token', { issuer, body: { client_id: clientId }, headers }: ClientInput) => {
    const { dpop, 'oauth-client-attestation': attestation, 'oauth-client-attestation-pop': attestationPop } = headers;
    return clientProofs.client(issuer, { endpoint, clientId, dpop, attestation, attestationPop });
  };
  return {
    pushOpenid4vciAuthorization: async (input) => {
      const { issuer, body } = input;
      const client = await clientOf('par', input);
      const { requestUri, expiresInSeconds } = await authorizationEndpoint.push(issuer, body as Parameters, client);
      const answer = { request_uri: requestUri, expires_in: expiresInSeconds };
      return { status: 201, headers: await nextHeaders(services, issuer), body: answer };
    },
    authorizeOpenid4vci: async ({ issuer, query }) => {
      const location = await authorizationEndpoint.authorize(issuer, query as Parameters);
      return { status: 302, headers: { ...NO_STORE, location } };
    },
    requestOpenid4vciToken: async (input) => {
      const { issuer, body } = input;
      const client: ProvenClient = await clientOf('token', input);
      const redemption = await redeem(services, issuer, parseV1TokenRequest(body, client));
      return { status: 200, headers: await nextHeaders(services, issuer), body: createTokenResponse(redemption) };
    },
    requestOpenid4vciChallenge: replyUncached(200, async ({ issuer }) => ({
      attestation_challenge: await attestations.createChallenge(issuer.id),
    })),
  } satisfies Partial<Handlers<'openid4vci', OfIssuer>>;
}

const redeem = (
  services: AuthorizationServices,
  issuer: CredentialIssuer,
  parsed: ParsedV1Request,
): Promise<Redemption> =>
  parsed.kind === 'refresh-token'
    ? services.refreshRedemption.redeem(issuer, parsed.request)
    : redeemCode(services, issuer, parsed);

/** The headers of an answer after which a client proves itself again. */
export async function nextHeaders(
  { clientProofs }: Pick<AuthorizationServices, 'clientProofs'>,
  issuer: CredentialIssuer,
): Promise<Record<string, string>> {
  const nonce = await clientProofs.nextNonce(issuer);
  return nonce === undefined ? NO_STORE : { ...NO_STORE, 'dpop-nonce': nonce };
}
