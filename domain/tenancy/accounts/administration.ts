import type { EmailCredentials } from '../../accounts/password-login.ts';
import type { LoggedIn, LoginRequest, TenancyAccounts } from '../../accounts/tenancy-accounts.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { Access } from '../access/access.ts';
import { withoutSecrets } from '../tree/secrets.ts';
import type { PrincipalView } from './roles.ts';

/** An account that a superadmin registers. */
interface AccountRequest extends EmailCredentials {
  profile?: JsonObject;
  preferences?: JsonObject;
}

/** Registration and login of administrators. */
export class Administration {
  constructor(
    private readonly access: Access,
    private readonly accounts: TenancyAccounts,
  ) {}

  /** Returns a bearer token and the account it is for. @throws DomainError `BadRequest`, `LoginRequired` */
  login(credentials: LoginRequest): Promise<LoggedIn> {
    return this.accounts.login(credentials);
  }

  /** Creates an account without rights. @throws DomainError `BadRequest`, `Forbidden`, `Conflict` */
  async register(caller: string, { profile, preferences, ...credentials }: AccountRequest): Promise<PrincipalView> {
    await this.access.requireSuperadmin(caller);
    const shown = withoutSecrets({ ...profile, ...(preferences && { preferences }) });
    const account = await this.accounts.create({ ...credentials, superadmin: false, profile: shown });
    return { _id: account.id, profile: account.profile, roles: [] };
  }
}
