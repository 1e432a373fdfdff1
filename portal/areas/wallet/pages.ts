import { AddPage } from './add.tsx';
import { CredentialPage } from './credential.tsx';
import { KeysPage } from './keys.tsx';
import { LogPage } from './log.tsx';
import { LoginPage, RegisterPage } from './login.tsx';
import { PresentPage } from './present.tsx';
import { ReceivePage } from './receive.tsx';
import { WalletPage } from './wallet.tsx';

/** The pages of this area, which are loaded together. */
export const pages = {
  AddPage,
  CredentialPage,
  KeysPage,
  LogPage,
  LoginPage,
  RegisterPage,
  PresentPage,
  ReceivePage,
  WalletPage,
};
