import type { Handlers } from '../../messages/operations.ts';
import { activityHandlers, issuerHandlers, settingHandlers } from './activity.ts';
import { categoryHandlers, credentialHandlers, manifestHandlers } from './credentials.ts';
import {
  authorizationHandlers,
  deferredHandlers,
  exchangeHandlers,
  externalSignatureHandlers,
  presentationHandlers,
} from './exchange.ts';
import { didHandlers, keyHandlers } from './keys.ts';
import type { WalletServices } from './services.ts';

type WalletHandlers = Handlers<'wallet-keys'> &
  Handlers<'wallet-credentials'> &
  Handlers<'wallet-exchange'> &
  Handlers<'wallet-activity'>;

/** The wallet as holder. */
export const walletHandlers = (services: WalletServices): WalletHandlers => ({
  ...settingHandlers(services),
  ...issuerHandlers(services),
  ...keyHandlers(services),
  ...didHandlers(services),
  ...credentialHandlers(services),
  ...categoryHandlers(services),
  ...manifestHandlers(services),
  ...exchangeHandlers(services),
  ...authorizationHandlers(services),
  ...deferredHandlers(services),
  ...presentationHandlers(services),
  ...externalSignatureHandlers(services),
  ...activityHandlers(services),
});
