import type { EmailCredentials } from '../accounts/email-login.ts';
import type { LoginSessions } from '../accounts/login-sessions.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { Access } from './access.ts';
import type { EnterpriseAccounts } from './accounts.ts';
import type { PrincipalView } from './roles.ts';
import { withoutSecrets } from './secrets.ts';

/** An account somebody registers for another. */
export interface AccountRequest extends EmailCredentials {
  profile?: JsonObject;
  preferences?: JsonObject;
}

/** Registration and login of those who administer. */
export class Administration {
  readonly #access: Access;
  readonly #accounts: EnterpriseAccounts;
  readonly #sessions: LoginSessions;

  constructor(access: Access, accounts: EnterpriseAccounts, sessions: LoginSessions) {
    this.#access = access;
    this.#accounts = accounts;
    this.#sessions = sessions;
  }

  /** A bearer token. @throws DomainError `BadRequest`, `LoginRequired` */
  async login(credentials: EmailCredentials): Promise<string> {
    return this.#sessions.start(await this.#accounts.login(credentials));
  }

  /** Makes an account without rights. @throws DomainError `BadRequest`, `Forbidden`, `Conflict` */
  async register(caller: string, { profile, preferences, ...credentials }: AccountRequest): Promise<PrincipalView> {
    await this.#access.requireSuperadmin(caller);
    const shown = withoutSecrets({ ...profile, ...(preferences && { preferences }) });
    const { id, principal } = await this.#accounts.create({ ...credentials, superadmin: false, profile: shown });
    return { _id: id, profile: principal.profile, roles: [] };
  }
}
