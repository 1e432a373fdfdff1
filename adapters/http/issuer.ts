import { DomainError, oauthError } from '../../domain/foundation/errors.ts';
import type { CredentialEndpoint } from '../../domain/issuer/credential-endpoint.ts';
import type { IssuerKeys } from '../../domain/issuer/issuer-keys.ts';
import type { IssuerMetadata } from '../../domain/issuer/metadata.ts';
import type { CredentialOffers, OfferOptions } from '../../domain/issuer/offers.ts';
import type { Onboarding } from '../../domain/issuer/onboarding.ts';
import type { TokenEndpoint } from '../../domain/issuer/token-endpoint.ts';
import { NO_STORE } from './answer.ts';
import type { Handlers } from './operations.ts';

/** What the handlers of the document `issuer` need. */
export interface IssuerServices {
  onboarding: Onboarding;
  offers: CredentialOffers;
  tokens: TokenEndpoint;
  issuance: CredentialEndpoint;
  keys: IssuerKeys;
  metadata: IssuerMetadata;
}

const headers = NO_STORE;

/** The issuer: onboarding, offers, and the pre-authorized code flow of OpenID4VCI draft 13. */
export const issuerHandlers = (services: IssuerServices): Handlers<'issuer'> => ({
  ...metadataHandlers(services),
  onboardIssuer: async ({ body }) => ({ status: 200, headers, body: await services.onboarding.onboard(body) }),
  issueJwtCredential: async (input) => ({
    status: 200,
    body: await services.offers.create([input.body], offerOptions(input.headers, false)),
  }),
  issueJwtCredentialBatch: async (input) => ({
    status: 200,
    body: await services.offers.create(input.body, offerOptions(input.headers, true)),
  }),
  getCredentialOffer: async ({ query }) => ({ status: 200, headers, body: await services.offers.get(query.id) }),
  requestAuthorization: async () => {
    throw oauthError('unsupported_response_type', 'This issuer takes pre-authorized codes only');
  },
  requestAccessToken: async ({ body }) => ({ status: 200, headers, body: await services.tokens.redeem(body) }),
  requestCredential: async (input) => ({
    status: 200,
    headers,
    body: await services.issuance.issue(readBearer(input.headers.authorization), input.body),
  }),
  getIssuerKeys: async () => ({ status: 200, body: { keys: await services.keys.published() } }),
});

const metadataHandlers = ({ metadata }: IssuerServices) => {
  const issuer = async () => ({ status: 200 as const, body: metadata.issuer });
  const authorizationServer = async () => ({ status: 200 as const, body: metadata.authorizationServer });
  const openidProvider = async () => ({ status: 200 as const, body: metadata.openidProvider });
  return {
    getIssuerMetadata: issuer,
    getIssuerMetadataOfHost: issuer,
    getAuthorizationServerMetadata: authorizationServer,
    getAuthorizationServerMetadataOfHost: authorizationServer,
    getOpenidConfiguration: openidProvider,
    getOpenidConfigurationOfHost: openidProvider,
    getJwtVcIssuerMetadata: async () => ({ status: 200, body: metadata.jwtVcIssuer }),
  } satisfies Partial<Handlers<'issuer'>>;
};

interface OfferHeaders {
  statuscallbackuri?: string;
  sessionttl?: string;
}

const offerOptions = ({ statuscallbackuri, sessionttl }: OfferHeaders, isBatch: boolean): OfferOptions => ({
  isBatch,
  statusCallbackUri: statuscallbackuri,
  ttlSeconds: sessionttl === undefined ? undefined : Number(sessionttl),
});

/** RFC 6750 §2.1. @throws DomainError `LoginRequired` */
function readBearer(header = ''): string {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1];
  if (token === undefined) throw new DomainError('LoginRequired', 'Send the access token as Authorization: Bearer');
  return token;
}
