import type { OwnedKey } from '../../../../domain/holdings/stored-keys.ts';
import type { LoggedIn } from '../../messages/operations.ts';

/** An input that names a wallet in its path, which is the caller's. */
export interface WalletInput {
  walletId: string;
  caller: LoggedIn;
}

/** The key of the path in the wallet of the path. */
export const ownKey = ({ walletId, path }: WalletInput & { path: { keyId: string } }): OwnedKey => ({
  owner: walletId,
  id: path.keyId,
});
