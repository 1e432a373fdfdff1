import { at, DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../domain/foundation/time.ts';
import type { RequestDescription } from '../../../domain/wallet/request-description.ts';
import type { Handlers } from '../operations.ts';
import { ownWallet } from './access.ts';
import { credentialView } from './credentials.ts';
import type { WalletServices } from './services.ts';

/** How credentials are received and presented. */
export const exchangeHandlers = ({ access, offers, issuers, presentations, descriptions }: WalletServices) =>
  ({
    resolveCredentialOffer: async (input) => {
      const walletId = await ownWallet(access, input);
      const { json } = await at(['body'], () => offers.resolve(walletId, input.body));
      return { status: 200, body: json };
    },
    acceptCredentialOffer: async (input) => {
      const walletId = await ownWallet(access, input);
      const { did, requireUserInput = false, pinOrTxCode: txCode } = input.query;
      const answer = { link: input.body, did, txCode, requireUserInput };
      const place = { link: ['body'], txCode: ['query', 'pinOrTxCode'] };
      const received = await at(place, () => offers.accept(walletId, answer));
      return { status: 200, body: received.map((credential) => credentialView(walletId, credential)) };
    },
    resolveIssuerMetadata: async (input) => {
      await ownWallet(access, input);
      return { status: 200, body: await issuers.metadata(input.query.issuer) };
    },
    resolvePresentationRequest: async (input) => {
      await ownWallet(access, input);
      return { status: 200, body: await at({ link: ['body'] }, () => presentations.resolve(input.body)) };
    },
    describePresentationRequest: async (input) => {
      const walletId = await ownWallet(access, input);
      const described = await at({ link: ['body'] }, () => descriptions.describe(walletId, input.body));
      return { status: 200, body: descriptionView(described) };
    },
    declinePresentationRequest: async (input) => {
      const walletId = await ownWallet(access, input);
      const { presentationRequest: link, note } = input.body;
      const place = { link: ['body', 'presentationRequest'] };
      return { status: 200, body: await at(place, () => presentations.decline(walletId, { link, note })) };
    },
    matchWalletCredentials: async (input) => {
      const walletId = await ownWallet(access, input);
      const matching = await at(['body'], () => presentations.match(walletId, input.body));
      return { status: 200, body: matching.map((credential) => credentialView(walletId, credential)) };
    },
    presentCredentials: async (input) => {
      const walletId = await ownWallet(access, input);
      const { presentationRequest: link, selectedCredentials, did, note } = input.body;
      const place = { link: ['body', 'presentationRequest'], selectedCredentials: ['body', 'selectedCredentials'] };
      const presented = at(place, () => presentations.present(walletId, { link, selectedCredentials, did, note }));
      return { status: 200, body: await presented.catch(withErrorMessage) };
    },
    listTransactionDataProfiles: async () => ({ status: 200, body: [] }),
  }) satisfies Handlers<'wallet-exchange'>;

const descriptionView = ({ expiresAt, ...described }: RequestDescription) => ({
  ...described,
  ...(expiresAt !== undefined && { expiresAt: isoMillis(expiresAt) }),
});

/** Existing clients read the message of a failed presentation as `errorMessage`, beside the verifier's `redirectUri`. */
function withErrorMessage(error: unknown): never {
  if (!isDomainError(error)) throw error;
  const { code, message, extra } = error;
  throw new DomainError(code, message, { ...error, cause: error, extra: { errorMessage: message, ...extra } });
}
