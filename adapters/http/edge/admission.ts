import type { WalletAccess } from '../../../domain/accounts/accounts.ts';
import type { Operation } from '../messages/document.ts';
import type { LoggedIn } from '../messages/operations.ts';
import type { Context } from './context.ts';

/** Who may call what, beyond having a login. */
export interface Admission {
  /** Absent where no wallets are served. */
  wallets?: WalletAccess;
}

/** What a handler is given of the caller who is admitted. */
export interface Admitted {
  /** The wallet of the path, which is the caller's. */
  walletId?: string;
}

const WALLET = '{wallet}';

/**
 * Admits callers to an operation: one whose path names a wallet is for the owner of that wallet.
 * @throws Error when nothing decides on the operation
 */
export function admitTo(operation: Operation, { wallets }: Admission): (ctx: Context) => Promise<Admitted> {
  if (!operation.path.includes(WALLET)) return async () => ({});
  if (!wallets) throw new Error(`Nothing decides whose wallets ${operation.operationId} is for`);
  return async ({ params, state }) => {
    const walletId = (params.wallet ?? '').toLowerCase();
    await wallets.requireWallet((state.caller as LoggedIn).accountId, walletId);
    return { walletId };
  };
}
