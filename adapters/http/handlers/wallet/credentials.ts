import { earliestEnd } from '../../../../domain/credentials/validity.ts';
import { mapInTurns } from '../../../../domain/foundation/concurrency.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis, parseIso } from '../../../../domain/foundation/time.ts';
import type { StoredCredential } from '../../../../domain/holdings/credentials.ts';
import { isAboutHolder } from '../../../../domain/wallet/issuance/received-credential.ts';
import { createManifest, type Manifest } from '../../../../domain/wallet/manifest.ts';
import { done, type Handlers, reply } from '../../messages/operations.ts';
import type { WalletInput } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-credentials'>>;

/** The operations on credentials. */
export const credentialHandlers = ({ credentials, imports, statuses, removals }: WalletServices) =>
  ({
    listWalletCredentials: async ({ walletId, query }) => {
      const { showDeleted = false, showPending = false, descending = false, category: categories, limit } = query;
      const after = query.after === undefined ? undefined : parseIso(query.after);
      const filter = { showDeleted, showPending, descending, categories, limit, after };
      const stored = await credentials.list(walletId, filter);
      return { status: 200, body: await credentialViews(walletId, stored) };
    },
    getWalletCredential: reply(200, async ({ walletId, path }) =>
      credentialView(walletId, await credentials.get(walletId, path.credentialId)),
    ),
    deleteWalletCredential: done(202, ({ walletId, path, query }) =>
      removals.remove(walletId, path.credentialId, query.permanent ?? false),
    ),
    acceptWalletCredential: done(202, ({ walletId, path }) => credentials.accept(walletId, path.credentialId)),
    rejectWalletCredential: done(202, ({ walletId, path, body }) =>
      removals.reject(walletId, path.credentialId, body?.note),
    ),
    restoreWalletCredential: reply(200, async ({ walletId, path }) =>
      credentialView(walletId, await credentials.restore(walletId, path.credentialId)),
    ),
    importWalletCredential: async ({ walletId, body }) => {
      const { jwt, associated_did: associatedDid } = body;
      const imported = await at(['body'], () => imports.import(walletId, { jwt, associatedDid }));
      return { status: 201, body: credentialView(walletId, imported) };
    },
    getWalletCredentialStatus: reply(200, async ({ walletId, path }) =>
      (await statuses.of(walletId, path.credentialId)).map(({ purpose, isSet, message = isSet ? 'set' : 'unset' }) => ({
        type: purpose,
        result: isSet,
        message,
      })),
    ),
  }) satisfies Part;

/** A credential as existing clients read it: `document` is the text as issued, `parsedDocument` what it says. */
export const credentialView = (walletId: string, credential: StoredCredential) => {
  const {
    id,
    document,
    addedAt,
    deletedAt,
    pending,
    format,
    categories,
    parsed,
    display,
    key,
    copies = [],
  } = credential;
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
    ...(key && { copies: copies.length + 1 }),
    ...factsOf(parsed),
    categories,
    ...(subjectIsHolder !== undefined && { subjectIsHolder }),
    ...(parsed && { parsedDocument: parsed.document }),
    ...(display && { display }),
    ...(manifest && { manifest }),
  };
};

/** What a credential of any format says of itself; one that cannot be parsed says nothing. */
function factsOf(parsed: StoredCredential['parsed']) {
  if (!parsed) return { hasStatus: false };
  const { type, issuer, validity, status } = parsed;
  const end = earliestEnd(validity)?.ms;
  const validUntil = end === undefined ? '' : isoMillis(end);
  return {
    type,
    issuer: issuer.id,
    // Later years have no form in RFC 3339.
    ...(/^\d{4}-/.test(validUntil) && { validUntil }),
    hasStatus: status.length > 0,
  };
}

/** The views of as many credentials as a wallet has; other work has its turn meanwhile. */
export const credentialViews = (walletId: string, credentials: StoredCredential[]) =>
  mapInTurns({ next: setImmediate }, credentials, (credential) => credentialView(walletId, credential));

/** The manifest of a credential; undefined when its issuer published no display data. */
const manifestOf = ({ display, parsed }: StoredCredential): Manifest | undefined =>
  display && createManifest(display, parsed?.issuer.id ?? '');

/** The operations on categories, and on those of a credential. */
export const categoryHandlers = ({ categories, credentials }: WalletServices) =>
  ({
    listWalletCategories: reply(200, async ({ walletId }) =>
      (await categories.list(walletId)).categories.map(({ name }) => ({ name })),
    ),
    addWalletCategory: done(201, ({ walletId, path }) => categories.add(walletId, path.name)),
    deleteWalletCategory: done(202, ({ walletId, path }) => categories.remove(walletId, path.name)),
    renameWalletCategory: done(202, ({ walletId, path: { name: from, newName: to } }) =>
      categories.rename(walletId, { from, to }),
    ),
    addWalletCredentialCategories: done(201, ({ walletId, path, body }) =>
      at(['body'], () => credentials.categorise(walletId, path.credentialId, { add: body })),
    ),
    removeWalletCredentialCategories: done(202, ({ walletId, path, body }) =>
      at(['body'], () => credentials.categorise(walletId, path.credentialId, { remove: body })),
    ),
  }) satisfies Part;

/** The operations on manifests. */
export const manifestHandlers = ({ credentials, manifests }: WalletServices) => {
  type Input = WalletInput & { path: { credentialId: string } };
  const stored = async ({ walletId, path }: Input): Promise<Manifest | undefined> =>
    manifestOf(await credentials.get(walletId, path.credentialId));
  return {
    getWalletManifest: async (input) => orNone(await stored(input)),
    getWalletManifestDisplay: async (input) => orNone((await stored(input))?.display),
    getWalletManifestIssuer: async (input) => orNone((await stored(input))?.issuer),
    extractManifest: async ({ walletId, query }) =>
      orNone(await at(['query', 'offer'], () => manifests.extract(walletId, query.offer))),
  } satisfies Part;
};

const orNone = <T>(body: T | undefined) => (body ? { status: 200 as const, body } : { status: 204 as const });
