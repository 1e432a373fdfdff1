import type { KeyReference } from '../../ports/key-service.ts';
import type { CollectionSpec } from '../../ports/store.ts';
import type { Removable } from '../foundation/removal.ts';

/** A key of a wallet; its id is the thumbprint of the public key. */
export interface KeyRecord extends Removable {
  reference: KeyReference;
  name?: string;
}

/** A DID of a wallet; its id is the DID. */
export interface DidRecord {
  alias: string;
  keyId: string;
  document: Record<string, unknown>;
}

/** A credential of a wallet. */
export interface CredentialRecord {
  format: string;
  /** The credential as it was issued. */
  document: string;
  /** The DID it was issued to. */
  holder: string;
  /** Whether the user has yet to accept it. */
  pending: boolean;
  /** When it was marked as deleted, in milliseconds since the epoch. */
  deletedAt?: number;
}

/** What wallets own, by wallet. */
export const WALLET_KEYS: CollectionSpec<KeyRecord> = { name: 'wallet-keys', listed: true, sealed: true };
export const WALLET_DIDS: CollectionSpec<DidRecord> = { name: 'wallet-dids', listed: true, sealed: true };
export const WALLET_CREDENTIALS: CollectionSpec<CredentialRecord> = {
  name: 'wallet-credentials',
  listed: true,
  sealed: true,
};
/** Credentials that were received together and are not yet all in their places. */
export const WALLET_ARRIVALS: CollectionSpec<CredentialRecord[]> = {
  name: 'wallet-arrivals',
  listed: true,
  sealed: true,
};
/** The default DID of each wallet, by the wallet's id. */
export const WALLET_DEFAULTS: CollectionSpec<{ did: string }> = {
  name: 'wallet-defaults',
  listed: false,
  sealed: true,
};
