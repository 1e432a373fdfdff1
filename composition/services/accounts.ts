import type { Settings } from '../../adapters/config/settings.ts';
import type { AccountServices } from '../../adapters/http/handlers/accounts.ts';
import type { LoginCookie } from '../../adapters/http/handlers/login-cookie.ts';
import { Accounts, type WalletProvisioner } from '../../domain/accounts/accounts.ts';
import { Identities } from '../../domain/accounts/identities.ts';
import { LoginMethods } from '../../domain/accounts/login-methods.ts';
import { LoginSessions } from '../../domain/accounts/login-sessions.ts';
import { PasswordLogin } from '../../domain/accounts/password-login.ts';
import { ReplayGuard } from '../../domain/accounts/replay-guard.ts';
import { X5cLogin, type X5cLoginParts, X5cTokenVerifier } from '../../domain/accounts/x5c-login.ts';
import { audiencesOf } from '../../domain/accounts/x5c-token.ts';
import { readAnchors } from '../../domain/x509/trust-anchors.ts';
import type { Platform } from '../platform/platform.ts';

/** The accounts of wallet users, login and login sessions. @throws Error naming file and entry of an unusable trusted certificate */
export function accountServices(platform: Platform, wallets: WalletProvisioner): AccountServices {
  const { settings, store, passwords } = platform;
  const { auth, features } = settings;
  const identities = new Identities(store);
  const accounts = new Accounts({ ...platform, identities, wallets });
  const passwordLogin = new PasswordLogin({ identities, passwords, realm: 'wallet' });
  const sessions = loginSessions(platform, '/wallet-api');
  const replay = new ReplayGuard(platform, auth.x5c.replay);
  const x5c = features.trustedCa ? x5cLogin(platform, { accounts, identities, replay }) : undefined;
  return {
    login: new LoginMethods({ accounts, passwords: passwordLogin, x5c, sessions }),
    sessions,
    accounts,
    replay,
    cookie: loginCookie(settings, 'login'),
  };
}

/** The session cookie of one realm. */
export const loginCookie = ({ publicUrl, auth }: Settings, name: LoginCookie['name']): LoginCookie => ({
  name,
  maxAgeSeconds: auth.tokenLifetimeSeconds,
  secure: publicUrl.startsWith('https:'),
  path: new URL(publicUrl).pathname,
});

/** The login sessions of one realm. */
export function loginSessions(platform: Platform, audience: '/wallet-api' | '/enterprise'): LoginSessions {
  const { publicUrl, auth } = platform.settings;
  const rules = {
    publicUrl,
    lifetimeSeconds: auth.tokenLifetimeSeconds,
    audience,
    endsTogether: audience === '/enterprise',
  };
  return new LoginSessions({ ...platform, keys: platform.serverKeys }, rules);
}

function x5cLogin(
  platform: Platform,
  { replay, ...parts }: Pick<X5cLoginParts, 'accounts' | 'identities'> & { replay: ReplayGuard },
): X5cLogin {
  const { trustedCa, auth, publicUrl } = platform.settings;
  const { certificates, clock, log } = platform;
  const parse = certificates.parse.bind(certificates);
  const anchors = readAnchors({ certificates: trustedCa.certificates, now: clock.now(), parse });
  if (auth.x5c.replay === 'compatible')
    log.warn(
      'auth.conf: x5c.replay is compatible, so a captured login token can be used again unless it says otherwise',
    );
  const rules = { anchors, minRsaBits: auth.x5c.minRsaBits, audiences: audiencesOf(publicUrl) };
  return new X5cLogin({ ...parts, tokens: new X5cTokenVerifier({ ...platform, replay }, rules) }, auth.x5c);
}
