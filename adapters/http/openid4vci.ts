import { utf8 } from '../../domain/foundation/bytes.ts';
import type { CredentialIssuer } from '../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../domain/issuer/endpoints/authorization-endpoint.ts';
import {
  createTokenResponse,
  parseDeferredRequest,
  parseNotification,
} from '../../domain/issuer/openid4vci/draft13.ts';
import { authorizationServerDocument, jwtVcIssuerDocument } from '../../domain/issuer/openid4vci/draft13-metadata.ts';
import { parseFinalTokenRequest } from '../../domain/issuer/openid4vci/token-requests.ts';
import {
  createCredentialResponse,
  deferredResponse,
  parseCredentialRequest,
  type StatedResponse,
} from '../../domain/issuer/openid4vci/v1.ts';
import type { CredentialEncryption, ReadRequest } from '../../domain/issuer/openid4vci/v1-encryption.ts';
import type { IssuerMetadata } from '../../domain/issuer/openid4vci/v1-metadata.ts';
import type { Parameters } from '../../domain/oauth/request-parameters.ts';
import type { SingleUseNonces } from '../../domain/oauth/single-use-nonces.ts';
import { readBearer } from './bearer.ts';
import { type CodeServices, redeemCode } from './code-redemption.ts';
import type { IssuerServices } from './issuer.ts';
import { prefers } from './negotiation.ts';
import { type Handlers, NO_STORE } from './operations.ts';

/** What the handlers of the document `openid4vci` need. */
export interface Openid4vciServices
  extends CodeServices,
    Pick<IssuerServices, 'offers' | 'credentialEndpoint' | 'deferredEndpoint' | 'notificationEndpoint' | 'keys'> {
  /** The issuer of OpenID4VCI 1.0. */
  v1Issuer: CredentialIssuer;
  proofNonces: SingleUseNonces;
  encryption: CredentialEncryption;
  metadata: IssuerMetadata;
  authorizationEndpoint: AuthorizationEndpoint;
}

const headers = NO_STORE;

/** The endpoints of OpenID4VCI 1.0 that wallets call. */
export function openid4vciHandlers(services: Openid4vciServices): Handlers<'openid4vci'> {
  const { v1Issuer: issuer, offers, notificationEndpoint, proofNonces } = services;
  const { authorizationEndpoint } = services;
  return {
    ...metadataHandlers(services),
    ...credentialHandlers(services),
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
    notifyOpenid4vciIssuer: async ({ body, headers: { authorization } }) => {
      const accessToken = readBearer(authorization);
      await notificationEndpoint.notify(issuer, { accessToken, ...parseNotification(body) });
      return { status: 204 };
    },
  };
}

const JWT = 'application/jwt';

const metadataHandlers = ({ v1Issuer: issuer, metadata }: Openid4vciServices) =>
  ({
    getOpenid4vciIssuerMetadata: async ({ headers: { accept } }) => {
      const vary = { vary: 'Accept' };
      if (!prefers(accept, JWT, 'application/json'))
        return { status: 200, headers: vary, body: await metadata.document(issuer) };
      const body = utf8(await metadata.signed(issuer));
      return { status: 200, headers: { ...vary, 'content-type': JWT }, body };
    },
  }) satisfies Partial<Handlers<'openid4vci'>>;

function credentialHandlers({
  v1Issuer: issuer,
  credentialEndpoint,
  deferredEndpoint,
  encryption,
}: Openid4vciServices) {
  const answer = async (stated: StatedResponse, request: ReadRequest) => {
    const body = await encryption.encrypted(stated.body, request);
    return body
      ? { status: stated.status, body, headers: { ...headers, 'content-type': JWT } }
      : { ...stated, headers };
  };
  return {
    requestOpenid4vciCredential: async (input) => {
      const accessToken = readBearer(input.headers.authorization);
      const read = await encryption.read(input.body);
      const request = { accessToken, ...parseCredentialRequest(read.request, issuer) };
      const { outcome } = await credentialEndpoint.issue(issuer, request);
      return answer(createCredentialResponse(outcome), read);
    },
    requestOpenid4vciDeferredCredential: async (input) => {
      const accessToken = readBearer(input.headers.authorization);
      const read = await encryption.read(input.body);
      const { transactionId } = parseDeferredRequest(read.request);
      const outcome = await deferredEndpoint.issue(issuer, { accessToken, transactionId });
      return answer(outcome ? createCredentialResponse(outcome) : deferredResponse(transactionId), read);
    },
  } satisfies Partial<Handlers<'openid4vci'>>;
}
