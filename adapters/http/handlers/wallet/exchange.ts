import { at, DomainError, isDomainError } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { DeferredCredential } from '../../../../domain/wallet/issuance/offer-redemption.ts';
import type { RequestDescription } from '../../../../domain/wallet/presentation/request-description.ts';
import type { Redirect } from '../../../../domain/wallet/presentation/verifier-endpoint.ts';
import { done, type Handlers, NO_STORE, reply, replyToBody, replyUncached } from '../../messages/operations.ts';
import { messageFor } from '../../messages/problems.ts';
import { credentialView, credentialViews } from './credentials.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-exchange'>>;

/** How credentials are received. */
export const exchangeHandlers = ({ offers, issuers, transactionDataProfiles }: WalletServices) =>
  ({
    resolveCredentialOffer: replyToBody(200, async ({ walletId, body }) => (await offers.resolve(walletId, body)).json),
    acceptCredentialOffer: async ({ walletId, query, body }) => {
      const { did, requireUserInput = false, pinOrTxCode: txCode } = query;
      const answer = { link: body, did, txCode, requireUserInput };
      const place = { link: ['body'], did: ['query', 'did'], txCode: ['query', 'pinOrTxCode'] };
      const { credentials } = await at(place, () => offers.accept(walletId, answer));
      return { status: 200, body: credentials.map((credential) => credentialView(walletId, credential)) };
    },
    resolveIssuerMetadata: reply(200, async ({ query }) => {
      const { metadata, proof: issuerProof } = await issuers.read(query.issuer);
      return { ...metadata, issuerProof };
    }),
    listTransactionDataProfiles: reply(200, () => [...transactionDataProfiles]),
  }) satisfies Part;

const BEGUN = { link: ['body', 'offer'], did: ['body', 'did'], redirectUri: ['body', 'redirectUri'] };

/** How offers are received that the user authorizes at the issuer. */
export const authorizationHandlers = ({ authorizations, portalUrl }: WalletServices) =>
  ({
    beginOfferAuthorization: replyUncached(200, async ({ walletId, body }) => {
      const { offer: link, requireUserInput = false, ...named } = body;
      const begun = await at(BEGUN, () => authorizations.begin(walletId, { ...named, link, requireUserInput }));
      if (begun.grant === 'pre-authorized_code') return begun;
      const { login: _, ...shown } = begun;
      return { ...shown, expiresAt: isoMillis(begun.expiresAt) };
    }),
    finishOfferAuthorization: replyToBody(200, async ({ walletId, body }) => {
      const { error_description: errorDescription, ...response } = body;
      const { credentials } = await authorizations.finish(walletId, { ...response, errorDescription });
      return credentialViews(walletId, credentials);
    }),
    returnFromIssuer: async ({ query }) => {
      const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));
      return { status: 302, headers: { ...NO_STORE, location: `${portalUrl}/#/wallet/receive?${parameters}` } };
    },
  }) satisfies Part;

/** The credentials that issuers deliver later, and those that they give anew. */
export const deferredHandlers = ({ deferred, renewals }: WalletServices) =>
  ({
    renewWalletCredential: reply(200, async ({ walletId, path }) =>
      credentialView(walletId, await renewals.renew(walletId, path.credentialId)),
    ),
    listDeferredCredentials: reply(200, async ({ walletId }) => (await deferred.list(walletId)).map(deferredView)),
    collectDeferredCredential: reply(200, async ({ walletId, path }) => {
      const { credentials, pending } = await deferred.poll(walletId, path.id);
      return {
        credentials: await credentialViews(walletId, credentials),
        ...(pending && { pending: deferredView(pending) }),
      };
    }),
    abandonDeferredCredential: done(204, ({ walletId, path }) => deferred.abandon(walletId, path.id)),
  }) satisfies Part;

const deferredView = ({ transactionId: _, identifier: __, intervalSeconds: ___, ...one }: DeferredCredential) => ({
  ...one,
  requestedAt: isoMillis(one.requestedAt),
  nextAt: isoMillis(one.nextAt),
  endsAt: isoMillis(one.endsAt),
});

/** How presentation requests are looked at and answered. */
export const presentationHandlers = ({ presentations, descriptions, pages, matching }: WalletServices) =>
  ({
    resolvePresentationRequest: reply(200, ({ body }) => at({ link: ['body'] }, () => presentations.resolve(body))),
    describePresentationRequest: reply(200, async ({ walletId, body }) =>
      descriptionView(await at({ link: ['body'] }, () => descriptions.describe(walletId, body))),
    ),
    describePageRequest: reply(200, async ({ walletId, body }) =>
      descriptionView(await at(PAGE, async () => descriptions.of(walletId, await pages.read(body)))),
    ),
    answerPageRequest: async ({ walletId, body }) => {
      const { origin, protocol, data, ...answer } = body;
      const response = await at(PAGE, () => presentations.answerPage(walletId, { origin, protocol, data }, answer));
      return { status: 200, body: { protocol, data: response } };
    },
    declinePresentationRequest: async ({ walletId, body }) => {
      const { presentationRequest: link, note } = body;
      const place = { link: ['body', 'presentationRequest'] };
      return { status: 200, body: redirectOf(await at(place, () => presentations.decline(walletId, { link, note }))) };
    },
    matchWalletCredentials: replyToBody(200, async ({ walletId, body }) =>
      credentialViews(walletId, await matching.forDefinition(walletId, body)),
    ),
    listMissingCredentials: replyToBody(200, ({ walletId, body }) => matching.missingFor(walletId, body)),
    matchRequestedCredentials: reply(200, async ({ walletId, body }) =>
      credentialViews(walletId, await at({ link: ['body'] }, () => matching.forRequest(walletId, body))),
    ),
    presentCredentials: async ({ walletId, body }) => {
      const { presentationRequest: link, consent, selectedCredentials, did, loginDid, note } = body;
      const place = {
        link: ['body', 'presentationRequest'],
        selectedCredentials: ['body', 'selectedCredentials'],
        loginDid: ['body', 'loginDid'],
      };
      const answer = { link, consent, selectedCredentials, did, loginDid, note };
      const presented = at(place, () => presentations.present(walletId, answer));
      return { status: 200, body: redirectOf(await presented.catch(withErrorMessage)) };
    },
  }) satisfies Part;

const redirectOf = ({ redirectUri }: Redirect): Redirect => (redirectUri === undefined ? {} : { redirectUri });

const PAGE = {
  origin: ['body', 'origin'],
  data: ['body', 'data'],
  selectedCredentials: ['body', 'selectedCredentials'],
  loginDid: ['body', 'loginDid'],
};

const descriptionView = ({ expiresAt, ...described }: RequestDescription) => ({
  ...described,
  ...(expiresAt !== undefined && { expiresAt: isoMillis(expiresAt) }),
});

/** Existing clients read the message of a failed presentation as `errorMessage`, beside the verifier's `redirectUri`. */
function withErrorMessage(error: unknown): never {
  if (!isDomainError(error)) throw error;
  const { code, message, extra } = error;
  throw new DomainError(code, message, {
    ...error,
    cause: error,
    extra: { errorMessage: messageFor(error), ...extra },
  });
}

const PRESENTATION = {
  did: ['body', 'did'],
  link: ['body', 'presentationRequest'],
  selectedCredentials: ['body', 'selectedCredentialIdList'],
  submission: ['body', 'presentationSubmission'],
  signed: ['body', 'w3cJwtVpProof'],
};
const OFFER = {
  did: ['body', 'did'],
  link: ['body', 'offerURL'],
  txCode: ['body', 'pinOrTxCode'],
  handle: ['body', 'accessToken'],
  issuer: ['body', 'credentialIssuer'],
  proofs: ['body', 'offeredCredentialProofsOfPossession'],
};

/** The exchange with signatures from outside the wallet. */
export const externalSignatureHandlers = ({ external }: WalletServices) =>
  ({
    prepareExternalPresentation: async ({ walletId, body }) => {
      const { did, presentationRequest: link, selectedCredentialIdList } = body;
      const selection = { did, link, selectedCredentials: selectedCredentialIdList };
      const prepared = await at(PRESENTATION, () => external.presentations.prepare(walletId, selection));
      const { submission: presentationSubmission, token: w3CJwtVpProofParameters } = prepared;
      const stated = { did, presentationRequest: link, selectedCredentialIdList };
      return { status: 200, body: { ...stated, presentationSubmission, w3CJwtVpProofParameters } };
    },
    submitExternalPresentation: async ({ walletId, body }) => {
      const { did, presentationRequest: link, selectedCredentialIdList: selectedCredentials } = body;
      const { presentationSubmission: submission, w3cJwtVpProof: signed } = body;
      const answer = { did, link, selectedCredentials, submission, signed };
      const submitted = at(PRESENTATION, () => external.presentations.submit(walletId, answer));
      return { status: 200, body: redirectOf(await submitted) };
    },
    prepareExternalOffer: async ({ walletId, body }) => {
      const { did, offerURL, pinOrTxCode: txCode } = body;
      const prepared = await at(OFFER, () => external.issuance.prepare(walletId, { did, txCode, link: offerURL }));
      const offeredCredentialsProofRequests = prepared.proofs.map(({ offered, header, payload }) => ({
        offeredCredential: offered,
        proofOfPossessionParameters: { proofType: 'jwt' as const, header, payload },
      }));
      const { handle: accessToken, issuer: credentialIssuer } = prepared;
      const stated = { did: prepared.did, offerURL, accessToken, credentialIssuer };
      return { status: 200, body: { ...stated, offeredCredentialsProofRequests } };
    },
    submitExternalOffer: async ({ walletId, body }) => {
      const { did, offerURL: link, accessToken: handle, credentialIssuer: issuer } = body;
      const { requireUserInput = false, offeredCredentialProofsOfPossession: listed } = body;
      const proofs = listed.map(({ signedProofOfPossession }) => signedProofOfPossession);
      const answer = { did, link, handle, issuer, proofs, requireUserInput };
      const { credentials } = await at(OFFER, () => external.issuance.submit(walletId, answer));
      return { status: 200, body: credentials.map((credential) => credentialView(walletId, credential)) };
    },
  }) satisfies Part;
