import { fromBase64url, fromUtf8 } from '../../../../domain/foundation/bytes.ts';
import { at, DomainError, invalidField } from '../../../../domain/foundation/errors.ts';
import type { HolderChoice } from '../../../../domain/holdings/dids.ts';
import type { DisplayEntry } from '../../../../domain/holdings/records.ts';
import type { ReceivedOffer } from '../../../../domain/wallet/issuance/offer-redemption.ts';
import { UnacceptableCredential } from '../../../../domain/wallet/issuance/received-credential.ts';
import type { VerifierReply } from '../../../../domain/wallet/presentation/verifier-endpoint.ts';
import { withoutWords } from '../../../../domain/wallet/protocol-client.ts';
import type { OfferFacts } from '../../../../domain/wallet/steps/offer-facts.ts';
import { type RequestPreview, shownRequest } from '../../../../domain/wallet/steps/request-preview.ts';
import type { components } from '../../../../openapi/types.ts';
import { type Handlers, NO_STORE } from '../../messages/operations.ts';
import type { WalletServices } from './services.ts';

/** What the exchange needs, of the wallets of accounts or of one of a tenant. */
export type StepServices = Pick<
  WalletServices,
  'offers' | 'authorizations' | 'tokenSteps' | 'credentialSteps' | 'presenting'
> & { keys: Pick<WalletServices['keys'], 'read'> };

type Part = Partial<Handlers<'wallet2-exchange'>>;
type Schemas = components['schemas'];
/** An offer by its link or as it is. */
type StatedOffer = Schemas['OfferToResolve'];
/** A key, or the name of one, or a DID. */
type StatedHolder = Pick<Schemas['OfferToReceive'], 'key' | 'keyId' | 'did'>;

/** Runs a step whose errors name members of the body, and quote no counterparty. */
const step = <T>(work: () => Promise<T>, place: Record<string, string[]> = {}): Promise<T> =>
  at(['body'], () => at(place, work)).catch((error: unknown) => {
    throw error instanceof UnacceptableCredential
      ? new DomainError('UpstreamFailed', error.message, { cause: error })
      : withoutWords(error);
  });

/** The link of an offer. @throws DomainError `BadRequest` unless there is one offer */
function linkOf({ offerUrl, offerJson }: StatedOffer): string {
  if ((offerUrl === undefined) === (offerJson === undefined))
    throw invalidField(['offerUrl'], 'is required, or offerJson in its place');
  const offer = encodeURIComponent(JSON.stringify(offerJson));
  return offerUrl ?? `openid-credential-offer://?credential_offer=${offer}`;
}

const placeOf = ({ offerUrl }: StatedOffer): Record<string, string[]> => ({
  link: [offerUrl === undefined ? 'offerJson' : 'offerUrl'],
});

const holderReader =
  ({ keys }: Pick<StepServices, 'keys'>) =>
  async ({ key, keyId, did }: StatedHolder): Promise<Pick<HolderChoice, 'key' | 'keyId'> & { did?: string }> => ({
    ...(key && { key: await at({ jwk: ['key', 'jwk'] }, () => keys.read(key.jwk)) }),
    ...(keyId !== undefined && { keyId }),
    ...(did !== undefined && { did }),
  });

const MAX_METADATA = 16 * 1024;

/** What a caller keeps with a credential. @throws DomainError `BadRequest` for too much */
function notesOf({ label, metadata }: Pick<Schemas['CredentialToFetch'], 'label' | 'metadata'>) {
  if (JSON.stringify(metadata ?? {}).length > MAX_METADATA)
    throw invalidField(['metadata'], `may have at most ${MAX_METADATA} characters as JSON`);
  return { ...(label !== undefined && { label }), ...(metadata && { metadata }) };
}

const receivedView = ({ credentials, deferred }: ReceivedOffer) => ({
  credentialIds: credentials.map(({ id }) => id),
  deferredTransactionIds: Object.fromEntries(
    deferred.map(({ configurationId, id, transactionId = id }) => [configurationId, transactionId]),
  ),
});

/** How credentials are received, in one call and step by step. */
export const receivingHandlers = ({
  tokenSteps,
  credentialSteps,
  offers,
  authorizations,
  ...services
}: StepServices) => {
  const holderOf = holderReader(services);
  return {
    receiveCredentials: async ({ walletId, body }) => {
      const { txCode, clientId, tokenRequestHeaders: headers, metadata } = body;
      const received = await step(async () => {
        const link = linkOf(body);
        const answer = { link, txCode, client: { clientId, headers }, notes: notesOf({ metadata }) };
        return offers.accept(walletId, { ...answer, ...(await holderOf(body)), requireUserInput: false });
      }, placeOf(body));
      return { status: 200, body: receivedView(received) };
    },
    resolveOffer: async ({ walletId, body }) => {
      const facts = await step(() => tokenSteps.resolve(walletId, linkOf(body)), placeOf(body));
      return { status: 200, body: offerView(facts) };
    },
    requestToken: async ({ walletId, body }) => {
      const { anonymousPreAuthorizedCode: isAnonymous, tokenRequestHeaders: headers, ...request } = body;
      const asked = { ...request, headers, ...(isAnonymous && { isAnonymous }) };
      return { status: 200, body: await step(() => tokenSteps.requestToken(walletId, asked)), headers: NO_STORE };
    },
    requestNonce: async ({ body }) => {
      const nonce = await step(() => credentialSteps.requestNonce(body.credentialIssuer));
      return { status: 200, body: { ...(nonce !== undefined && { nonce }) } };
    },
    signProof: async ({ walletId, body }) => {
      const { issuerUrl: issuer, credentialConfigurationId: configurationId, nonce, clientId } = body;
      const asked = { issuer, configurationId, nonce, clientId };
      const signed = step(async () => credentialSteps.signProof(walletId, { ...asked, ...(await holderOf(body)) }));
      return { status: 200, body: { proofJwt: await signed } };
    },
    fetchCredential: async ({ walletId, body }) => {
      const { credentialEndpoint, accessToken, credentialConfigurationId: configurationId, proofJwt: proof } = body;
      const { storeInWallet: isStored = false, credentialIssuerBaseUrl: issuer } = body;
      const fetched = await step(async () => {
        const asked = { credentialEndpoint, accessToken, configurationId, proof, isStored, issuer };
        return credentialSteps.fetch(walletId, { ...asked, notes: notesOf(body) });
      });
      if ('credentials' in fetched) {
        const { credentials: rawCredentials, transactionId } = fetched;
        return { status: 200, body: { rawCredentials, ...(transactionId !== undefined && { transactionId }) } };
      }
      const { description } = fetched.refusedNonce;
      const said = description === undefined ? {} : { error_description: description };
      return { status: 400, body: { error: 'invalid_nonce', ...said } };
    },
    collectDeferred: async ({ walletId, body }) => {
      const { transactionId, deferredCredentialEndpoint: deferredEndpoint, accessToken } = body;
      const { credentialIssuerBaseUrl: issuer, credentialConfigurationId: configurationId } = body;
      const asked = { transactionId, deferredEndpoint, accessToken, issuer, configurationId };
      const collected = await step(async () => credentialSteps.collect(walletId, { ...asked, notes: notesOf(body) }));
      return { status: 200, body: { credentialIds: collected, deferredTransactionIds: {} } };
    },
    createAuthorizationUrl: async ({ walletId, body }) => {
      const { useScope: usesScope, clientId, redirectUri } = body;
      const begun = await step(async () => {
        const asked = { link: linkOf(body), usesScope, clientId, redirectUri, requireUserInput: false };
        const login = await authorizations.begin(walletId, { ...asked, ...(await holderOf(body)) });
        if (login.grant === 'authorization_code') return login;
        throw invalidField(['link'], 'has a pre-authorized code, which needs no login');
      }, placeOf(body));
      return { status: 200, body: loginView(begun) };
    },
    exchangeCode: async ({ walletId, body }) => {
      const { credentialIssuerBaseUrl: issuer, codeVerifier: verifier, ...answer } = body;
      const token = await step(() => tokenSteps.exchangeCode(walletId, { ...answer, issuer, verifier }));
      return { status: 200, body: token, headers: NO_STORE };
    },
    receiveAuthorized: async ({ walletId, body }) => {
      const { credentialIssuer: issuer, codeVerifier: verifier, credentialConfigurationId: configurationId } = body;
      const { code, state, iss, credentialEndpoint, nonceEndpoint, useDpop: isBound = false } = body;
      const received = await step(async () => {
        const named = { code, state, iss, issuer, verifier, configurationId };
        const answer = { ...named, credentialEndpoint, nonceEndpoint, isBound, notes: notesOf(body) };
        return tokenSteps.receiveAuthorized(walletId, { ...answer, ...(await holderOf(body)) });
      });
      return { status: 200, body: receivedView(received) };
    },
  } satisfies Part;
};

type BegunLogin = Extract<
  Awaited<ReturnType<WalletServices['authorizations']['begin']>>,
  { grant: 'authorization_code' }
>;

function loginView({ authorizationUrl, state, login: { attempt, offer, metadata } }: BegunLogin) {
  const { nonce_endpoint: nonceEndpoint } = metadata;
  return {
    authorizationUrl,
    state,
    codeVerifier: attempt.verifier,
    credentialConfigurationId: offer.configurationIds[0] ?? '',
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

function offerView(facts: OfferFacts) {
  const { offer, grantType, issuerDisplay, offered, transactionCode, ...endpoints } = facts;
  const { issuer: credentialIssuer, preAuthorizedCode } = offer;
  return {
    credentialIssuer,
    credentialConfigurationIds: offer.configurationIds,
    ...(grantType && { grantType }),
    ...(preAuthorizedCode !== undefined && { preAuthorizedCode }),
    txCodeRequired: offer.txCodeName !== undefined,
    ...endpoints,
    issuer: { credentialIssuer, ...displayView(issuerDisplay) },
    offeredCredentials: offered.map(({ display, ...configuration }) => ({ ...configuration, ...displayView(display) })),
    ...(transactionCode && { transactionCode }),
  };
}

const ASKED = { link: ['requestUrl'], selectedCredentials: ['requestUrl'], loginDid: ['did'] };

/** How requests are looked at and answered, in one call and step by step. */
export const presentingHandlers = ({ presenting, ...services }: StepServices) => {
  const holderOf = holderReader(services);
  return {
    presentToVerifier: async ({ walletId, body }) => {
      const present = async () => presenting.present(walletId, { link: body.requestUrl, ...(await holderOf(body)) });
      return { status: 200, body: resultView(await step(present, ASKED)) };
    },
    presentGivenCredentials: async ({ walletId, body }) => {
      const { requestUrl: link, credentials } = body;
      const present = async () => presenting.present(walletId, { link, ...(await holderOf(body)) }, credentials);
      return { status: 200, body: resultView(await step(present, ASKED)) };
    },
    resolveRequest: async ({ body }) => {
      const { params, hasRequestUri } = await step(() => presenting.resolve(body.requestUrl), ASKED);
      const shown = shownRequest(params);
      const { nonce, client_id: clientId, response_uri: responseUri, dcql_query: dcqlQuery } = shown;
      const named = Object.entries({ nonce, clientId, responseUri, dcqlQuery }).filter(
        ([, value]) => value !== undefined,
      );
      return { status: 200, body: { authorizationRequest: shown, hasRequestUri, ...Object.fromEntries(named) } };
    },
    matchGivenCredentials: async ({ walletId, body: { dcqlQuery, credentials } }) => ({
      status: 200,
      body: matchView(await step(() => presenting.match(walletId, dcqlQuery, credentials))),
    }),
    matchStoredCredentials: async ({ walletId, body: { dcqlQuery } }) => ({
      status: 200,
      body: matchView(await step(() => presenting.match(walletId, dcqlQuery))),
    }),
    previewRequest: async ({ walletId, body }) => {
      const preview = await step(() => presenting.preview(walletId, body.requestUrl), ASKED);
      return { status: 200, body: previewView(preview, body.keyId) };
    },
    buildVpToken: async ({ walletId, body }) => {
      const {
        requestUrl: link,
        selectedCredentialOptions: options = [],
        selectedDisclosureOptions: claims = [],
      } = body;
      const older = Object.entries(body.selectedCredentialIds ?? {}).flatMap(([queryId, ids]) =>
        ids.map((credentialId) => ({ queryId, credentialId })),
      );
      const credentials = options.length > 0 ? options : older;
      const build = async () => presenting.build(walletId, { link, credentials, claims, ...(await holderOf(body)) });
      return { status: 200, body: await step(build, ASKED) };
    },
    sendResponse: async ({ walletId, body: { requestUrl: link, ...built } }) => ({
      status: 200,
      body: resultView(await step(() => presenting.send(walletId, { link, ...built }), ASKED)),
    }),
    rejectRequest: async ({ walletId, body }) => {
      const { requestUrl: link, errorCode: error = 'access_denied', errorDescription: description } = body;
      const reject = () => presenting.reject(walletId, { link, error, description });
      return { status: 200, body: resultView(await step(reject, ASKED)) };
    },
  } satisfies Part;
};

const resultView = ({ redirectUri, body }: VerifierReply) => ({
  transmission_success: true,
  ...(body && { verifier_response: body }),
  ...(redirectUri !== undefined && { redirect_to: redirectUri }),
});

const matchView = (matches: ReadonlyMap<string, string[]>) => {
  const met = [...matches].filter(([, ids]) => ids.length > 0);
  return {
    matchedQueryIds: met.map(([queryId]) => queryId),
    matchCount: met.reduce((count, [, ids]) => count + ids.length, 0),
    matchedCredentialIds: Object.fromEntries(met),
  };
};

const NOTHING = { transactionData: [], credentialOptions: [], credentialRequirements: [] };

function previewView(preview: RequestPreview | { refused: { code: string; message: string } }, keyId?: string) {
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
