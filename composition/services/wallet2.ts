import type { AccountServices } from '../../adapters/http/handlers/accounts.ts';
import type { WalletServices } from '../../adapters/http/handlers/wallet/services.ts';
import type { Wallet2Services } from '../../adapters/http/handlers/wallet2/services.ts';
import { NamedStores } from '../../domain/wallet/wallets/named-stores.ts';
import { OperatorWallets } from '../../domain/wallet/wallets/operator-wallets.ts';
import { Wallets } from '../../domain/wallet/wallets/wallets.ts';
import type { Platform } from '../platform/platform.ts';

/** What wallet API 2 consists of, beside the accounts and holdings of API 1. */
export interface Wallet2Area extends Wallet2Services {
  operatorWallets: OperatorWallets;
}

/** Wallet API 2, on the same accounts and holdings as API 1. */
export function wallet2Services(platform: Platform, accounts: AccountServices, wallet: WalletServices): Wallet2Area {
  const { dids: resolver, formats, settings } = platform;
  const operatorWallets = new OperatorWallets(platform);
  const named = new NamedStores({ ...platform, wallets: operatorWallets });
  const owners = settings.wallet.wallet2Accounts === 'none' ? operatorWallets : accounts.accounts;
  const wallets = new Wallets({ ...platform, ...wallet, named, owners, resolver, activity: platform.activity });
  return { ...accounts, ...wallet, formats, wallets, named, operatorWallets };
}
