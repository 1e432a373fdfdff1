import { isoMillis } from '../../../domain/foundation/time.ts';
import type { StoredCredential } from '../../../domain/holdings/credentials.ts';
import type { Handlers } from '../operations.ts';
import { ownWallet } from './access.ts';
import type { WalletServices } from './services.ts';

/** The operations on credentials. */
export const credentialHandlers = ({ access, credentials }: WalletServices) =>
  ({
    listWalletCredentials: async (input) => {
      const walletId = await ownWallet(access, input);
      const { showDeleted = false, showPending = false, descending = false } = input.query;
      const stored = await credentials.list(walletId, { showDeleted, showPending, descending });
      return { status: 200, body: stored.map((credential) => credentialView(walletId, credential)) };
    },
    getWalletCredential: async (input) => {
      const walletId = await ownWallet(access, input);
      const credential = await credentials.get(walletId, input.path.credentialId);
      return { status: 200, body: credentialView(walletId, credential) };
    },
    deleteWalletCredential: async (input) => {
      const walletId = await ownWallet(access, input);
      await credentials.remove(walletId, input.path.credentialId, input.query.permanent ?? false);
      return { status: 202 };
    },
    acceptWalletCredential: async (input) => {
      await credentials.accept(await ownWallet(access, input), input.path.credentialId);
      return { status: 202 };
    },
  }) satisfies Handlers<'wallet-credentials'>;

/** A credential as existing clients read it: `document` is the text as issued, `parsedDocument` what it says. */
export const credentialView = (walletId: string, credential: StoredCredential) => {
  const { id, document, addedAt, deletedAt, pending, format, parsed } = credential;
  return {
    wallet: walletId,
    id,
    document,
    addedOn: isoMillis(addedAt),
    ...(deletedAt !== undefined && { deletedOn: isoMillis(deletedAt) }),
    pending,
    format,
    ...(parsed && { parsedDocument: parsed.document }),
  };
};
