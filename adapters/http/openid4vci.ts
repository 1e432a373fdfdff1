import type { CredentialIssuer } from '../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../domain/issuer/endpoints/authorization-endpoint.ts';
import type { AuthorizationRedemption } from '../../domain/issuer/endpoints/authorization-redemption.ts';
import type { ClientProofs, ProvenClient } from '../../domain/issuer/endpoints/client-proofs.ts';
import type { Redemption } from '../../domain/issuer/endpoints/protocol.ts';
import type { RefreshRedemption } from '../../domain/issuer/endpoints/refresh-redemption.ts';
import { parseNotification } from '../../domain/issuer/openid4vci/draft13.ts';
import { jwtVcIssuerDocument } from '../../domain/issuer/openid4vci/draft13-metadata.ts';
import type { ParsedTokenRequest } from '../../domain/issuer/openid4vci/v1.ts';
import {
  createCredentialResponse,
  createTokenResponse,
  parseCredentialRequest,
  parseTokenRequest,
} from '../../domain/issuer/openid4vci/v1.ts';
import { issuerDocument, serverDocument } from '../../domain/issuer/openid4vci/v1-metadata.ts';
import type { ClientAttestations } from '../../domain/oauth/client-attestations.ts';
import type { Parameters } from '../../domain/oauth/request-parameters.ts';
import type { SingleUseNonces } from '../../domain/oauth/single-use-nonces.ts';
import type { IssuerServices } from './issuer.ts';
import { type Handlers, NO_STORE } from './operations.ts';
import { withAccessToken } from './protected-resource.ts';

/** What the handlers of the document `openid4vci` need. */
export interface Openid4vciServices
  extends Pick<IssuerServices, 'offers' | 'tokenEndpoint' | 'credentialEndpoint' | 'notificationEndpoint' | 'keys'> {
  /** The issuer of OpenID4VCI 1.0. */
  v1Issuer: CredentialIssuer;
  proofNonces: SingleUseNonces;
  authorizationEndpoint: AuthorizationEndpoint;
  authorizationRedemption: AuthorizationRedemption;
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

/** The endpoints of OpenID4VCI 1.0 that wallets call. */
export const openid4vciHandlers = (services: Openid4vciServices): Handlers<'openid4vci'> => ({
  ...metadataHandlers(services),
  ...authorizationHandlers(services),
  ...credentialHandlers(services),
});

const metadataHandlers = ({ v1Issuer: issuer, offers, keys }: Openid4vciServices) =>
  ({
    getOpenid4vciIssuerMetadata: async () => ({ status: 200, body: issuerDocument(issuer) }),
    getOpenid4vciServerMetadata: async () => ({ status: 200, body: serverDocument(issuer) }),
    getOpenid4vciJwtVcIssuer: async () => ({ status: 200, body: jwtVcIssuerDocument(issuer) }),
    listOpenid4vciKeys: async () => ({ status: 200, body: { keys: await keys.published(issuer) } }),
    getOpenid4vciOffer: async ({ query }) => ({
      status: 200,
      headers: NO_STORE,
      body: await offers.get(issuer, query.id),
    }),
  }) satisfies Partial<Handlers<'openid4vci'>>;

function authorizationHandlers(services: Openid4vciServices) {
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
      const redemption = await redeem(services, parseTokenRequest(body, client));
      return { status: 200, headers: await nextHeaders(services), body: createTokenResponse(redemption) };
    },
    requestOpenid4vciChallenge: async () => ({
      status: 200,
      headers: NO_STORE,
      body: { attestation_challenge: await attestations.createChallenge(issuer.id) },
    }),
  } satisfies Partial<Handlers<'openid4vci'>>;
}

function redeem(services: Openid4vciServices, { kind, request }: ParsedTokenRequest): Promise<Redemption> {
  const { v1Issuer: issuer } = services;
  if (kind === 'authorization-code') return services.authorizationRedemption.redeem(issuer, request);
  if (kind === 'refresh-token') return services.refreshRedemption.redeem(issuer, request);
  return services.tokenEndpoint.redeem(issuer, request);
}

function credentialHandlers(services: Openid4vciServices) {
  const { v1Issuer: issuer, credentialEndpoint, notificationEndpoint, proofNonces, clientProofs } = services;
  return {
    requestOpenid4vciNonce: async () => ({
      status: 200,
      headers: await nextHeaders(services),
      body: { c_nonce: await proofNonces.create(issuer.id) },
    }),
    requestOpenid4vciCredential: ({ body, headers: sent }) =>
      withAccessToken({ issuer, endpoint: 'credential', headers: sent, clientProofs }, async (accessToken) => {
        const issued = await credentialEndpoint.issue(issuer, { accessToken, ...parseCredentialRequest(body) });
        return { status: 200, headers: await nextHeaders(services), body: createCredentialResponse(issued) };
      }),
    notifyOpenid4vciIssuer: ({ body, headers: sent }) =>
      withAccessToken({ issuer, endpoint: 'notification', headers: sent, clientProofs }, async (accessToken) => {
        await notificationEndpoint.notify(issuer, { accessToken, ...parseNotification(body) });
        return { status: 204, headers: await nextHeaders(services) };
      }),
  } satisfies Partial<Handlers<'openid4vci'>>;
}

/** The headers of an answer after which a client proves itself again. */
async function nextHeaders({ v1Issuer, clientProofs }: Openid4vciServices): Promise<Record<string, string>> {
  const nonce = await clientProofs.nextNonce(v1Issuer);
  return nonce === undefined ? NO_STORE : { ...NO_STORE, 'dpop-nonce': nonce };
}
