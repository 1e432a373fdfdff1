import type { Passwords } from '../../ports/secrets.ts';
import { DomainError, invalidField } from '../errors.ts';
import type { Account, Accounts } from './accounts.ts';

/** Credentials of an account with e-mail address and password. */
export interface EmailCredentials {
  email: string;
  password: string;
  name?: string;
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;
/** Control characters, and surrogates without their other half: two such texts could be stored as the same one. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Accounts that log in with an e-mail address and a password. */
export class EmailLogin {
  readonly #accounts: Accounts;
  readonly #passwords: Passwords;

  constructor(accounts: Accounts, passwords: Passwords) {
    this.#accounts = accounts;
    this.#passwords = passwords;
  }

  /** @throws DomainError `BadRequest` naming the field, `Conflict` when the address is taken */
  async register({ email, password, name }: EmailCredentials): Promise<Account> {
    const address = readAddress(email);
    requirePassword(password);
    const identity = identityOf(address);
    if (await this.#accounts.find(identity)) throw new DomainError('Conflict', 'This account exists already');
    const passwordHash = await this.#passwords.hash(password);
    return this.#accounts.create({ identity, name: name?.trim(), email: address, passwordHash });
  }

  /** @throws DomainError `BadRequest` naming the field, `LoginRequired` for an unknown address and a wrong password */
  async login({ email, password }: EmailCredentials): Promise<Account> {
    const address = readAddress(email);
    requirePassword(password);
    const identity = await this.#accounts.find(identityOf(address));
    const matches = await this.#passwords.matches(password, identity?.passwordHash);
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
