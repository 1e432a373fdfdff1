import type { WalletAccess } from '../../../domain/accounts/accounts.ts';
import type { Caller } from '../operations.ts';

/** An input that names a wallet in its path. */
export interface WalletInput {
  path: { wallet: string };
  caller: Caller;
}

/** Gives the wallet of the path when it is the caller's. */
export const ownWallet = async (access: WalletAccess, { path, caller }: WalletInput): Promise<string> => {
  const walletId = path.wallet.toLowerCase();
  await access.requireWallet(caller.accountId, walletId);
  return walletId;
};
