import type { KeyReference } from '../../../ports/key-service.ts';
import type { Log } from '../../../ports/log.ts';
import type { Store } from '../../../ports/store.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { methodIdOf } from '../../dids/did-document.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { at, fieldErrors, invalidField, reasonOf, replacing } from '../../foundation/errors.ts';
import { Defaults } from '../../holdings/defaults.ts';
import {
  ownStores,
  type PlacedStore,
  STORE_KINDS,
  type StaticDid,
  type StoreKind,
  type WalletShape,
  type WalletStores,
} from '../../holdings/places/wallet-stores.ts';
import type { WalletSettings } from '../../holdings/wallet-settings.ts';
import type { CredentialRemovals } from '../delivery/credential-removals.ts';
import type { DeferredCredentials } from '../delivery/deferred-credentials.ts';
import type { Holdings } from '../setup.ts';
import type { NamedStores } from './named-stores.ts';
import { OPERATOR, type WalletOwners } from './wallet-owners.ts';

/** What a new wallet consists of; without any of it, of a store of each kind for itself. */
interface NewWallet {
  keyStoreIds?: readonly string[];
  credentialStoreIds?: readonly string[];
  didStoreId?: string;
  noDidStore?: boolean;
  /** A private JWK. */
  staticKey?: unknown;
  /** A DID of the static key. */
  staticDid?: string;
}

/** A wallet as its owner sees it. */
interface WalletDescription extends WalletShape {
  defaultKeyId?: string;
  defaultDidId?: string;
}

/** The members of a new wallet that name stores. */
const STORE_MEMBERS = ['keyStoreIds', 'credentialStoreIds', 'didStoreId'] as const;

/** Creates and deletes wallets. */
export class Wallets {
  readonly #defaults: Defaults;

  constructor(
    private readonly parts: Holdings & {
      store: Store;
      stores: WalletStores;
      named: NamedStores;
      /** The owners: accounts, or the operator. */
      owners: WalletOwners;
      settings: WalletSettings;
      /** What a wallet that is removed waits for, and was granted. */
      deferred: Pick<DeferredCredentials, 'removeAll'>;
      removals: Pick<CredentialRemovals, 'removeAll'>;
      resolver: Pick<DidResolver, 'document'>;
      clock: Clock;
      ids: Ids;
      log: Log;
    },
  ) {
    this.#defaults = new Defaults(parts.store);
  }

  /**
   * Creates a wallet, or nothing. Its record in the list of its owner is the last that is written: before, nothing reaches it.
   * @throws DomainError `BadRequest` naming the member, `Conflict` for one too many, or of the resolver
   */
  async create(owner: string, wanted: NewWallet): Promise<string> {
    const { ids, owners, stores, clock } = this.parts;
    requireOwnStores(owner, wanted);
    await this.#settle(owner);
    const walletId = ids.uuid();
    const staticKey = wanted.staticKey === undefined ? undefined : await this.#readKey(wanted.staticKey);
    const staticDid = await this.#readDid(wanted.staticDid, staticKey);
    const all = await this.#attach(walletId, wanted);
    try {
      if (isUnusual(wanted))
        await stores.define(walletId, {
          stores: all,
          ...(staticKey && { staticKey }),
          ...(staticDid && { staticDid }),
          createdAt: clock.now(),
        });
      await owners.addWallet(owner, walletId);
    } catch (error) {
      await this.#detach(walletId, all, true).catch(() => undefined);
      await stores.forget(walletId).catch(() => undefined);
      throw error;
    }
    return walletId;
  }

  /** The ids of the wallets of an owner, oldest first. Completes deletions that were interrupted. */
  async list(owner: string): Promise<string[]> {
    await this.#settle(owner);
    return (await this.parts.owners.wallets(owner)).present;
  }

  async describe(walletId: string): Promise<WalletDescription> {
    const [shape, { keyId, did }] = await Promise.all([this.parts.stores.of(walletId), this.#defaults.of(walletId)]);
    return { ...shape, ...(keyId && { defaultKeyId: keyId }), ...(did && { defaultDidId: did }) };
  }

  /**
   * Deletes a wallet with its contents, and the stores that no other wallet has. From the first write on nothing reaches it;
   * what a failure leaves is removed later. @throws DomainError as `requireWallet` of its owner, or of a key's backend
   */
  async remove(owner: string, walletId: string): Promise<void> {
    const { owners } = this.parts;
    await owners.beginRemoval(owner, walletId);
    await this.#purge(walletId);
    await owners.endRemoval(owner, walletId);
  }

  async #settle(owner: string): Promise<void> {
    const { owners, log } = this.parts;
    for (const walletId of (await owners.wallets(owner)).leaving)
      try {
        await this.#purge(walletId);
        await owners.endRemoval(owner, walletId);
      } catch (error) {
        log.warn('a deleted wallet still has contents', { reason: reasonOf(error) });
      }
  }

  async #purge(walletId: string): Promise<void> {
    const { stores, credentials, activity, settings, deferred, removals } = this.parts;
    const shape = await stores.of(walletId);
    if (shape.stores.credentials.length > 0) await credentials.settle(walletId);
    const unused = await this.#detach(walletId, shape.stores);
    // From here on the wallet is one that has only its own stores.
    await stores.forget(walletId);
    for (const kind of REMOVAL_ORDER) if (unused[kind].includes(walletId)) await this.#empty(kind, walletId);
    await this.#defaults.forget(walletId);
    await settings.removeAll(walletId);
    await deferred.removeAll(walletId);
    await removals.removeAll(walletId);
    await activity.removeAll(walletId);
  }

  /** Takes all stores from a wallet, empties those that other wallets had before, and returns the places that no wallet has. */
  async #detach(
    walletId: string,
    stores: WalletShape['stores'],
    isUndone = false,
  ): Promise<Record<StoreKind, string[]>> {
    const unused: Record<StoreKind, string[]> = { keys: [], credentials: [], dids: [] };
    for (const kind of REMOVAL_ORDER)
      for (const store of stores[kind])
        if (await this.parts.named.detach(kind, store, { walletId, isUndone })) {
          unused[kind].push(store.place);
          if (store.place !== walletId) await this.#empty(kind, store.place);
        }
    return unused;
  }

  async #empty(kind: StoreKind, place: string): Promise<void> {
    const { credentials, dids, keys } = this.parts;
    if (kind === 'credentials') return credentials.removeAll(place);
    if (kind === 'dids') return dids.removeAll(place);
    await keys.removeAll(place);
  }

  async #attach(walletId: string, wanted: NewWallet): Promise<Record<StoreKind, PlacedStore[]>> {
    const own = ownStores(walletId);
    const ids: Record<StoreKind, readonly string[]> = {
      keys: wanted.keyStoreIds ?? [],
      credentials: wanted.credentialStoreIds ?? [],
      dids: wanted.didStoreId === undefined ? [] : [wanted.didStoreId],
    };
    const isWithout: Record<StoreKind, boolean> = {
      keys: wanted.staticKey !== undefined,
      credentials: false,
      dids: wanted.noDidStore === true || wanted.staticDid !== undefined,
    };
    const all: Record<StoreKind, PlacedStore[]> = { keys: [], credentials: [], dids: [] };
    try {
      for (const kind of STORE_KINDS) {
        const named = () => this.parts.named.attach(kind, ids[kind], walletId);
        if (ids[kind].length > 0) all[kind] = await at(PLACES[kind], named);
        else if (!isWithout[kind]) all[kind] = own[kind];
      }
    } catch (error) {
      await this.#detach(walletId, all, true);
      throw error;
    }
    return all;
  }

  #readKey(jwk: unknown): Promise<KeyReference> {
    return at({ jwk: ['staticKey', 'jwk'] }, () => this.parts.keys.read(jwk));
  }

  async #readDid(did: string | undefined, key: KeyReference | undefined): Promise<StaticDid | undefined> {
    if (did === undefined) return undefined;
    if (!key) throw invalidField(['staticDid'], 'needs the staticKey that it is a DID of');
    const unresolved = replacing('BadRequest', ({ message }) => invalidField(['staticDid'], message));
    const document = await this.parts.resolver.document(did).catch(unresolved);
    const kid = methodIdOf(document, did, key.publicJwk);
    if (kid === undefined) throw invalidField(['staticDid'], 'is not a DID of staticKey');
    return { did, kid };
  }
}

/** Where a new wallet names the stores of each kind. */
const PLACES: Readonly<Record<StoreKind, Parameters<typeof at>[0]>> = {
  keys: ['keyStoreIds'],
  credentials: ['credentialStoreIds'],
  dids: { 0: ['didStoreId'] },
};

/** DIDs before the keys that they use. */
const REMOVAL_ORDER = ['credentials', 'dids', 'keys'] as const satisfies readonly StoreKind[];

/** Whether a wallet differs from one with a store of each kind for itself. */
const isUnusual = ({ noDidStore, ...wanted }: NewWallet): boolean =>
  noDidStore === true ||
  Object.values(wanted).some((value) => (Array.isArray(value) ? value.length > 0 : value !== undefined));

/** Stores have no accounts that they belong to: only the operator names them. @throws DomainError `BadRequest` naming them */
function requireOwnStores(owner: string, wanted: NewWallet): void {
  const named = STORE_MEMBERS.filter((member) => isNamed(wanted[member]));
  if (owner !== OPERATOR && named.length > 0)
    throw fieldErrors(named.map((member) => ({ path: [member], message: 'is for installations without accounts' })));
  if (wanted.didStoreId !== undefined && (wanted.noDidStore || wanted.staticDid !== undefined))
    throw invalidField(['didStoreId'], 'cannot be used with noDidStore or staticDid');
}

const isNamed = (value: string | readonly string[] | undefined): boolean => value !== undefined && value.length > 0;
