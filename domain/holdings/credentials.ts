import type { ParsedCredential } from '../../ports/credential-formats.ts';
import type { Store, Stored } from '../../ports/store.ts';
import type { Clock, Turns } from '../../ports/system.ts';
import type { CredentialFormats } from '../credentials/formats/formats.ts';
import { mapInTurns } from '../foundation/concurrency.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { removeAll, update } from '../foundation/records.ts';
import { recordsAfter } from '../foundation/seek.ts';
import type { ActivityRecorder } from './activity.ts';
import { Categories } from './categories.ts';
import { categoryIds, categoryNames, existingIds } from './category-list.ts';
import { type CredentialAction, credentialActivity } from './credential-activity.ts';
import { CredentialIntake } from './credential-intake.ts';
import type { PlacedCollection } from './places/placed-collection.ts';
import type { WalletStores } from './places/wallet-stores.ts';
import { type CredentialRecord, type IssuedRecord, WALLET_CREDENTIALS } from './records.ts';
import { requireRoom } from './room.ts';

/** A stored credential. */
export interface StoredCredential extends CredentialRecord {
  id: string;
  /** Milliseconds since the epoch. */
  addedAt: number;
  /** The names of its categories. */
  categories: string[];
  /** What it says, when its format is supported and it can be parsed. */
  parsed?: ParsedCredential;
}

/** Which credentials a list shows, in the order they were added unless `descending`. Each was added at another time. */
interface CredentialFilter {
  showDeleted: boolean;
  showPending: boolean;
  descending: boolean;
  /** The names of categories of which it must be in one; any credential when absent. */
  categories?: readonly string[];
  /** How many credentials at most; all when absent. */
  limit?: number;
  /** How many of them are left out at the beginning of the list. */
  offset?: number;
  /** When the last credential of the page before was added, in milliseconds since the epoch; absent for the first page. */
  after?: number;
}

/** How many records are read at a time: as many as are wanted, but more where most of them may not match. */
const [LEAST, MOST] = [20, 200];

/** Names of categories that a credential gets into and out of. */
interface CategoryChange {
  add?: readonly string[];
  remove?: readonly string[];
}

/** The credentials of wallets, each in the wallet that owns it. */
export class Credentials {
  readonly #records: PlacedCollection<CredentialRecord>;
  readonly #intake: CredentialIntake;
  readonly #categories: Categories;

  constructor(
    private readonly parts: {
      store: Store;
      stores: WalletStores;
      formats: CredentialFormats;
      clock: Clock;
      turns: Turns;
      activity: ActivityRecorder;
    },
  ) {
    this.#records = parts.stores.collection('credentials', WALLET_CREDENTIALS);
    this.#intake = new CredentialIntake(parts);
    this.#categories = new Categories(parts);
  }

  /** Credentials that are added and removed between two pages repeat and hide no other. */
  async list(owner: string, filter: CredentialFilter): Promise<StoredCredential[]> {
    await this.#intake.settleAll(owner);
    const { limit = Number.POSITIVE_INFINITY, offset = 0, after, categories } = filter;
    const list = categories && (await this.#categories.list(owner));
    const isIn = ({ categoryIds: ids }: CredentialRecord): boolean =>
      !list || categoryNames(list, ids).some((name) => categories?.includes(name));
    const found: Stored<CredentialRecord>[] = [];
    const order = filter.descending ? 'created-' : 'created+';
    const size = Math.min(MOST, Math.max(LEAST, offset + limit));
    for await (const record of recordsAfter({ collection: this.#records, parent: owner, order, after, size })) {
      const { deletedAt, pending } = record.value;
      const isShown = (filter.showDeleted || deletedAt === undefined) && (filter.showPending || !pending);
      if (isShown && isIn(record.value)) found.push(record);
      if (found.length >= offset + limit) break;
    }
    return this.#read(owner, found.slice(offset));
  }

  /** Returns what can be presented: credentials that are neither pending nor marked as deleted. */
  usable(owner: string): Promise<StoredCredential[]> {
    return this.list(owner, { showDeleted: false, showPending: false, descending: false });
  }

  /** @throws DomainError `NotFound` */
  async get(owner: string, id: string): Promise<StoredCredential> {
    await this.#intake.settleAll(owner);
    return this.#one(owner, (await this.#records.get({ id, parent: owner })) ?? noCredential(id));
  }

  /**
   * Hands out the copy of a credential to present: each once, while there are others; of two at once each gets another one.
   * @throws DomainError `NotFound`
   */
  async takeCopy(owner: string, credential: StoredCredential): Promise<StoredCredential> {
    const { id, copies } = credential;
    if (copies === undefined || copies.length === 0) return credential;
    let taken: CredentialRecord = credential;
    const change = (value: CredentialRecord) => {
      taken = value;
      const [next, ...others] = value.copies ?? [];
      return next ? { ...value, ...next, copies: others } : value;
    };
    const stored = await update({ collection: this.#records, key: { id, parent: owner }, change });
    return this.#one(owner, { ...(stored ?? noCredential(id)), value: taken });
  }

  /** Checks that a wallet may receive credentials, those marked as deleted counted. @throws DomainError `Conflict` */
  requireRoom(owner: string): Promise<void> {
    return requireRoom(this.#records, { owner, kind: 'credentials' });
  }

  /** Stores credentials that were received together, all or none. */
  async addAll(owner: string, arrived: CredentialRecord[]): Promise<StoredCredential[]> {
    return this.#read(owner, await this.#intake.addAll(owner, arrived));
  }

  /** Stores a credential that the wallet does not have. @throws DomainError `Conflict`, also for one too many */
  async addNew(owner: string, credential: CredentialRecord): Promise<StoredCredential> {
    await this.requireRoom(owner);
    return this.#one(owner, await this.#intake.addNew(owner, credential));
  }

  /** Accepts a pending credential. @throws DomainError `NotFound` */
  async accept(owner: string, id: string): Promise<void> {
    const change = (value: CredentialRecord) => (value.pending ? { ...value, pending: false } : value);
    const { credential, isChanged } = await this.#change({ owner, id, change });
    if (isChanged) await this.#record(owner, 'Accept', credential);
  }

  /** Removes a pending credential permanently. @throws DomainError `NotFound`, `Conflict` when it is not pending */
  async reject(owner: string, id: string, note?: string): Promise<void> {
    const change = (value: CredentialRecord) => {
      if (!value.pending) throw new DomainError('Conflict', 'The credential is not pending; it can be deleted');
      return { ...value };
    };
    const { credential } = await this.#change({ owner, id, change, isLast: true });
    await this.#record(owner, 'Reject', credential, note);
  }

  /** Puts what an issuer gave anew in the place of a credential, which keeps what its owner did with it. @throws DomainError `NotFound` */
  async replace(owner: string, id: string, issued: IssuedRecord): Promise<StoredCredential> {
    const { key, copies, ...renewed } = issued;
    return (await this.#change({ owner, id, change: (value) => ({ ...value, ...renewed, key, copies }) })).credential;
  }

  /** Withdraws the mark as deleted. @throws DomainError `NotFound` */
  async restore(owner: string, id: string): Promise<StoredCredential> {
    const change = (value: CredentialRecord) => {
      const { deletedAt, ...rest } = value;
      return deletedAt === undefined ? value : rest;
    };
    return (await this.#change({ owner, id, change })).credential;
  }

  /** Marks a credential as deleted, or removes it permanently. @throws DomainError `NotFound` */
  async remove(owner: string, id: string, permanent: boolean): Promise<void> {
    const deletedAt = this.parts.clock.now();
    const change = (value: CredentialRecord) => ({ ...value, deletedAt });
    const { credential } = await this.#change({ owner, id, change, isLast: permanent });
    await this.#record(owner, 'Delete', credential);
  }

  /** Changes the categories of a credential. @throws DomainError `NotFound`, `BadRequest` naming the unknown categories */
  async categorise(owner: string, id: string, { add = [], remove = [] }: CategoryChange): Promise<void> {
    const list = await this.#categories.list(owner);
    const [added, removed] = [categoryIds(list, add), categoryIds(list, remove)];
    const change = (value: CredentialRecord) => ({
      ...value,
      categoryIds: existingIds(list, [...(value.categoryIds ?? []), ...added]).filter((one) => !removed.includes(one)),
    });
    await this.#change({ owner, id, change });
  }

  /** Puts what was received together in its places, if that was interrupted. */
  settle(owner: string): Promise<void> {
    return this.#intake.settleAll(owner);
  }

  async removeAll(owner: string): Promise<void> {
    await this.#intake.removeAll(owner);
    await removeAll({ collection: this.#records, parent: owner });
    await this.#categories.removeAll(owner);
  }

  /** With `isLast`, the changed credential is removed by the same write. @throws DomainError `NotFound` */
  async #change({ owner, id, change, isLast = false }: CredentialChange) {
    let isChanged = false;
    const stored = await update({
      collection: this.#records,
      key: { id, parent: owner },
      change: (value) => {
        const next = change(value);
        isChanged = next !== value;
        return next;
      },
      ...(isLast && { expiresAt: () => 0 }),
    });
    return { credential: await this.#one(owner, stored ?? noCredential(id)), isChanged };
  }

  async #one(owner: string, record: Stored<CredentialRecord>): Promise<StoredCredential> {
    const [credential] = await this.#read(owner, [record]);
    return credential ?? noCredential(record.id);
  }

  async #read(owner: string, records: Stored<CredentialRecord>[]): Promise<StoredCredential[]> {
    const list = await this.#categories.list(owner);
    return mapInTurns(this.parts.turns, records, async ({ id, createdAt, value }) => ({
      id,
      addedAt: createdAt,
      ...value,
      categories: categoryNames(list, value.categoryIds),
      parsed: await this.#parse(value),
    }));
  }

  /** A credential that cannot be parsed (any more) stays in the list, as it was issued, but matches no request. */
  async #parse({ format, document }: CredentialRecord): Promise<ParsedCredential | undefined> {
    try {
      return await this.parts.formats.supported(format)?.codec.parse(document);
    } catch (error) {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return undefined;
    }
  }

  async #record(owner: string, action: CredentialAction, credential: StoredCredential, note?: string): Promise<void> {
    await this.parts.activity.record(owner, { ...credentialActivity(action, credential), ...(note && { note }) });
  }
}

/** A change of one credential; pure, since it may be called again. */
interface CredentialChange {
  owner: string;
  id: string;
  change(value: CredentialRecord): CredentialRecord;
  isLast?: boolean;
}

function noCredential(id: string): never {
  throw new DomainError('NotFound', `This wallet has no credential ${id.slice(0, 80)}`);
}
