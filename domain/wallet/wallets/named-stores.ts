import type { Collection, Store, Stored } from '../../../ports/store.ts';
import type { Clock, Ids, Turns } from '../../../ports/system.ts';
import { mapInTurns } from '../../foundation/concurrency.ts';
import { DomainError, fieldErrors } from '../../foundation/errors.ts';
import { insertFirst, readAll, update } from '../../foundation/records.ts';
import {
  NAMED_STORES,
  type NamedStore,
  type PlacedStore,
  type StoreKind,
  type WalletStores,
} from '../../holdings/places/wallet-stores.ts';
import type { OperatorWallets } from './operator-wallets.ts';

/** The most stores of a kind that are created by name, and the most wallets that have one store. */
export const MAX_STORES = 1000;
const MAX_USERS = 1000;
/** A wallet that has not been created after this time never is: its process ended. */
const CREATION_MS = 60_000;

/**
 * The stores that wallets without accounts name. Those that a wallet has for itself get a record here when another wallet
 * has them too. A store is removed with the last wallet that has it; one that no wallet had yet stays.
 */
export class NamedStores {
  readonly #stores: Collection<NamedStore>;

  constructor(
    private readonly parts: {
      store: Store;
      stores: WalletStores;
      wallets: OperatorWallets;
      clock: Clock;
      ids: Ids;
      turns: Turns;
    },
  ) {
    this.#stores = parts.store.collection(NAMED_STORES);
  }

  /** @throws DomainError `Conflict` when it exists, or for one too many */
  async create(kind: StoreKind, id: string): Promise<void> {
    const last = await this.#stores.ids({ parent: kind, order: 'id', offset: MAX_STORES - 1, limit: 1 });
    if (last.length > 0) throw new DomainError('Conflict', `There may be at most ${MAX_STORES} stores of a kind`);
    const exists = () => new DomainError('Conflict', 'This store exists already');
    if (await this.#walletOf(kind, id)) throw exists();
    const value = { place: `store:${this.parts.ids.uuid()}`, users: [] };
    if (!(await insertFirst(this.#stores, { id, parent: kind, value }))) throw exists();
  }

  /** The ids of all stores of a kind, those that wallets have for themselves too. */
  async list(kind: StoreKind): Promise<string[]> {
    const { stores, wallets, turns } = this.parts;
    const named = (await readAll({ collection: this.#stores, parent: kind })).map(({ id }) => id);
    const { present } = await wallets.wallets();
    const own = await mapInTurns(turns, present, async (walletId) => {
      const { stores: all } = await stores.of(walletId);
      return all[kind].filter(({ place }) => place === walletId).map(({ id }) => id);
    });
    return [...new Set([...named, ...own.flat()])].sort();
  }

  /**
   * Lets a new wallet have stores. @throws DomainError `BadRequest` naming the positions of those that do not exist,
   * `Conflict` for one wallet too many
   */
  async attach(kind: StoreKind, ids: readonly string[], walletId: string): Promise<PlacedStore[]> {
    const attached: PlacedStore[] = [];
    try {
      for (const [index, id] of ids.entries()) {
        const place = await this.#attachOne(kind, id, walletId);
        if (place === undefined) throw fieldErrors([{ path: [index], message: 'is no store' }]);
        attached.push({ id, place });
      }
    } catch (error) {
      for (const store of attached) await this.detach(kind, store, { walletId, isUndone: true });
      throw error;
    }
    return attached;
  }

  /**
   * Takes a store from a wallet; returns whether no other wallet has it: then it is no more, and its contents are to be removed.
   * A store that a wallet had first stays when the creation of that wallet is undone.
   */
  async detach(
    kind: StoreKind,
    { id, place }: PlacedStore,
    { walletId, isUndone = false }: { walletId: string; isUndone?: boolean },
  ): Promise<boolean> {
    const key = { id, parent: kind };
    const record = await this.#stores.get(key);
    if (record?.value.place !== place) return true;
    const gone = new Set([walletId, ...(await this.#neverCreated(record))]);
    const isEnd = (left: NamedStore, { users }: NamedStore): boolean =>
      left.users.length === 0 && !(isUndone && users.some((user) => user.walletId === walletId && user.isFirst));
    let isLast = false;
    await update({
      collection: this.#stores,
      key,
      change: (store) => {
        const left = { ...store, users: store.users.filter((user) => !gone.has(user.walletId)) };
        isLast = isEnd(left, store);
        return left;
      },
      expiresAt: (left, { value, expiresAt }) => (isEnd(left, value) ? 0 : expiresAt),
    });
    return isLast;
  }

  async #attachOne(kind: StoreKind, id: string, walletId: string): Promise<string | undefined> {
    const since = this.parts.clock.now();
    const key = { id, parent: kind };
    const first = await this.#walletOf(kind, id);
    if (first)
      await insertFirst(this.#stores, { ...key, value: { place: first, users: [{ walletId: first, since }] } });
    const change = (store: NamedStore): NamedStore => {
      if (store.users.length >= MAX_USERS)
        throw new DomainError('Conflict', `A store may be in at most ${MAX_USERS} wallets`);
      return { ...store, users: [...store.users, { walletId, since, isFirst: store.users.length === 0 }] };
    };
    const place = (await update({ collection: this.#stores, key, change }))?.value.place;
    // The deletion of that wallet may have begun before the record was there.
    if (place === undefined || !first || (await this.parts.wallets.has(first))) return place;
    await this.detach(kind, { id, place }, { walletId });
    return undefined;
  }

  /** The wallet that has a store for itself. */
  async #walletOf(kind: StoreKind, id: string): Promise<string | undefined> {
    const { stores, wallets } = this.parts;
    const [walletId, suffix] = [id.slice(0, 36), id.slice(36)];
    if (suffix !== `-${kind}` || !(await wallets.has(walletId))) return undefined;
    const isOwn = (await stores.of(walletId)).stores[kind].some(({ place }) => place === walletId);
    return isOwn ? walletId : undefined;
  }

  async #neverCreated({ value: { users } }: Stored<NamedStore>): Promise<string[]> {
    const gone: string[] = [];
    for (const { walletId, since } of users)
      if (since < this.parts.clock.now() - CREATION_MS && !(await this.parts.wallets.has(walletId)))
        gone.push(walletId);
    return gone;
  }
}
