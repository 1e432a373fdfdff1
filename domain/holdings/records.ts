import type { KeyReference } from '../../ports/key-service.ts';
import type { CollectionSpec } from '../../ports/store.ts';
import type { DisclosurePolicy } from '../credentials/disclosure-policy.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { Removable } from '../foundation/removal.ts';
import type { CategoryList } from './category-list.ts';

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

/** An image that needs no network to be shown. */
export interface EmbeddedImage {
  /** A data URL of an image. */
  uri: string;
  altText?: string;
}

/** How an issuer or a credential is shown in one language; without `locale` in every other (OpenID4VCI §11.2.3). */
export interface DisplayEntry {
  name?: string;
  locale?: string;
  description?: string;
  logo?: EmbeddedImage;
  /** Colours as CSS hexadecimal notation. */
  backgroundColor?: string;
  textColor?: string;
  backgroundImage?: EmbeddedImage;
}

/** How a claim is labelled, by language. */
export interface ClaimDisplay {
  /** Member names and list positions in the credential; null for every element of a list. */
  path: (string | number | null)[];
  labels: { name: string; locale?: string }[];
}

/** The display data of a credential, kept when it is issued. */
export interface CredentialDisplay {
  issuer: DisplayEntry[];
  credential: DisplayEntry[];
  claims: ClaimDisplay[];
}

/** A copy of a credential that was issued to a key of its own. */
export interface CredentialCopy {
  document: string;
  /** The DID that contains the key. */
  holder: string;
  /** A secret. */
  key: KeyReference;
}

/** A credential of a wallet. Of one with copies the members are those of the copy that is presented next. */
export interface CredentialRecord {
  format: string;
  /** The credential as it was issued. */
  document: string;
  /** The DID it was issued to. */
  holder: string;
  /** The key of this copy, a secret; absent where it is that of the DID. */
  key?: KeyReference;
  /** Further copies, which were not presented yet. */
  copies?: CredentialCopy[];
  /** Whether the user has yet to accept it. */
  pending: boolean;
  /** When it was marked as deleted, in milliseconds since the epoch. */
  deletedAt?: number;
  /** Absent when the issuer published none. */
  display?: CredentialDisplay;
  /** To whom its issuer wanted it to be shown when it was issued (ARF 3.0 EDP_10); absent when the issuer published none. */
  disclosurePolicy?: DisclosurePolicy;
  /** The ids of the user's categories that it is in. */
  categoryIds?: string[];
  /** A name for it. */
  label?: string;
  /** What was stored beside it. The server does not read it. */
  metadata?: JsonObject;
}

/** What a credential is called: by its owner, else by its issuer in every language, else in the first. */
export function labelOf({ label, display }: Pick<CredentialRecord, 'label' | 'display'>): string | undefined {
  const entries = display?.credential ?? [];
  return label ?? (entries.find(({ locale }) => locale === undefined) ?? entries[0])?.name;
}

/** What of a credential comes from its issuer. */
export type IssuedRecord = Pick<
  CredentialRecord,
  'format' | 'document' | 'holder' | 'key' | 'copies' | 'display' | 'disclosurePolicy'
>;

/** What wallets own, by wallet. */
export const WALLET_KEYS: CollectionSpec<KeyRecord> = { name: 'wallet-keys', listed: true, afterRestore: 'kept' };
export const WALLET_DIDS: CollectionSpec<DidRecord> = { name: 'wallet-dids', listed: true, afterRestore: 'kept' };
export const WALLET_CREDENTIALS: CollectionSpec<CredentialRecord> = {
  name: 'wallet-credentials',
  listed: true,
  afterRestore: 'kept',
};
/** Credentials that were received together and are not yet all in their places. */
export const WALLET_ARRIVALS: CollectionSpec<CredentialRecord[]> = {
  name: 'wallet-arrivals',
  listed: true,
  afterRestore: 'kept',
};
/** The categories of each wallet, by the wallet's id. */
export const WALLET_CATEGORIES: CollectionSpec<CategoryList> = { name: 'wallet-categories', afterRestore: 'kept' };
/** What each wallet uses unless a caller names another, by the wallet's id. */
export interface WalletDefaults {
  did?: string;
  keyId?: string;
}
export const WALLET_DEFAULTS: CollectionSpec<WalletDefaults> = { name: 'wallet-defaults', afterRestore: 'kept' };
