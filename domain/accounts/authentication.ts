import { invalidField } from '../foundation/errors.ts';
import type { Account } from './accounts.ts';
import type { EmailLogin, EmailRegistration } from './email-login.ts';
import type { LoginSessions } from './login-sessions.ts';
import type { X5cLogin } from './x5c-login.ts';

/** What somebody registers or logs in with. */
export type Credentials = ({ type: 'email' } & EmailRegistration) | { type: 'x5c'; token: string; name?: string };

/** A login that succeeded. */
export interface LoginResult {
  id: string;
  token: string;
  /** The e-mail address, after a login with one. */
  username?: string;
}

/** Registration and login by every method this installation offers. */
export class Authentication {
  readonly #email: EmailLogin;
  readonly #x5c: X5cLogin | undefined;
  readonly #sessions: LoginSessions;

  /** Without `x5c` the feature trusted-ca is off. */
  constructor(email: EmailLogin, x5c: X5cLogin | undefined, sessions: LoginSessions) {
    this.#email = email;
    this.#x5c = x5c;
    this.#sessions = sessions;
  }

  /** @throws DomainError `BadRequest` for credentials that cannot have an account, `Conflict` for those that have one */
  async register(credentials: Credentials): Promise<void> {
    if (credentials.type === 'email') await this.#email.register(credentials);
    else await this.#certificates().register(credentials);
  }

  /** @throws DomainError `BadRequest`, `TokenRejected` (x5c), `LoginRequired` (e-mail) */
  async login(credentials: Credentials): Promise<LoginResult> {
    const account = await this.#account(credentials);
    const token = await this.#sessions.start(account.id);
    return { id: account.id, token, ...(credentials.type === 'email' && { username: account.email }) };
  }

  #account(credentials: Credentials): Promise<Pick<Account, 'id' | 'email'>> {
    return credentials.type === 'email' ? this.#email.login(credentials) : this.#certificates().login(credentials);
  }

  #certificates(): X5cLogin {
    if (!this.#x5c) throw invalidField('/body/type', 'x5c is not enabled here');
    return this.#x5c;
  }
}
