import { mapInTurns } from '../../../../domain/foundation/concurrency.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { StoredCredential } from '../../../../domain/holdings/credentials.ts';
import { createManifest, type Manifest } from '../../../../domain/wallet/issuance/manifest.ts';
import { isAboutHolder } from '../../../../domain/wallet/issuance/received-credential.ts';
import type { Handlers } from '../../messages/operations.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-credentials'>>;

/** The operations on credentials. */
export const credentialHandlers = ({ credentials, imports, statuses }: WalletServices) =>
  ({
    listWalletCredentials: async (input) => {
      const { walletId } = input;
      const { showDeleted = false, showPending = false, descending = false, category: categories } = input.query;
      const stored = await credentials.list(walletId, { showDeleted, showPending, descending, categories });
      return { status: 200, body: await credentialViews(walletId, stored) };
    },
    getWalletCredential: async (input) => {
      const { walletId } = input;
      const credential = await credentials.get(walletId, input.path.credentialId);
      return { status: 200, body: credentialView(walletId, credential) };
    },
    deleteWalletCredential: async (input) => {
      const { walletId } = input;
      await credentials.remove(walletId, input.path.credentialId, input.query.permanent ?? false);
      return { status: 202 };
    },
    acceptWalletCredential: async (input) => {
      await credentials.accept(input.walletId, input.path.credentialId);
      return { status: 202 };
    },
    rejectWalletCredential: async (input) => {
      await credentials.reject(input.walletId, input.path.credentialId, input.body?.note);
      return { status: 202 };
    },
    restoreWalletCredential: async (input) => {
      const { walletId } = input;
      const credential = await credentials.restore(walletId, input.path.credentialId);
      return { status: 200, body: credentialView(walletId, credential) };
    },
    importWalletCredential: async (input) => {
      const { walletId } = input;
      const { jwt, associated_did: associatedDid } = input.body;
      const imported = await at(['body'], () => imports.import(walletId, { jwt, associatedDid }));
      return { status: 201, body: credentialView(walletId, imported) };
    },
    getWalletCredentialStatus: async (input) => {
      const found = await statuses.of(input.walletId, input.path.credentialId);
      const body = found.map(({ purpose, isSet, message = isSet ? 'set' : 'unset' }) => {
        return { type: purpose, result: isSet, message };
      });
      return { status: 200, body };
    },
  }) satisfies Part;

/** A credential as existing clients read it: `document` is the text as issued, `parsedDocument` what it says. */
export const credentialView = (walletId: string, credential: StoredCredential) => {
  const { id, document, addedAt, deletedAt, pending, format, categories, parsed, display } = credential;
  const manifest = manifestOf(credential);
  const subjectIsHolder = parsed && isAboutHolder(parsed, credential.holder);
  return {
    wallet: walletId,
    id,
    document,
    addedOn: isoMillis(addedAt),
    ...(deletedAt !== undefined && { deletedOn: isoMillis(deletedAt) }),
    pending,
    format,
    categories,
    ...(subjectIsHolder !== undefined && { subjectIsHolder }),
    ...(parsed && { parsedDocument: parsed.document }),
    ...(display && { display }),
    ...(manifest && { manifest }),
  };
};

/** The views of as many credentials as a wallet has; other work has its turn meanwhile. */
export const credentialViews = (walletId: string, credentials: StoredCredential[]) =>
  mapInTurns({ next: setImmediate }, credentials, (credential) => credentialView(walletId, credential));

/** The manifest of a credential; undefined when its issuer published no display data. */
export const manifestOf = ({ display, parsed }: StoredCredential): Manifest | undefined =>
  display && createManifest(display, parsed?.issuer.id ?? '');
