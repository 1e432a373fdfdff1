import { fromBase64url, fromUtf8 } from '../../../../domain/foundation/bytes.ts';
import type { DisplayEntry } from '../../../../domain/holdings/records.ts';
import type { OfferAuthorizations } from '../../../../domain/wallet/issuance/offer-authorizations.ts';
import type { DeferredCredential, ReceivedOffer } from '../../../../domain/wallet/issuance/offer-redemption.ts';
import type { VerifierReply } from '../../../../domain/wallet/presentation/verifier-endpoint.ts';
import type { OfferFacts } from '../../../../domain/wallet/steps/offer-facts.ts';
import type { RequestPreview } from '../../../../domain/wallet/steps/request-preview.ts';
import { receivedView } from './step.ts';

type BegunLogin = Extract<Awaited<ReturnType<OfferAuthorizations['begin']>>, { grant: 'authorization_code' }>;

/** The login that was begun. */
export function loginView(begun: BegunLogin) {
  const { credentialConfigurationIds: [first = ''] = [], ...view } = batchLoginView(begun);
  return { ...view, credentialConfigurationId: first };
}

/** As `loginView`, with all configurations that the login is for. */
export function batchLoginView({ authorizationUrl, state, login: { attempt, offer, metadata } }: BegunLogin) {
  const { nonce_endpoint: nonceEndpoint } = metadata;
  return {
    authorizationUrl,
    state,
    codeVerifier: attempt.verifier,
    credentialConfigurationIds: [...offer.configurationIds],
    credentialIssuerBaseUrl: offer.issuer,
    ...(typeof nonceEndpoint === 'string' && { nonceEndpoint }),
  };
}

/** Images are where the issuer has them. */
const displayView = (entry: DisplayEntry | undefined) => {
  if (!entry) return {};
  const { logo, backgroundImage, ...texts } = entry;
  const display = {
    ...texts,
    ...(logo && { logoUri: logo.uri, ...(logo.altText !== undefined && { logoAltText: logo.altText }) }),
    ...(backgroundImage && { backgroundImageUri: backgroundImage.uri }),
  };
  return { display };
};

/** What a person sees of an offer. */
export function offerView(facts: OfferFacts) {
  const { offer, grantType, proof, issuerDisplay, offered, transactionCode, ...endpoints } = facts;
  const { issuer: credentialIssuer, preAuthorizedCode } = offer;
  return {
    credentialIssuer,
    credentialConfigurationIds: offer.configurationIds,
    ...(grantType && { grantType }),
    ...(preAuthorizedCode !== undefined && { preAuthorizedCode }),
    txCodeRequired: offer.txCodeName !== undefined,
    ...endpoints,
    issuer: { credentialIssuer, proof, ...displayView(issuerDisplay) },
    offeredCredentials: offered.map(({ display, ...configuration }) => ({ ...configuration, ...displayView(display) })),
    ...(transactionCode && { transactionCode }),
  };
}

/** What the wallet waits for. */
export const pendingView = ({ id, configurationId, identifier, intervalSeconds, ...one }: DeferredCredential) => ({
  id,
  credentialConfigurationId: configurationId,
  ...(identifier !== undefined && { credentialIdentifier: identifier }),
  ...(one.transactionId !== undefined && { transactionId: one.transactionId }),
  ...(intervalSeconds !== undefined && { intervalSeconds }),
});

/** What was received of a selection: each credential that comes later by a name of its own. */
export const detailedView = (received: ReceivedOffer) => ({
  ...receivedView(received),
  deferredCredentials: received.deferred.map((one) => {
    const { id: deferredCredentialId, ...named } = pendingView(one);
    return { deferredCredentialId, ...named };
  }),
});

/** What a verifier answered, or where the browser of the person brings it the response. */
export const resultView = ({ redirectUri, body, isCarried, isRefused }: VerifierReply) =>
  isCarried
    ? { get_url: redirectUri }
    : {
        transmission_success: isRefused !== true,
        ...(body && { verifier_response: body }),
        ...(redirectUri !== undefined && { redirect_to: redirectUri }),
      };

/** The credentials of the queries that have some. */
export const matchView = (matches: ReadonlyMap<string, string[]>) => {
  const met = [...matches].filter(([, ids]) => ids.length > 0);
  return {
    matchedQueryIds: met.map(([queryId]) => queryId),
    matchCount: met.reduce((count, [, ids]) => count + ids.length, 0),
    matchedCredentialIds: Object.fromEntries(met),
  };
};

const NOTHING = { transactionData: [], credentialOptions: [], credentialRequirements: [] };

/** What a person sees of a request. */
export function previewView(preview: RequestPreview | { refused: { code: string; message: string } }, keyId?: string) {
  const named = keyId === undefined ? {} : { keyId };
  if ('refused' in preview) return { valid: false, error: preview.refused, ...named, ...NOTHING };
  const {
    request: authorizationRequest,
    proof: clientProof,
    encryption,
    transactions,
    options,
    requirements,
    ...facts
  } = preview;
  return {
    valid: true,
    ...named,
    authorizationRequest,
    clientProof,
    ...facts,
    ...(encryption && {
      responseEncryption: {
        required: true,
        keyManagementAlgorithm: encryption.alg,
        contentEncryptionAlgorithm: encryption.enc,
        ...(encryption.kid !== undefined && { verifierKeyId: encryption.kid }),
        verifierKeyThumbprint: encryption.thumbprint,
      },
    }),
    transactionData: transactions.map(({ type, queryIds, raw, content }) => ({
      type,
      credentialQueryIds: queryIds,
      rawJson: fromUtf8(fromBase64url(raw) ?? new Uint8Array()),
      details: content,
    })),
    credentialOptions: options,
    credentialRequirements: requirements.map((options) => ({ options })),
  };
}
