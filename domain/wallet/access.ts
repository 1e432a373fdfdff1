/** Knows whose wallet is whose. */
export interface WalletAccess {
  /** @throws DomainError `Forbidden`, the same for a foreign wallet and for one that does not exist (decisions §3) */
  requireWallet(accountId: string, walletId: string): Promise<void>;
}
