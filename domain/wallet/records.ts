import type { KeyReference } from '../../ports/key-service.ts';
import type { Collection, CollectionSpec, Order, RecordKey, Stored } from '../../ports/store.ts';
import { isDomainError } from '../foundation/errors.ts';
import type { Removable } from '../foundation/removal.ts';

/** A wallet's key; its id is the thumbprint of the public key. */
export interface KeyRecord extends Removable {
  reference: KeyReference;
  name?: string;
}

/** A wallet's DID; its id is the DID. */
export interface DidRecord {
  alias: string;
  keyId: string;
  document: Record<string, unknown>;
}

/** A credential that a wallet holds. */
export interface CredentialRecord {
  format: string;
  /** The credential as it was issued. */
  document: string;
  /** The DID it was issued to. */
  holder: string;
  /** Waits for the user to accept it. */
  pending: boolean;
  /** When it was put aside, in milliseconds since the epoch. */
  deletedAt?: number;
}

export const WALLET_KEYS: CollectionSpec<KeyRecord> = { name: 'wallet-keys', listed: true, sealed: true };
export const WALLET_DIDS: CollectionSpec<DidRecord> = { name: 'wallet-dids', listed: true, sealed: true };
export const WALLET_CREDENTIALS: CollectionSpec<CredentialRecord> = {
  name: 'wallet-credentials',
  listed: true,
  sealed: true,
};
/** Credentials that arrived together, from the moment all are there until each is in its place. */
export const WALLET_ARRIVALS: CollectionSpec<CredentialRecord[]> = {
  name: 'wallet-arrivals',
  listed: true,
  sealed: true,
};
/** Each wallet's default DID, under the wallet's id. */
export const WALLET_DEFAULTS: CollectionSpec<{ did: string }> = {
  name: 'wallet-defaults',
  listed: false,
  sealed: true,
};

const PAGE = 200;

/** Everything of one wallet, oldest first unless told otherwise. */
export async function readAll<T>(
  collection: Collection<T>,
  walletId: string,
  order: Order = 'created+',
): Promise<Stored<T>[]> {
  const all: Stored<T>[] = [];
  for (let full = true; full; ) {
    const page = await collection.list({ parent: walletId, order, offset: all.length, limit: PAGE });
    all.push(...page);
    full = page.length === PAGE;
  }
  return all;
}

/** Removes everything of one wallet; what disappears meanwhile is fine. */
export async function removeAll<T>(collection: Collection<T>, walletId: string): Promise<void> {
  for (const { id } of await readAll(collection, walletId)) await collection.remove({ id, parent: walletId });
}

const MOST_ATTEMPTS = 100;

/** Changes a record whatever happens to it at the same time; undefined when there is none. */
export async function update<T>(
  collection: Collection<T>,
  key: RecordKey,
  change: (value: T) => T,
): Promise<Stored<T> | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await collection.get(key);
    if (!before) return undefined;
    try {
      return await collection.replace({ ...key, value: change(before.value) }, before.revision);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isDomainError(error, 'Conflict')) throw error;
    }
  }
}
