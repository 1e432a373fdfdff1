import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../adapters/config/settings.ts';
import type { AccountServices, LoginCookie } from '../adapters/http/accounts.ts';
import { Accounts, type WalletProvisioner } from '../domain/accounts/accounts.ts';
import { Identities } from '../domain/accounts/identities.ts';
import { LoginMethods } from '../domain/accounts/login-methods.ts';
import { LoginSessions } from '../domain/accounts/login-sessions.ts';
import { PasswordLogin } from '../domain/accounts/password-login.ts';
import { ReplayGuard } from '../domain/accounts/replay-guard.ts';
import { X5cLogin, type X5cTokenParts, X5cTokenVerifier } from '../domain/accounts/x5c-login.ts';
import { audiencesOf } from '../domain/accounts/x5c-token.ts';
import { readAnchors } from '../domain/x509/trust-anchors.ts';
import {
  CertificatesT,
  ClockT,
  IdsT,
  LogT,
  MetricsT,
  PasswordsT,
  RandomT,
  ServerKeysT,
  SettingsT,
  SignaturesT,
  StoreT,
} from './tokens.ts';
import { provide, token } from './wire.ts';

/** Fills new wallets; bound by whoever keeps what is in them. */
export const WalletProvisionerT = token<WalletProvisioner>('wallet-provisioner');
export const AccountsT = token<Accounts>('accounts');
export const LoginSessionsT = token<LoginSessions>('login-sessions');
/** What the handlers of the document `accounts` need. */
export const AccountServicesT = token<AccountServices>('account-services');
const ReplayGuardT = token<ReplayGuard>('replay-guard');
const X5cPartsT = token<X5cTokenParts>('x5c-token-parts');
const X5cLoginT = token<X5cLogin | undefined>('x5c-login');
const LoginMethodsT = token<LoginMethods>('login-methods');
export const IdentitiesT = token<Identities>('identities');

/** Accounts, login and login sessions. */
export function accountsModule(o: ContainerModuleLoadOptions): void {
  provideAccounts(o);
  provideLoginSessions(o);
  provideLogin(o);
  provide(
    o,
    AccountServicesT,
    (settings, login, sessions, accounts, replay) => {
      return { login, sessions, accounts, replay, cookie: cookieOf(settings) };
    },
    SettingsT,
    LoginMethodsT,
    LoginSessionsT,
    AccountsT,
    ReplayGuardT,
  );
}

function provideAccounts(o: ContainerModuleLoadOptions): void {
  provide(o, IdentitiesT, (store) => new Identities(store), StoreT);
  provide(
    o,
    AccountsT,
    (store, identities, wallets, clock, ids) => new Accounts({ store, identities, wallets, clock, ids }),
    StoreT,
    IdentitiesT,
    WalletProvisionerT,
    ClockT,
    IdsT,
  );
}

function provideLoginSessions(o: ContainerModuleLoadOptions): void {
  provide(
    o,
    LoginSessionsT,
    ({ publicUrl, auth }, store, keys, signatures, clock, ids, metrics) => {
      const rules = { publicUrl, lifetimeSeconds: auth.tokenLifetimeSeconds };
      return new LoginSessions({ store, keys, signatures, clock, ids, metrics }, rules);
    },
    SettingsT,
    StoreT,
    ServerKeysT,
    SignaturesT,
    ClockT,
    IdsT,
    MetricsT,
  );
}

function provideLogin(o: ContainerModuleLoadOptions): void {
  provide(
    o,
    ReplayGuardT,
    ({ auth }, store, clock, random) => new ReplayGuard({ store, clock, random }, auth.x5c.replay),
    SettingsT,
    StoreT,
    ClockT,
    RandomT,
  );
  provide(
    o,
    X5cPartsT,
    (certificates, signatures, replay, clock, metrics, log) => {
      return { certificates, signatures, replay, clock, metrics, log };
    },
    CertificatesT,
    SignaturesT,
    ReplayGuardT,
    ClockT,
    MetricsT,
    LogT,
  );
  provide(o, X5cLoginT, x5cLogin, SettingsT, AccountsT, IdentitiesT, X5cPartsT);
  provide(
    o,
    LoginMethodsT,
    (accounts, identities, passwords, x5c, sessions) =>
      new LoginMethods({ accounts, passwords: new PasswordLogin(identities, passwords, 'wallet'), x5c, sessions }),
    AccountsT,
    IdentitiesT,
    PasswordsT,
    X5cLoginT,
    LoginSessionsT,
  );
}

/** @throws Error naming file and entry when a trusted certificate is no good */
function x5cLogin(
  settings: Settings,
  accounts: Accounts,
  identities: Identities,
  parts: X5cTokenParts,
): X5cLogin | undefined {
  const { features, trustedCa, auth, publicUrl } = settings;
  if (!features.trustedCa) return undefined;
  const { certificates, clock, log } = parts;
  const parse = certificates.parse.bind(certificates);
  const anchors = readAnchors({ certificates: trustedCa.certificates, now: clock.now(), parse });
  if (auth.x5c.replay === 'compatible')
    log.warn(
      'auth.conf: x5c.replay is compatible, so a captured login token can be used again unless it says otherwise',
    );
  const rules = { anchors, minRsaBits: auth.x5c.minRsaBits, audiences: audiencesOf(publicUrl) };
  return new X5cLogin({ accounts, identities, tokens: new X5cTokenVerifier(parts, rules) }, auth.x5c);
}

const cookieOf = ({ publicUrl, auth }: Settings): LoginCookie => ({
  maxAgeSeconds: auth.tokenLifetimeSeconds,
  secure: publicUrl.startsWith('https:'),
});
