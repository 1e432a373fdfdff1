import type { Passwords } from '../../ports/secrets.ts';
import type { Collection, Store } from '../../ports/store.ts';
import type { Ids } from '../../ports/system.ts';
import { alreadyExists, IDENTITIES, type Identity } from '../accounts/accounts.ts';
import { type EmailCredentials, readAddress, requirePassword } from '../accounts/email-login.ts';
import { Registrations } from '../accounts/registrations.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { Principal, Principals } from './principals.ts';

/** An account that is to be made. */
export interface NewEnterpriseAccount extends EmailCredentials {
  superadmin: boolean;
  profile?: JsonObject;
}

/** An account that was made, with its id. */
export interface CreatedAccount {
  id: string;
  principal: Principal;
}

/** Accounts of people who administer; they have nothing to do with the accounts of the wallet. */
export class EnterpriseAccounts {
  readonly #identities: Collection<Identity>;
  readonly #principals: Principals;
  readonly #passwords: Passwords;
  readonly #ids: Ids;
  readonly #registrations = new Registrations();

  constructor(store: Store, principals: Principals, passwords: Passwords, ids: Ids) {
    this.#identities = store.collection(IDENTITIES);
    this.#principals = principals;
    this.#passwords = passwords;
    this.#ids = ids;
  }

  /**
   * Makes an account. The insert of the identity is the moment it comes to be.
   * @throws DomainError `BadRequest`, `Conflict` when the address has an account
   */
  async create(account: NewEnterpriseAccount): Promise<CreatedAccount> {
    const address = readAddress(account.email, '/body/initialAuth/identifier/email');
    requirePassword(account.password, '/body/initialAuth/data/password');
    return this.#registrations.run(identityOf(address), () => this.#create(address, account));
  }

  async #create(address: string, { superadmin, profile, ...attempt }: NewEnterpriseAccount): Promise<CreatedAccount> {
    const identity = identityOf(address);
    if (await this.#identities.get({ id: identity })) throw alreadyExists();
    const passwordHash = await this.#passwords.hash(attempt);
    const accountId = this.#ids.uuid();
    const principal = { superadmin, roles: [], profile: { ...profile, email: address } };
    await this.#principals.add(accountId, principal);
    try {
      await this.#identities.insert({ id: identity, value: { accountId, passwordHash } });
    } catch (error) {
      // Only a lost race is certain; after any other failure the identity may have been written and need its account.
      if (!isDomainError(error, 'Conflict')) throw error;
      await this.#principals.remove(accountId).catch(() => undefined);
      throw alreadyExists();
    }
    return { id: accountId, principal };
  }

  /** The id of the account. @throws DomainError `BadRequest`, `LoginRequired` for an unknown address and a wrong password */
  async login({ email, password, source }: EmailCredentials): Promise<string> {
    const address = readAddress(email);
    requirePassword(password);
    const identity = (await this.#identities.get({ id: identityOf(address) }))?.value;
    const matches = await this.#passwords.matches({ password, source }, identity?.passwordHash);
    if (!identity || !matches) throw new DomainError('LoginRequired', 'The e-mail address or the password is wrong');
    return identity.accountId;
  }
}

/** No identity of the wallet starts like this, so the two never meet. */
const identityOf = (address: string): string => `admin:${address.toLowerCase()}`;
