import type { Ids } from '../../ports/system.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { Identities } from './identities.ts';
import type { EmailCredentials, PasswordLogin } from './password-login.ts';

/** The account of an administrator to create. */
export interface NewEnterpriseAccount extends EmailCredentials {
  superadmin: boolean;
  profile?: JsonObject;
}

/** A created account. */
export interface CreatedAccount {
  id: string;
  profile: JsonObject;
}

/** Stores what an account may do. */
export interface AccountPrincipals {
  add(id: string, principal: { superadmin: boolean; roles: []; profile: JsonObject }): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What `EnterpriseAccounts` works with. */
export interface EnterpriseAccountParts {
  identities: Identities;
  /** Of the realm `enterprise`. */
  passwords: PasswordLogin;
  principals: AccountPrincipals;
  ids: Ids;
}

/** The accounts of administrators, separate from those of the wallet service. */
export class EnterpriseAccounts {
  readonly #parts: EnterpriseAccountParts;

  constructor(parts: EnterpriseAccountParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `BadRequest` naming the field, `Conflict` when the address has an account */
  create({ superadmin, profile, ...credentials }: NewEnterpriseAccount): Promise<CreatedAccount> {
    const { identities, passwords, principals, ids } = this.#parts;
    return passwords.register(credentials, async ({ identity, address }) => {
      const id = ids.uuid();
      const principal = { superadmin, roles: [] as [], profile: { ...profile, email: address } };
      await identities.register(identity, {
        id,
        store: () => principals.add(id, principal),
        discard: () => principals.remove(id).catch(() => undefined),
      });
      return { id, profile: principal.profile };
    });
  }

  /** Returns the id of the account. @throws DomainError `BadRequest` naming the field, `LoginRequired` */
  login(credentials: EmailCredentials): Promise<string> {
    return this.#parts.passwords.login(credentials);
  }
}
