import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import {
  createBatchResponse,
  createCredentialResponse,
  createDeferredResponse,
  createOffer,
  createTokenResponse,
  inDraft11,
  parseBatchRequest,
  parseCredentialRequest,
  parseTokenRequest,
} from '../../../domain/issuer/openid4vci/draft11.ts';
import { issuerDocument } from '../../../domain/issuer/openid4vci/draft11-metadata.ts';
import {
  authorizationServerDocument,
  jwtVcIssuerDocument,
  openidProviderDocument,
} from '../../../domain/issuer/openid4vci/draft13-metadata.ts';
import { readBearer } from '../messages/bearer.ts';
import { type Handlers, reply, replyUncached } from '../messages/operations.ts';
import { redeemCode } from './code-redemption.ts';
import type { IssuerServices } from './issuer.ts';

/** The endpoints of OpenID4VCI draft 11 that wallets call. */
export function draft11Handlers(services: IssuerServices): Handlers<'draft11'> {
  const { issuers, offers, credentialEndpoint, deferredEndpoint, keys } = services;
  const { draft11: issuer } = issuers;
  return {
    ...metadataHandlers(issuer),
    listDraft11Keys: reply(200, async () => ({ keys: await keys.published(issuer) })),
    getDraft11Offer: replyUncached(200, ({ query }) => offers.get(issuer, query.id, createOffer)),
    requestDraft11Token: replyUncached(200, ({ body }) =>
      inDraft11(async () => createTokenResponse(await redeemCode(services, issuer, parseTokenRequest(body)))),
    ),
    requestDraft11Credential: replyUncached(200, ({ headers, body }) =>
      inDraft11(async () => {
        const access = await credentialEndpoint.access(issuer, readBearer(headers.authorization));
        return createCredentialResponse(await credentialEndpoint.issue(access, parseCredentialRequest(await body())));
      }),
    ),
    requestDraft11CredentialBatch: replyUncached(200, ({ headers, body }) =>
      inDraft11(async () => {
        const access = await credentialEndpoint.access(issuer, readBearer(headers.authorization));
        return createBatchResponse(await credentialEndpoint.issueBatch(access, parseBatchRequest(await body())));
      }),
    ),
    requestDraft11DeferredCredential: replyUncached(200, ({ headers }) =>
      inDraft11(async () => {
        const { token: transactionId } = readBearer(headers.authorization);
        return createDeferredResponse(await deferredEndpoint.issue(issuer, { transactionId }));
      }),
    ),
  };
}

const metadataHandlers = (issuer: CredentialIssuer) => {
  const authorizationServer = reply(200, () => authorizationServerDocument(issuer));
  return {
    getDraft11IssuerMetadata: reply(200, () => issuerDocument(issuer)),
    getDraft11ServerMetadata: authorizationServer,
    getDraft11ServerMetadataOfHost: authorizationServer,
    getDraft11OpenidConfiguration: reply(200, () => openidProviderDocument(issuer)),
    getDraft11JwtVcIssuer: reply(200, () => jwtVcIssuerDocument(issuer)),
  } satisfies Partial<Handlers<'draft11'>>;
};
