import type { WalletAccess } from '../../../../domain/accounts/accounts.ts';
import type { OwnedKey } from '../../../../domain/holdings/stored-keys.ts';
import type { Caller } from '../../messages/operations.ts';

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

/** Gives the key of the path in the wallet of the path, when that is the caller's. */
export const ownKey = async (
  access: WalletAccess,
  input: WalletInput & { path: { keyId: string } },
): Promise<OwnedKey> => ({ owner: await ownWallet(access, input), id: input.path.keyId });
