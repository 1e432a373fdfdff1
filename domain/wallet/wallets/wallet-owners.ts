import type { WalletAccess } from '../../accounts/accounts.ts';

/** The owner of all wallets that are created without accounts; no account has this id. */
export const OPERATOR = 'operator';

/** Which wallets an owner has. */
export interface WalletOwners extends WalletAccess {
  /** The ids of the wallets of an owner, and of those whose deletion has begun. */
  wallets(owner: string): Promise<{ present: string[]; leaving: string[] }>;
  /** @throws DomainError `Conflict` for one too many */
  addWallet(owner: string, walletId: string): Promise<void>;
  /** Takes a wallet from its owner; of several at once one succeeds. @throws DomainError as `requireWallet` */
  beginRemoval(owner: string, walletId: string): Promise<void>;
  /** Forgets a wallet that was taken and whose contents are gone. */
  endRemoval(owner: string, walletId: string): Promise<void>;
}
