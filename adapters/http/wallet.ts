import type { WalletAccess } from '../../domain/accounts/accounts.ts';
import { at, DomainError, isDomainError } from '../../domain/foundation/errors.ts';
import { isoMillis } from '../../domain/foundation/time.ts';
import type { Credentials, StoredCredential } from '../../domain/holdings/credentials.ts';
import type { DidSummary, Dids } from '../../domain/holdings/dids.ts';
import type { KeySummary, Keys } from '../../domain/holdings/keys.ts';
import type { IssuerDirectory } from '../../domain/wallet/issuer-directory.ts';
import type { OfferRedemption } from '../../domain/wallet/offer-redemption.ts';
import type { PresentationClient } from '../../domain/wallet/presentation-client.ts';
import type { Caller, Handlers } from './operations.ts';

/** What the handlers of the document `wallet` need. */
export interface WalletServices {
  access: WalletAccess;
  keys: Keys;
  dids: Dids;
  credentials: Credentials;
  offers: OfferRedemption;
  issuers: IssuerDirectory;
  presentations: PresentationClient;
}

type Part = Partial<Handlers<'wallet'>>;

interface WalletInput {
  path: { wallet: string };
  caller: Caller;
}

/** Gives the wallet of the path when it is the caller's. */
const ownWallet = async (access: WalletAccess, { path, caller }: WalletInput): Promise<string> => {
  const walletId = path.wallet.toLowerCase();
  await access.requireWallet(caller.accountId, walletId);
  return walletId;
};

/** The wallet as holder. */
export const walletHandlers = (services: WalletServices): Handlers<'wallet'> => ({
  ...keyHandlers(services),
  ...didHandlers(services),
  ...credentialHandlers(services),
  ...exchangeHandlers(services),
});

const keyHandlers = ({ access, keys }: WalletServices) =>
  ({
    listWalletKeys: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: (await keys.list(walletId)).map(keyView) };
    },
    generateWalletKey: async (input) => {
      const walletId = await ownWallet(access, input);
      const { backend = 'jwk', keyType = 'Ed25519', name, config } = input.body;
      return {
        status: 201,
        body: await at(['body'], () => keys.create(walletId, { backend, keyType, name, config })),
      };
    },
    deleteWalletKey: async (input) => {
      const owner = await ownWallet(access, input);
      await keys.remove({ owner, id: input.path.keyId });
      return { status: 202 };
    },
  }) satisfies Part;

const didHandlers = ({ access, dids }: WalletServices) =>
  ({
    listWalletDids: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: (await dids.list(walletId)).map(didView) };
    },
    createWalletDid: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: await dids.create(walletId, { method: input.path.method, ...input.query }) };
    },
    setDefaultWalletDid: async (input) => {
      await dids.makeDefault(await ownWallet(access, input), input.query.did);
      return { status: 202 };
    },
    getWalletDid: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: await dids.document(walletId, input.path.did) };
    },
    deleteWalletDid: async (input) => {
      await dids.remove(await ownWallet(access, input), input.path.did);
      return { status: 202 };
    },
  }) satisfies Part;

const credentialHandlers = ({ access, credentials }: WalletServices) =>
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
    listTransactionDataProfiles: async () => ({ status: 200, body: [] }),
  }) satisfies Part;

const exchangeHandlers = ({ access, offers, issuers, presentations }: WalletServices) =>
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
    listWalletIssuers: async (input) => {
      await ownWallet(access, input);
      return { status: 200, body: [] };
    },
    resolveIssuerMetadata: async (input) => {
      await ownWallet(access, input);
      return { status: 200, body: await issuers.metadata(input.query.issuer) };
    },
    resolvePresentationRequest: async (input) => {
      await ownWallet(access, input);
      return { status: 200, body: await at({ link: ['body'] }, () => presentations.resolve(input.body)) };
    },
    matchWalletCredentials: async (input) => {
      const walletId = await ownWallet(access, input);
      const matching = await at(['body'], () => presentations.match(walletId, input.body));
      return { status: 200, body: matching.map((credential) => credentialView(walletId, credential)) };
    },
    presentCredentials: async (input) => {
      const walletId = await ownWallet(access, input);
      const { presentationRequest: link, selectedCredentials, did } = input.body;
      const place = { link: ['body', 'presentationRequest'], selectedCredentials: ['body', 'selectedCredentials'] };
      const presented = at(place, () => presentations.present(walletId, { link, selectedCredentials, did }));
      return { status: 200, body: await presented.catch(withErrorMessage) };
    },
  }) satisfies Part;

/** Existing clients read the message of a failed presentation as `errorMessage`, beside the verifier's `redirectUri`. */
function withErrorMessage(error: unknown): never {
  if (!isDomainError(error)) throw error;
  const { code, message, extra } = error;
  throw new DomainError(code, message, { ...error, cause: error, extra: { errorMessage: message, ...extra } });
}

/** A key as existing clients read it; `keyPair` is always empty. */
const keyView = ({ id, keyType, backend, name }: KeySummary) => ({
  algorithm: keyType,
  cryptoProvider: backend,
  keyId: { id },
  keyPair: {},
  keysetHandle: null,
  ...(name && { name }),
});

/** A DID as existing clients read it; its document is JSON text. */
const didView = ({ did, alias, document, keyId, isDefault, createdAt }: DidSummary) => ({
  did,
  alias,
  document: JSON.stringify(document),
  keyId,
  default: isDefault,
  createdOn: isoMillis(createdAt),
});

/** A credential as existing clients read it: `document` is the text as issued, `parsedDocument` what it says. */
const credentialView = (walletId: string, credential: StoredCredential) => {
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
