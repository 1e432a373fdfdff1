import { invalidField } from '../foundation/errors.ts';
import type { Account, Accounts } from './accounts.ts';
import type { LoginSessions } from './login-sessions.ts';
import type { EmailCredentials, PasswordLogin } from './password-login.ts';
import type { X5cLogin } from './x5c-login.ts';

/** An account to register, with its credentials and a name for it. */
export type Credentials = ({ type: 'email' } & EmailCredentials & Named) | ({ type: 'x5c'; token: string } & Named);

interface Named {
  name?: string;
  /** Whether the account has no wallet at first. */
  isWithoutWallet?: boolean;
  /** The id of the request. */
  requestId?: string;
}

/** A successful login. */
interface LoginResult {
  id: string;
  token: string;
  /** The e-mail address, after a login with one. */
  username?: string;
}

/** Registration and login in the wallet realm, by e-mail address or by certificate. */
export class LoginMethods {
  constructor(
    private readonly parts: {
      accounts: Accounts;
      /** Of the realm `wallet`. */
      passwords: PasswordLogin;
      /** Undefined when the feature trusted-ca is off. */
      x5c: X5cLogin | undefined;
      sessions: LoginSessions;
    },
  ) {}

  /** Returns the id of the new account. @throws DomainError `BadRequest` for credentials that cannot have an account, `Conflict` for those that have one */
  async register({ isWithoutWallet, ...credentials }: Credentials): Promise<string> {
    const { accounts, passwords } = this.parts;
    const name = credentials.name?.trim();
    if (credentials.type === 'x5c') return (await this.#certificates().register({ ...credentials, name })).id;
    const { requestId } = credentials;
    const account = await passwords.register(credentials, ({ identity, address: email }) =>
      accounts.create({ identity, name, email, requestId, isWithoutWallet }),
    );
    return account.id;
  }

  /** @throws DomainError `BadRequest`, `TokenRejected` (x5c), `LoginRequired` (e-mail) */
  async login(credentials: Credentials): Promise<LoginResult> {
    const { accounts, sessions } = this.parts;
    const { id, email } = await this.#account(credentials);
    const token = await sessions.start(id);
    await accounts.recordLogin(id);
    return { id, token, ...(credentials.type === 'email' && { username: email }) };
  }

  async #account(credentials: Credentials): Promise<Pick<Account, 'id' | 'email'>> {
    if (credentials.type === 'email') return this.parts.accounts.get(await this.parts.passwords.login(credentials));
    return this.#certificates().login({ ...credentials, name: credentials.name?.trim() });
  }

  #certificates(): X5cLogin {
    if (!this.parts.x5c) throw invalidField(['type'], 'x5c is not enabled here');
    return this.parts.x5c;
  }
}
