import type { Handlers } from '../operations.ts';
import { activityHandlers } from './activity.ts';
import { categoryHandlers } from './categories.ts';
import { credentialHandlers } from './credentials.ts';
import { didHandlers } from './dids.ts';
import { exchangeHandlers } from './exchange.ts';
import { issuerHandlers } from './issuers.ts';
import { keyUseHandlers } from './key-use.ts';
import { keyHandlers } from './keys.ts';
import type { WalletRecordServices, WalletServices } from './services.ts';
import { settingHandlers } from './settings.ts';

type WalletHandlers = Handlers<'wallet-keys'> & Handlers<'wallet-credentials'> & Handlers<'wallet-exchange'>;

/** The wallet as holder. */
export const walletHandlers = (services: WalletServices): WalletHandlers => ({
  ...keyHandlers(services),
  ...keyUseHandlers(services),
  ...didHandlers(services),
  ...credentialHandlers(services),
  ...categoryHandlers(services),
  ...exchangeHandlers(services),
});

/** What happened in a wallet and what its user set up. */
export const walletRecordHandlers = (services: WalletRecordServices): Handlers<'wallet-activity'> => ({
  ...activityHandlers(services),
  ...settingHandlers(services),
  ...issuerHandlers(services),
});
