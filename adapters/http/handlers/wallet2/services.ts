import type { Accounts } from '../../../../domain/accounts/accounts.ts';
import type { LoginMethods } from '../../../../domain/accounts/login-methods.ts';
import type { LoginSessions } from '../../../../domain/accounts/login-sessions.ts';
import type { CredentialFormats } from '../../../../domain/credentials/formats/formats.ts';
import type { Credentials } from '../../../../domain/holdings/credentials.ts';
import type { DidImports } from '../../../../domain/holdings/did-imports.ts';
import type { Dids } from '../../../../domain/holdings/dids.ts';
import type { Keys } from '../../../../domain/holdings/keys.ts';
import type { CredentialRemovals } from '../../../../domain/wallet/delivery/credential-removals.ts';
import type { CredentialImport } from '../../../../domain/wallet/issuance/credential-import.ts';
import type { NamedStores } from '../../../../domain/wallet/wallets/named-stores.ts';
import type { Wallets } from '../../../../domain/wallet/wallets/wallets.ts';
import type { StepServices } from './step.ts';

/** What the handlers of wallet API 2 need. */
export interface Wallet2Services extends StepServices {
  wallets: Wallets;
  named: NamedStores;
  keys: Keys;
  dids: Dids;
  didImports: DidImports;
  credentials: Credentials;
  imports: CredentialImport;
  removals: CredentialRemovals;
  formats: CredentialFormats;
  accounts: Accounts;
  login: LoginMethods;
  sessions: LoginSessions;
}
