import type { TypeSelector } from '../../../domain/credentials/formats/facts.ts';
import { at } from '../../../domain/foundation/errors.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { CredentialEndpoint } from '../../../domain/issuer/endpoints/credential-endpoint.ts';
import type { DeferredEndpoint } from '../../../domain/issuer/endpoints/deferred-endpoint.ts';
import type { NotificationEndpoint } from '../../../domain/issuer/endpoints/notification-endpoint.ts';
import { authorizationOf, checkFlow } from '../../../domain/issuer/offers/issuance-flow.ts';
import type { IssuanceRequest } from '../../../domain/issuer/offers/issuance-request.ts';
import type { CredentialOffers } from '../../../domain/issuer/offers/offers.ts';
import type { RawSigning } from '../../../domain/issuer/offers/raw-signing.ts';
import type { CertificateOnboarding } from '../../../domain/issuer/onboarding/certificate-onboarding.ts';
import type { IssuerKeys } from '../../../domain/issuer/onboarding/issuer-keys.ts';
import type { Onboarding } from '../../../domain/issuer/onboarding/onboarding.ts';
import {
  createBatchResponse,
  createCredentialResponse,
  createDeferredResponse,
  createOffer,
  createOfferUrl,
  createTokenResponse,
  parseBatchRequest,
  parseCredentialRequest,
  parseDeferredRequest,
  parseNotification,
} from '../../../domain/issuer/openid4vci/draft13.ts';
import {
  authorizationServerDocument,
  issuerDocument,
  jwtVcIssuerDocument,
  openidProviderDocument,
} from '../../../domain/issuer/openid4vci/draft13-metadata.ts';
import { parseTokenRequest } from '../../../domain/issuer/openid4vci/token-requests.ts';
import type { Version } from '../../../domain/issuer/versions.ts';
import { boundedLife } from '../../../domain/limits/lifetimes.ts';
import { readBearer } from '../messages/bearer.ts';
import { type Caller, done, type Handlers, reply, replyUncached, turnOf } from '../messages/operations.ts';
import { type CodeServices, redeemCode } from './code-redemption.ts';

/** What the handlers of the document `issuer` need. */
export interface IssuerServices extends CodeServices {
  /** The issuers of the open endpoints. */
  issuers: Readonly<Record<Version, CredentialIssuer>>;
  onboarding: Onboarding;
  certificateOnboarding: CertificateOnboarding;
  offers: CredentialOffers;
  credentialEndpoint: CredentialEndpoint;
  deferredEndpoint: DeferredEndpoint;
  notificationEndpoint: NotificationEndpoint;
  signing: RawSigning;
  keys: IssuerKeys;
  /** Whether offers may demand a login at another server. */
  hasLoginServer: boolean;
}

/** The issuer: onboarding, offers, and their redemption over OpenID4VCI draft 13. */
export function issuerHandlers(services: IssuerServices): Handlers<'issuer'> {
  const { credentialEndpoint, deferredEndpoint, notificationEndpoint, issuers, keys } = services;
  const { draft13: issuer } = issuers;
  return {
    ...metadataHandlers(issuer),
    ...onboardingHandlers(issuer, services),
    ...offerHandlers(services),
    requestAccessToken: replyUncached(200, async ({ body }) =>
      createTokenResponse(await redeemCode(services, issuer, parseTokenRequest(body))),
    ),
    requestCredential: replyUncached(200, async ({ headers, body }) => {
      const access = await credentialEndpoint.access(issuer, readBearer(headers.authorization));
      return createCredentialResponse(await credentialEndpoint.issue(access, parseCredentialRequest(await body())));
    }),
    requestCredentialBatch: replyUncached(200, async ({ headers, body }) => {
      const access = await credentialEndpoint.access(issuer, readBearer(headers.authorization));
      return createBatchResponse(await credentialEndpoint.issueBatch(access, parseBatchRequest(await body())));
    }),
    requestDeferredCredential: replyUncached(200, async ({ headers, body }) => {
      const grant = await deferredEndpoint.grant(issuer, readBearer(headers.authorization));
      const request = parseDeferredRequest(await body());
      return createDeferredResponse(await deferredEndpoint.issue(issuer, { grant, ...request }));
    }),
    notifyIssuer: done(204, async ({ headers, body }) => {
      const access = await notificationEndpoint.access(issuer, readBearer(headers.authorization));
      await notificationEndpoint.notify(access, parseNotification(await body()));
    }),
    getIssuerKeys: reply(200, async () => ({ keys: await keys.published(issuer) })),
  };
}

const onboardingHandlers = (issuer: CredentialIssuer, { onboarding, certificateOnboarding }: IssuerServices) =>
  ({
    onboardIssuer: replyUncached(200, ({ body, caller }) =>
      at(['body'], () => onboarding.onboard(issuer, { ...body, turn: turnOf(caller) })),
    ),
    onboardIaca: replyUncached(200, ({ body, caller }) =>
      at(['body'], () => certificateOnboarding.createIaca({ ...body, turn: turnOf(caller) })),
    ),
    onboardDocumentSigner: replyUncached(200, ({ body, caller }) =>
      at(['body'], () => certificateOnboarding.createSigner({ ...body, turn: turnOf(caller) })),
    ),
  }) satisfies Partial<Handlers<'issuer'>>;

const metadataHandlers = (issuer: CredentialIssuer) => {
  const issuerMetadata = reply(200, () => issuerDocument(issuer));
  const authorizationServer = reply(200, () => authorizationServerDocument(issuer));
  const openidProvider = reply(200, () => openidProviderDocument(issuer));
  return {
    getIssuerMetadata: issuerMetadata,
    getIssuerMetadataOfHost: issuerMetadata,
    getAuthorizationServerMetadata: authorizationServer,
    getAuthorizationServerMetadataOfHost: authorizationServer,
    getOpenidConfiguration: openidProvider,
    getOpenidConfigurationOfHost: openidProvider,
    getJwtVcIssuerMetadata: reply(200, () => jwtVcIssuerDocument(issuer)),
  } satisfies Partial<Handlers<'issuer'>>;
};

const offerHandlers = ({ issuers, offers, signing, hasLoginServer }: IssuerServices) => {
  const { draft11, draft13: issuer } = issuers;
  const create = async ({ headers, body: content, caller }: OfferInput, preferred: TypeSelector) => {
    const { statuscallbackuri: statusCallbackUri, sessionttl } = headers;
    const wanted = sessionttl === undefined ? undefined : Number(sessionttl);
    const ttlSeconds = at(['header', 'sessionTtl'], () => boundedLife(wanted, caller.longestSeconds));
    const flow = at(['body'], () => checkFlow(content, { hasLoginServer }));
    const { isDeferred, txCode, txCodeValue, byReference, standardVersion } = flow;
    const from = standardVersion === 'DRAFT11' ? draft11 : issuer;
    const first = Array.isArray(content) ? ['body', 0] : ['body'];
    const places = {
      content: ['body'],
      statusCallbackUri: ['header', 'statusCallbackUri'],
      txCode: [...first, 'txCode'],
      txCodeValue: [...first, 'txCodeValue'],
    };
    const authorization = authorizationOf(flow);
    const redemption = { isDeferred, describesCredentials: !byReference, authorization, txCode, txCodeValue };
    const offer = { content, preferred, statusCallbackUri, ttlSeconds, ...redemption };
    const { id } = await at(places, () => offers.create(from, offer));
    return { status: 200 as const, body: createOfferUrl(from, id) };
  };
  return {
    issueJwtCredential: (input) => create(input, 'type'),
    issueJwtCredentialBatch: (input) => create(input, 'type'),
    issueSdJwtCredential: (input) => create(input, 'vct'),
    issueSdJwtCredentialBatch: (input) => create(input, 'vct'),
    issueMdoc: (input) => create(input, 'doc_type'),
    issueMdocBatch: (input) => create(input, 'doc_type'),
    signJwtCredential: replyUncached(200, ({ body }) => at(['body'], () => signing.sign(issuer, body))),
    getCredentialOffer: replyUncached(200, ({ query }) => offers.get(issuer, query.id, createOffer)),
  } satisfies Partial<Handlers<'issuer'>>;
};

interface OfferInput {
  headers: OfferHeaders;
  body: IssuanceRequest | IssuanceRequest[];
  caller: Caller;
}

interface OfferHeaders {
  statuscallbackuri?: string;
  sessionttl?: string;
}
