import type { WalletAccess } from '../../../domain/accounts/accounts.ts';
import type { Access } from '../../../domain/tenancy/access/access.ts';
import { ACTIONS, type Action, type Rights } from '../../../domain/tenancy/access/permissions.ts';
import type { Operation } from '../messages/document.ts';
import type { LoggedIn } from '../messages/operations.ts';
import type { Context } from './context.ts';

/** Who may call what, beyond having a login. */
export interface Admission {
  /** Absent where no wallets are served. */
  wallets?: WalletAccess;
  /** Which wallets callers have where every caller is the operator. */
  operatorWallets?: WalletAccess;
  /** Absent where no tenants are served. */
  access?: Pick<Access, 'require'>;
}

/** What a handler is given of the caller who is admitted. */
interface Admitted {
  /** The wallet of the path, which is the caller's. */
  walletId?: string;
  /** What the caller may do, at the target and elsewhere. */
  rights?: Rights;
}

type Admit = (ctx: Context) => Promise<Admitted>;

/**
 * Admits callers to an operation: one whose path names a wallet is for the owner of that wallet, one with a permission
 * for those who have it at the target; undefined for all others. @throws Error when nothing decides on the operation
 */
export function admitTo(operation: Operation, { access, ...owners }: Admission): Admit | undefined {
  const { operationId, path, permission } = operation;
  if (path.includes('{wallet}')) {
    const wallets = operation.isOfOperator ? owners.operatorWallets : owners.wallets;
    if (!wallets) throw new Error(`Nothing decides whose wallets ${operationId} is for`);
    return ownWallet(wallets);
  }
  if (!permission) return undefined;
  if (!access || !isAction(permission.action)) throw new Error(`Nothing decides who may call ${operationId}`);
  return authorize(access, permission.action, permission.at);
}

const accountOf = ({ state }: Context): string => (state.caller as LoggedIn).accountId;

const ownWallet =
  (wallets: WalletAccess): Admit =>
  async (ctx) => {
    const walletId = (ctx.params.wallet ?? '').toLowerCase();
    await wallets.requireWallet(accountOf(ctx), walletId);
    return { walletId };
  };

const authorize =
  (access: Pick<Access, 'require'>, action: Action, at: string): Admit =>
  async (ctx) => {
    const target = at.replace(/\{(\w+)\}/g, (_, name: string) => ctx.params[name] ?? '');
    return { rights: await access.require(accountOf(ctx), [action], target) };
  };

const isAction = (name: string): name is Action => Object.hasOwn(ACTIONS, name);
