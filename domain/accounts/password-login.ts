import type { Passwords } from '../../ports/secrets.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { type AccountRealm, alreadyExists, emailIdentity, type Identities, type NewIdentity } from './identities.ts';
import { Registrations } from './registrations.ts';

/** Credentials of an account with e-mail address and password. */
export interface EmailCredentials {
  email: string;
  password: string;
  /** The source of the request, by which password hashes are counted. */
  source: string;
}

/** An e-mail address to create an account for, with its identity. */
export interface VerifiedRegistration {
  identity: NewIdentity;
  /** The address in the form in which it is stored. */
  address: string;
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;
/** Control characters, and surrogates without their other half: two such texts could be stored as the same one. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Registration and login with e-mail address and password, in one realm. */
export class PasswordLogin {
  readonly #identities: Identities;
  readonly #passwords: Passwords;
  readonly #realm: AccountRealm;
  readonly #registrations = new Registrations();

  constructor(identities: Identities, passwords: Passwords, realm: AccountRealm) {
    this.#identities = identities;
    this.#passwords = passwords;
    this.#realm = realm;
  }

  /**
   * Creates an account with `create`; of concurrent registrations of one address only the first costs a password hash.
   * @throws DomainError `BadRequest` naming the field, `Conflict` when the address has an account
   */
  async register<A>(
    { email, password, source }: EmailCredentials,
    create: (registration: VerifiedRegistration) => Promise<A>,
  ): Promise<A> {
    const address = readAddress(email);
    requirePassword(password);
    const id = emailIdentity(this.#realm, address);
    return this.#registrations.run(id, async () => {
      if (await this.#identities.find(id)) throw alreadyExists();
      const passwordHash = await this.#passwords.hash({ password, source });
      return create({ identity: { id, passwordHash }, address });
    });
  }

  /**
   * Returns the id of the account.
   * @throws DomainError `BadRequest` naming the field, `LoginRequired`, the same for an unknown address and a wrong password
   */
  async login({ email, password, source }: EmailCredentials): Promise<string> {
    const address = readAddress(email);
    requirePassword(password);
    const identity = await this.#identities.find(emailIdentity(this.#realm, address));
    const matches = await this.#passwords.matches({ password, source }, identity?.passwordHash);
    if (!identity || !matches) {
      const account = identity?.accountId;
      throw new DomainError('LoginRequired', 'The e-mail address or the password is wrong', { account });
    }
    return identity.accountId;
  }
}

/** The address in the form in which it is stored. */
function readAddress(text: string): string {
  const address = text.trim().normalize('NFC');
  if (!ADDRESS.test(address) || UNSTORABLE.test(address)) throw invalidField(['email'], 'must be an e-mail address');
  return address;
}

function requirePassword(password: string): void {
  if (password.trim() === '') throw invalidField(['password'], 'must not be blank');
}
