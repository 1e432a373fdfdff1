import type { KeyReference } from '../../../ports/key-service.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { utf8Length } from '../../foundation/bytes.ts';
import { TimedCache } from '../../foundation/timed-cache.ts';
import { PlacedCollection } from './placed-collection.ts';

/** The kinds of stores that a wallet reads from and writes to. */
export const STORE_KINDS = ['keys', 'credentials', 'dids'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/** A store of one kind. */
export interface PlacedStore {
  /** As callers name it. */
  id: string;
  /** The parent of its records. */
  place: string;
}

/** A DID that a wallet was created with; it is one of the static key. */
export interface StaticDid {
  did: string;
  /** The DID URL of the static key. */
  kid: string;
}

/** What a wallet consists of, which never changes. */
export interface WalletShape {
  /** In the order in which they are read; the first is written to. At most one for DIDs. */
  stores: Readonly<Record<StoreKind, readonly PlacedStore[]>>;
  /** Used after all keys of the stores. */
  staticKey?: KeyReference;
  staticDid?: StaticDid;
  /** Milliseconds since the epoch. */
  createdAt?: number;
}

/** A store with a name that several wallets may have. */
export interface NamedStore {
  /** The parent of its records, never used again. */
  place: string;
  /** The wallets that have it. */
  users: StoreUser[];
}

interface StoreUser {
  walletId: string;
  /** Milliseconds since the epoch. */
  since: number;
  /** Whether no other wallet had the store at that time. */
  isFirst?: boolean;
}

/** By kind and id. */
export const NAMED_STORES: CollectionSpec<NamedStore> = { name: 'wallet-stores', listed: true, afterRestore: 'kept' };

/** The shapes of wallets that differ from the default, by wallet. */
const WALLET_SHAPES: CollectionSpec<WalletShape> = { name: 'wallet-shapes', afterRestore: 'kept' };

/** Shapes never change; the time only bounds how long the memory of an unused one is held. */
const CACHED_MS = 3_600_000;

const NO_STORE: Readonly<Record<StoreKind, string>> = {
  keys: 'This wallet has no key store',
  credentials: 'This wallet has no credential store',
  dids: 'This wallet has no DID store',
};

/** Which stores each wallet has: by default one of its own of each kind. */
export class WalletStores {
  readonly #shapes: Collection<WalletShape>;
  readonly #named: Collection<NamedStore>;
  readonly #known: TimedCache<WalletShape | undefined>;

  constructor(private readonly parts: { store: Store; clock: Clock }) {
    this.#shapes = parts.store.collection(WALLET_SHAPES);
    this.#named = parts.store.collection(NAMED_STORES);
    this.#known = new TimedCache({
      name: 'wallet-shapes',
      clock: parts.clock,
      failureTtlMs: 0,
      load: async (walletId) => {
        const value = (await this.#shapes.get({ id: walletId }))?.value;
        return { value, ttlMs: CACHED_MS, bytes: value ? utf8Length(JSON.stringify(value)) : 0 };
      },
    });
  }

  async of(walletId: string): Promise<WalletShape> {
    return (await this.#known.get(walletId)) ?? { stores: ownStores(walletId) };
  }

  /** The other wallets that have a store of a wallet. */
  async othersWith(kind: StoreKind, { id, place }: PlacedStore, walletId: string): Promise<string[]> {
    const named = (await this.#named.get({ id, parent: kind }))?.value;
    const users = named?.place === place ? named.users : [];
    return users.map((user) => user.walletId).filter((user) => user !== walletId);
  }

  /** A collection whose records are grouped by the stores of one kind, and reached by the wallets that have them. */
  collection<T>(kind: StoreKind, spec: CollectionSpec<T>): PlacedCollection<T> {
    const places = async (walletId: string) => {
      const shape = await this.#known.get(walletId);
      return shape ? shape.stores[kind].map(({ place }) => place) : [walletId];
    };
    return new PlacedCollection(this.parts.store.collection(spec), { places, none: NO_STORE[kind] });
  }

  /** Gives a new wallet, which nothing has read yet, a shape other than the default. */
  async define(walletId: string, shape: WalletShape): Promise<void> {
    await this.#shapes.insert({ id: walletId, value: shape });
  }

  /** Forgets the shape of a wallet that no caller reaches any more. */
  async forget(walletId: string): Promise<void> {
    await this.#shapes.remove({ id: walletId });
    this.#known.forget(walletId);
  }
}

/** The stores that a wallet has for itself. */
export const ownStores = (walletId: string): Record<StoreKind, PlacedStore[]> => {
  const own = (kind: StoreKind): PlacedStore[] => [{ id: `${walletId}-${kind}`, place: walletId }];
  return { keys: own('keys'), credentials: own('credentials'), dids: own('dids') };
};
