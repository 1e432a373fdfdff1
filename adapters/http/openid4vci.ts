import type { CredentialIssuer } from '../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../domain/issuer/endpoints/authorization-endpoint.ts';
import { createTokenResponse, parseNotification } from '../../domain/issuer/openid4vci/draft13.ts';
import { authorizationServerDocument, jwtVcIssuerDocument } from '../../domain/issuer/openid4vci/draft13-metadata.ts';
import { parseFinalTokenRequest } from '../../domain/issuer/openid4vci/token-requests.ts';
import { createCredentialResponse, parseCredentialRequest } from '../../domain/issuer/openid4vci/v1.ts';
import { issuerDocument } from '../../domain/issuer/openid4vci/v1-metadata.ts';
import type { Parameters } from '../../domain/oauth/request-parameters.ts';
import type { SingleUseNonces } from '../../domain/oauth/single-use-nonces.ts';
import { readBearer } from './bearer.ts';
import { type CodeServices, redeemCode } from './code-redemption.ts';
import type { IssuerServices } from './issuer.ts';
import { type Handlers, NO_STORE } from './operations.ts';

/** What the handlers of the document `openid4vci` need. */
export interface Openid4vciServices
  extends CodeServices,
    Pick<IssuerServices, 'offers' | 'credentialEndpoint' | 'notificationEndpoint' | 'keys'> {
  /** The issuer of OpenID4VCI 1.0. */
  v1Issuer: CredentialIssuer;
  proofNonces: SingleUseNonces;
  authorizationEndpoint: AuthorizationEndpoint;
}

const headers = NO_STORE;

/** The endpoints of OpenID4VCI 1.0 that wallets call. */
export function openid4vciHandlers(services: Openid4vciServices): Handlers<'openid4vci'> {
  const { v1Issuer: issuer, offers, credentialEndpoint, notificationEndpoint, proofNonces } = services;
  const { authorizationEndpoint } = services;
  return {
    getOpenid4vciIssuerMetadata: async () => ({ status: 200, body: issuerDocument(issuer) }),
    getOpenid4vciServerMetadata: async () => ({ status: 200, body: authorizationServerDocument(issuer) }),
    getOpenid4vciJwtVcIssuer: async () => ({ status: 200, body: jwtVcIssuerDocument(issuer) }),
    listOpenid4vciKeys: async () => ({ status: 200, body: { keys: await services.keys.published(issuer) } }),
    getOpenid4vciOffer: async ({ query }) => ({ status: 200, headers, body: await offers.get(issuer, query.id) }),
    pushOpenid4vciAuthorization: async ({ body }) => {
      const { requestUri, expiresInSeconds } = await authorizationEndpoint.push(issuer, body as Parameters);
      return { status: 201, headers, body: { request_uri: requestUri, expires_in: expiresInSeconds } };
    },
    authorizeOpenid4vci: async ({ query }) => {
      const location = await authorizationEndpoint.authorize(issuer, query as Parameters);
      return { status: 302, headers: { ...headers, location } };
    },
    requestOpenid4vciToken: async ({ body }) => {
      const redemption = await redeemCode(services, issuer, parseFinalTokenRequest(body));
      return { status: 200, headers, body: createTokenResponse(redemption) };
    },
    requestOpenid4vciNonce: async () => ({
      status: 200,
      headers,
      body: { c_nonce: await proofNonces.create(issuer.id) },
    }),
    requestOpenid4vciCredential: async (input) => {
      const accessToken = readBearer(input.headers.authorization);
      const issued = await credentialEndpoint.issue(issuer, { accessToken, ...parseCredentialRequest(input.body) });
      return { status: 200, headers, body: createCredentialResponse(issued) };
    },
    notifyOpenid4vciIssuer: async ({ body, headers: { authorization } }) => {
      const accessToken = readBearer(authorization);
      await notificationEndpoint.notify(issuer, { accessToken, ...parseNotification(body) });
      return { status: 204 };
    },
  };
}
