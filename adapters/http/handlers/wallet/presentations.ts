import { at, DomainError, isDomainError } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { RequestDescription } from '../../../../domain/wallet/presentation/request-description.ts';
import type { Handlers } from '../../messages/operations.ts';
import { messageFor } from '../../messages/problems.ts';
import { credentialViews } from './credentials.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-exchange'>>;

/** How presentation requests are looked at and answered. */
export const presentationHandlers = ({ presentations, descriptions, matching }: WalletServices) =>
  ({
    resolvePresentationRequest: async (input) => {
      return { status: 200, body: await at({ link: ['body'] }, () => presentations.resolve(input.body)) };
    },
    describePresentationRequest: async (input) => {
      const { walletId } = input;
      const described = await at({ link: ['body'] }, () => descriptions.describe(walletId, input.body));
      return { status: 200, body: descriptionView(described) };
    },
    declinePresentationRequest: async (input) => {
      const { walletId } = input;
      const { presentationRequest: link, note } = input.body;
      const place = { link: ['body', 'presentationRequest'] };
      return { status: 200, body: await at(place, () => presentations.decline(walletId, { link, note })) };
    },
    matchWalletCredentials: async (input) => {
      const { walletId } = input;
      const found = await at(['body'], () => matching.forDefinition(walletId, input.body));
      return { status: 200, body: await credentialViews(walletId, found) };
    },
    listMissingCredentials: async (input) => {
      const { walletId } = input;
      return { status: 200, body: await at(['body'], () => matching.missingFor(walletId, input.body)) };
    },
    matchRequestedCredentials: async (input) => {
      const { walletId } = input;
      const found = await at({ link: ['body'] }, () => matching.forRequest(walletId, input.body));
      return { status: 200, body: await credentialViews(walletId, found) };
    },
    presentCredentials: async (input) => {
      const { walletId } = input;
      const { presentationRequest: link, selectedCredentials, did, loginDid, note } = input.body;
      const place = {
        link: ['body', 'presentationRequest'],
        selectedCredentials: ['body', 'selectedCredentials'],
        loginDid: ['body', 'loginDid'],
      };
      const answer = { link, selectedCredentials, did, loginDid, note };
      const presented = at(place, () => presentations.present(walletId, answer));
      return { status: 200, body: await presented.catch(withErrorMessage) };
    },
  }) satisfies Part;

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
