import { at, DomainError, isDomainError } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { RequestDescription } from '../../../../domain/wallet/presentation/request-description.ts';
import { type Handlers, reply, replyToBody } from '../../messages/operations.ts';
import { messageFor } from '../../messages/problems.ts';
import { credentialViews } from './credentials.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-exchange'>>;

/** How presentation requests are looked at and answered. */
export const presentationHandlers = ({ presentations, descriptions, matching }: WalletServices) =>
  ({
    resolvePresentationRequest: reply(200, ({ body }) => at({ link: ['body'] }, () => presentations.resolve(body))),
    describePresentationRequest: reply(200, async ({ walletId, body }) =>
      descriptionView(await at({ link: ['body'] }, () => descriptions.describe(walletId, body))),
    ),
    declinePresentationRequest: async ({ walletId, body }) => {
      const { presentationRequest: link, note } = body;
      const place = { link: ['body', 'presentationRequest'] };
      return { status: 200, body: await at(place, () => presentations.decline(walletId, { link, note })) };
    },
    matchWalletCredentials: replyToBody(200, async ({ walletId, body }) =>
      credentialViews(walletId, await matching.forDefinition(walletId, body)),
    ),
    listMissingCredentials: replyToBody(200, ({ walletId, body }) => matching.missingFor(walletId, body)),
    matchRequestedCredentials: reply(200, async ({ walletId, body }) =>
      credentialViews(walletId, await at({ link: ['body'] }, () => matching.forRequest(walletId, body))),
    ),
    presentCredentials: async ({ walletId, body }) => {
      const { presentationRequest: link, selectedCredentials, did, loginDid, note } = body;
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
