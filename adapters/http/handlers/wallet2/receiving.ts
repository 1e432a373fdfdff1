import { invalidField } from '../../../../domain/foundation/errors.ts';
import type { components } from '../../../../openapi/types.ts';
import { NO_STORE } from '../../messages/operations.ts';
import { holderReader, linkOf, notesOf, type Part, placeOf, receivedView, type StepServices, step } from './step.ts';
import { batchLoginView, detailedView, loginView, offerView, pendingView } from './step-views.ts';

type Schemas = components['schemas'];
/** A login for an offer, or for a part of it. */
type LoginToBegin = Partial<Schemas['LoginToBegin']> & Pick<Schemas['BatchLoginToBegin'], 'credentialConfigurationIds'>;
/** A code, and what it is redeemed for. */
type AuthorizedCode = Omit<Schemas['AuthorizedOffer'], 'credentialConfigurationId'>;

/** Offers that are received in one call, or looked at. */
const offerHandlers = ({ tokenSteps, batchSteps, offers, ...services }: StepServices) => {
  const holderOf = holderReader(services);
  return {
    receiveCredentials: async ({ walletId, body }) => {
      const { txCode, clientId, tokenRequestHeaders: headers, metadata, credentials } = body;
      const received = await step(async () => {
        const link = linkOf(body);
        const asked = { link, txCode, client: { clientId, headers }, notes: notesOf({ metadata }) };
        const answer = { ...asked, ...(await holderOf(body)), requireUserInput: false };
        return credentials ? batchSteps.receive(walletId, answer, credentials) : offers.accept(walletId, answer);
      }, placeOf(body));
      return { status: 200, body: credentials ? detailedView(received) : receivedView(received) };
    },
    resolveOffer: async ({ walletId, body }) => {
      const facts = await step(() => tokenSteps.resolve(walletId, linkOf(body)), placeOf(body));
      return { status: 200, body: offerView(facts) };
    },
    resolveOfferBatch: async ({ walletId, body }) => {
      const { facts, ...batch } = await step(() => batchSteps.resolve(walletId, linkOf(body)), placeOf(body));
      return { status: 200, body: { offer: offerView(facts), ...batch } };
    },
    listPendingCredentials: async ({ walletId }) => {
      return { status: 200, body: (await batchSteps.pending(walletId)).map(pendingView) };
    },
    resumePendingCredential: async ({ walletId, path }) => {
      const resumed = await step(() => batchSteps.resume(walletId, path.pendingId));
      if ('credentialIds' in resumed) return { status: 200, body: { type: 'stored' as const, ...resumed } };
      const credentials = [pendingView(resumed.pending)];
      return { status: 200, body: { type: 'deferred' as const, storedCredentialIds: [], credentials } };
    },
  } satisfies Part;
};

/** Offers that a person authorizes at the issuer. */
const loginHandlers = ({ tokenSteps, batchSteps, authorizations, ...services }: StepServices) => {
  const holderOf = holderReader(services);
  const begin = ({ walletId, body }: { walletId: string; body: LoginToBegin }) => {
    const { useScope: usesScope, clientId, redirectUri, credentialConfigurationIds: configurationIds } = body;
    const place = { ...placeOf(body), configurationIds: ['credentialConfigurationIds'] };
    return step(async () => {
      const asked = { link: linkOf(body), usesScope, clientId, redirectUri, configurationIds, requireUserInput: false };
      const login = await authorizations.begin(walletId, { ...asked, ...(await holderOf(body)) });
      if (login.grant === 'authorization_code') return login;
      throw invalidField(['link'], 'has a pre-authorized code, which needs no login');
    }, place);
  };
  const answerOf = async (body: AuthorizedCode) => {
    const { credentialIssuer: issuer, codeVerifier: verifier, code, state, iss, clientId, redirectUri } = body;
    const { credentialEndpoint, nonceEndpoint, useDpop: isBound = false } = body;
    const named = { code, state, iss, issuer, verifier, clientId, redirectUri };
    return { ...named, credentialEndpoint, nonceEndpoint, isBound, notes: notesOf(body), ...(await holderOf(body)) };
  };
  return {
    createAuthorizationUrl: async (input) => ({ status: 200, body: loginView(await begin(input)) }),
    createAuthorizationUrlBatch: async (input) => ({ status: 200, body: batchLoginView(await begin(input)) }),
    exchangeCode: async ({ walletId, body }) => {
      const { credentialIssuerBaseUrl: issuer, codeVerifier: verifier, ...answer } = body;
      const token = await step(() => tokenSteps.exchangeCode(walletId, { ...answer, issuer, verifier }));
      return { status: 200, body: token, headers: NO_STORE };
    },
    receiveAuthorized: async ({ walletId, body }) => {
      const { credentialConfigurationId: configurationId } = body;
      const received = await step(async () =>
        tokenSteps.receiveAuthorized(walletId, { ...(await answerOf(body)), configurationId }),
      );
      return { status: 200, body: receivedView(received) };
    },
    receiveAuthorizedBatch: async ({ walletId, body }) => {
      const received = await step(async () =>
        batchSteps.receiveAuthorized(walletId, await answerOf(body), body.credentials),
      );
      return { status: 200, body: detailedView(received) };
    },
  } satisfies Part;
};

/** Tokens, nonces, proofs and credentials, step by step. */
const credentialStepHandlers = ({ tokenSteps, credentialSteps, ...services }: StepServices) => {
  const holderOf = holderReader(services);
  return {
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
  } satisfies Part;
};

/** How credentials are received, in one call and step by step. */
export const receivingHandlers = (services: StepServices) => ({
  ...offerHandlers(services),
  ...loginHandlers(services),
  ...credentialStepHandlers(services),
});
