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
import { type Handlers, NO_STORE } from '../messages/operations.ts';
import { redeemCode } from './code-redemption.ts';
import type { IssuerServices } from './issuer.ts';

const headers = NO_STORE;

/** The endpoints of OpenID4VCI draft 11 that wallets call. */
export function draft11Handlers(services: IssuerServices): Handlers<'draft11'> {
  const { issuers, offers, credentialEndpoint, deferredEndpoint, keys } = services;
  const { draft11: issuer } = issuers;
  return {
    ...metadataHandlers(issuer),
    listDraft11Keys: async () => ({ status: 200, body: { keys: await keys.published(issuer) } }),
    getDraft11Offer: async ({ query }) => ({
      status: 200,
      headers,
      body: await offers.get(issuer, query.id, createOffer),
    }),
    requestDraft11Token: ({ body }) =>
      inDraft11(async () => {
        const redemption = await redeemCode(services, issuer, parseTokenRequest(body));
        return { status: 200, headers, body: createTokenResponse(redemption) };
      }),
    requestDraft11Credential: (input) =>
      inDraft11(async () => {
        const access = await credentialEndpoint.access(issuer, readBearer(input.headers.authorization));
        const issued = await credentialEndpoint.issue(access, parseCredentialRequest(await input.body()));
        return { status: 200, headers, body: createCredentialResponse(issued) };
      }),
    requestDraft11CredentialBatch: (input) =>
      inDraft11(async () => {
        const access = await credentialEndpoint.access(issuer, readBearer(input.headers.authorization));
        const issued = await credentialEndpoint.issueBatch(access, parseBatchRequest(await input.body()));
        return { status: 200, headers, body: createBatchResponse(issued) };
      }),
    requestDraft11DeferredCredential: (input) =>
      inDraft11(async () => {
        const { token: transactionId } = readBearer(input.headers.authorization);
        const outcome = await deferredEndpoint.issue(issuer, { transactionId });
        return { status: 200, headers, body: createDeferredResponse(outcome) };
      }),
  };
}

const metadataHandlers = (issuer: CredentialIssuer) => {
  const authorizationServer = async () => ({ status: 200 as const, body: authorizationServerDocument(issuer) });
  return {
    getDraft11IssuerMetadata: async () => ({ status: 200, body: issuerDocument(issuer) }),
    getDraft11ServerMetadata: authorizationServer,
    getDraft11ServerMetadataOfHost: authorizationServer,
    getDraft11OpenidConfiguration: async () => ({ status: 200, body: openidProviderDocument(issuer) }),
    getDraft11JwtVcIssuer: async () => ({ status: 200, body: jwtVcIssuerDocument(issuer) }),
  } satisfies Partial<Handlers<'draft11'>>;
};
