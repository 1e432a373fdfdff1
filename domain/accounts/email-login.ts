import type { Passwords } from '../../ports/secrets.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { type Account, type Accounts, alreadyExists } from './accounts.ts';
import { Registrations } from './registrations.ts';

/** Credentials of an account with e-mail address and password. */
export interface EmailCredentials {
  email: string;
  password: string;
  /** Where they come from. */
  source: string;
}

/** What an account with e-mail address and password is made of. */
export interface EmailRegistration extends EmailCredentials {
  name?: string;
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;
/** Control characters, and surrogates without their other half: two such texts could be stored as the same one. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Accounts that log in with an e-mail address and a password. */
export class EmailLogin {
  readonly #accounts: Accounts;
  readonly #passwords: Passwords;
  readonly #registrations = new Registrations();

  constructor(accounts: Accounts, passwords: Passwords) {
    this.#accounts = accounts;
    this.#passwords = passwords;
  }

  /** @throws DomainError `BadRequest` naming the field, `Conflict` when the address is taken */
  async register({ email, password, source, name }: EmailRegistration): Promise<Account> {
    const address = readAddress(email);
    requirePassword(password);
    const identity = identityOf(address);
    return this.#registrations.run(identity, async () => {
      if (await this.#accounts.find(identity)) throw alreadyExists();
      const passwordHash = await this.#passwords.hash({ password, source });
      return this.#accounts.create({ identity, name: name?.trim(), email: address, passwordHash });
    });
  }

  /** @throws DomainError `BadRequest` naming the field, `LoginRequired` for an unknown address and a wrong password */
  async login({ email, password, source }: EmailCredentials): Promise<Account> {
    const address = readAddress(email);
    requirePassword(password);
    const identity = await this.#accounts.find(identityOf(address));
    const matches = await this.#passwords.matches({ password, source }, identity?.passwordHash);
    if (!identity || !matches) throw new DomainError('LoginRequired', 'The e-mail address or the password is wrong');
    return this.#accounts.get(identity.accountId);
  }
}

const identityOf = (address: string): string => `email:${address.toLowerCase()}`;

/** The address in the form it is kept in. @throws DomainError `BadRequest` naming the field */
export function readAddress(text: string, field = '/body/email'): string {
  const address = text.trim().normalize('NFC');
  if (!ADDRESS.test(address) || UNSTORABLE.test(address)) throw invalidField(field, 'must be an e-mail address');
  return address;
}

/** @throws DomainError `BadRequest` naming the field */
export function requirePassword(password: string, field = '/body/password'): void {
  if (password.trim() === '') throw invalidField(field, 'must not be blank');
}
