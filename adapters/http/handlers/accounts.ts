import type { Account, Accounts, Wallet } from '../../../domain/accounts/accounts.ts';
import type { Credentials, LoginMethods } from '../../../domain/accounts/login-methods.ts';
import type { LoginSessions } from '../../../domain/accounts/login-sessions.ts';
import type { ReplayGuard } from '../../../domain/accounts/replay-guard.ts';
import { at } from '../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../domain/foundation/time.ts';
import type { components } from '../../../openapi/types.ts';
import { type Caller, type Handlers, NO_STORE, reply, replyUncached, turnOf } from '../messages/operations.ts';
import { clearCookie, type LoginCookie, setCookie } from './login-cookie.ts';

type Schemas = components['schemas'];

/** The services behind the operations of the document `accounts`. */
export interface AccountServices {
  login: LoginMethods;
  sessions: LoginSessions;
  accounts: Accounts;
  replay: ReplayGuard;
  cookie: LoginCookie;
}

/** The handlers of the document `accounts`. */
export function accountHandlers(services: AccountServices): Handlers<'accounts'> {
  const { replay } = services;
  return {
    ...loginHandlers(services),
    ...sessionHandlers(services),
    createLoginNonce: replyUncached(200, () => replay.nonce()),
  };
}

interface LoginInput {
  body: Schemas['LoginCredentials'];
  caller: Caller;
}

function loginHandlers({ login: methods, cookie }: AccountServices) {
  const register = async (input: LoginInput) => {
    await at(['body'], () => methods.register(credentialsOf(input)));
    return { status: 201, body: 'Registration succeeded' } as const;
  };
  const login = async (input: LoginInput) => {
    const result = await at(['body'], () => methods.login(credentialsOf(input)));
    return {
      status: 200,
      body: result,
      headers: { ...NO_STORE, 'set-cookie': setCookie(cookie, result.token) },
    } as const;
  };
  return {
    registerWithCertificate: register,
    loginWithCertificate: login,
    registerAccount: register,
    loginAccount: login,
  } satisfies Partial<Handlers<'accounts'>>;
}

function sessionHandlers({ sessions, accounts, cookie }: AccountServices) {
  const logout = async ({ caller }: { caller: { presentedTokens: string[] } }) => {
    await sessions.end(caller.presentedTokens);
    return { status: 200, headers: { 'set-cookie': clearCookie(cookie) } } as const;
  };
  return {
    logoutWithCertificate: logout,
    logoutAccount: logout,
    getLoginSession: replyUncached(200, ({ caller }) => ({ token: { accessToken: caller.token } })),
    getUserInfo: reply(200, async ({ caller }) => writeAccount(await accounts.get(caller.accountId))),
    listAccountWallets: async ({ caller }) => {
      const { id, wallets } = await accounts.get(caller.accountId);
      return { status: 200, body: { account: id, wallets: wallets.map(writeWallet) } };
    },
  } satisfies Partial<Handlers<'accounts'>>;
}

/** Ignores the members that a type does not need; the document requires those that it needs. */
const credentialsOf = ({ body, caller }: LoginInput): Credentials => {
  const { type, email = '', password = '', token = '', name } = body;
  const account = { name, requestId: caller.requestId };
  return type === 'email' ? { type, email, password, turn: turnOf(caller), ...account } : { type, token, ...account };
};

const writeAccount = ({ id, name, email, createdAt }: Account): Schemas['WalletAccount'] => ({
  tenant: '',
  id,
  ...(name && { name }),
  ...(email && { email }),
  createdOn: isoMillis(createdAt),
});

const writeWallet = ({ id, name, createdAt }: Wallet): Schemas['AccountWallets']['wallets'][number] => ({
  id,
  name,
  createdOn: isoMillis(createdAt),
  addedOn: isoMillis(createdAt),
  permission: 'ADMINISTRATE',
});
