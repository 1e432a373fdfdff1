import type { Handlers } from '../../messages/operations.ts';
import { activityHandlers } from './activity.ts';
import { categoryHandlers } from './categories.ts';
import { credentialHandlers } from './credentials.ts';
import { didHandlers } from './dids.ts';
import { exchangeHandlers } from './exchange.ts';
import { externalSignatureHandlers } from './external-signatures.ts';
import { issuerHandlers } from './issuers.ts';
import { keyUseHandlers } from './key-use.ts';
import { keyHandlers } from './keys.ts';
import { manifestHandlers } from './manifests.ts';
import { presentationHandlers } from './presentations.ts';
import type { WalletRecordServices } from './records.ts';
import type { WalletServices } from './services.ts';
import { settingHandlers } from './settings.ts';

type WalletHandlers = Handlers<'wallet-keys'> &
  Handlers<'wallet-credentials'> &
  Handlers<'wallet-exchange'> &
  Handlers<'wallet-activity'>;

/** The wallet as holder. */
export const walletHandlers = (services: WalletServices & WalletRecordServices): WalletHandlers => ({
  ...settingHandlers(services),
  ...issuerHandlers(services),
  ...keyHandlers(services),
  ...keyUseHandlers(services),
  ...didHandlers(services),
  ...credentialHandlers(services),
  ...categoryHandlers(services),
  ...manifestHandlers(services),
  ...exchangeHandlers(services),
  ...presentationHandlers(services),
  ...externalSignatureHandlers(services),
  ...activityHandlers(services),
});
