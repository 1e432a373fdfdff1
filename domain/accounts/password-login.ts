import type { Passwords } from '../../ports/secrets.ts';
import type { Turn } from '../../ports/turn.ts';
import { at, DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { type AccountRealm, alreadyExists, emailIdentity, type Identities, type NewIdentity } from './identities.ts';
import type { AttemptedLogin, LoginAttempts } from './login-attempts.ts';
import { Registrations } from './registrations.ts';

/** Credentials of an account with e-mail address and password. */
export interface EmailCredentials {
  email: string;
  password: string;
  turn: Turn;
}

/** An e-mail address to create an account for, with its identity. */
interface VerifiedRegistration {
  identity: NewIdentity;
  /** The address in the form in which it is stored. */
  address: string;
}

/** What follows from right credentials. */
interface Admission<T> {
  /** @throws DomainError `LoginRequired` when more is needed that is wrong, which counts as a failed login */
  admit(accountId: string): Promise<T>;
  /** Takes back what `admit` did: the password was changed, or the account removed, meanwhile. */
  withdraw(result: T): Promise<void>;
}

/** A password to set in place of another. */
interface PasswordChange {
  email: string;
  current: string;
  next: string;
  turn: Turn;
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;
/** Control characters, and surrogates without their other half: two such texts could be stored as the same one. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Registration and login with e-mail address and password, in one realm. */
export class PasswordLogin {
  readonly #registrations = new Registrations();

  constructor(
    private readonly parts: {
      identities: Identities;
      passwords: Passwords;
      realm: AccountRealm;
      /** Locks accounts after failed logins; they are never locked without it. */
      attempts?: LoginAttempts;
    },
  ) {}

  /**
   * Creates an account with `create`; of concurrent registrations of one address only the first costs a password hash.
   * @throws DomainError `BadRequest` naming the field, `Conflict` when the address has an account
   */
  async register<A>(
    { email, password, turn }: EmailCredentials,
    create: (registration: VerifiedRegistration) => Promise<A>,
  ): Promise<A> {
    const { identities, passwords } = this.parts;
    const address = readAddress(email);
    requirePassword(password);
    const id = this.#identityOf(address);
    const work = async (): Promise<A> => {
      if (await identities.find(id)) throw alreadyExists();
      const passwordHash = await passwords.hash({ password, ...turn });
      return create({ identity: { id, passwordHash }, address });
    };
    return this.#registrations.run(id, work, turn.left);
  }

  /**
   * Returns the id of the account.
   * @throws DomainError `BadRequest` naming the field, `LoginRequired`, the same for an unknown address, a wrong password
   * and a locked account
   */
  login(credentials: EmailCredentials): Promise<string> {
    return this.admit(credentials, { admit: async (accountId) => accountId, withdraw: async () => {} });
  }

  /** As `login`, with what follows from it. @throws DomainError as `login` and `admit` do */
  async admit<T>({ email, password, turn }: EmailCredentials, { admit, withdraw }: Admission<T>): Promise<T> {
    const { identities, passwords } = this.parts;
    const id = this.#identityOf(readAddress(email));
    requirePassword(password);
    return this.#attempt({ identity: id, source: turn.source }, async (isAdmitted) => {
      const identity = await identities.find(id);
      const matches = await passwords.matches({ password, ...turn }, identity?.passwordHash);
      if (!identity || !matches || !isAdmitted) throw wrongCredentials(identity?.accountId);
      const result = await admit(identity.accountId);
      const now = await identities.find(id);
      if (now?.accountId === identity.accountId && now.passwordHash === identity.passwordHash) return result;
      await withdraw(result);
      throw wrongCredentials(identity.accountId);
    });
  }

  /**
   * Changes a password after `confirm`, which is called once `current` is right.
   * @throws DomainError `BadRequest` naming the field, also when `current` is wrong or the account is locked
   */
  async change({ email, current, next, turn }: PasswordChange, confirm: () => Promise<void>): Promise<void> {
    if (next.trim() === '') throw invalidField(['new'], 'must not be blank');
    const credentials = { email, password: current, turn };
    const accountId = await at({ password: ['current'] }, () => this.login(credentials)).catch((error: unknown) => {
      throw isDomainError(error, 'LoginRequired') ? invalidField(['current'], 'is not the password') : error;
    });
    await this.set({ email, password: next, turn }, async () => {
      await confirm();
      return accountId;
    });
  }

  /** Sets the password of the account that `accountOf` returns after the hashing, and ends its locks. @throws DomainError `BadRequest`, `NotFound` */
  async set({ email, password, turn }: EmailCredentials, accountOf: () => Promise<string>): Promise<void> {
    requirePassword(password);
    const { identities, passwords, attempts } = this.parts;
    const id = this.#identityOf(readAddress(email));
    const passwordHash = await passwords.hash({ password, ...turn });
    await identities.setPassword(id, await accountOf(), passwordHash);
    await attempts?.renew({ identity: id, source: turn.source });
  }

  /** Frees the address of an account. */
  async remove(email: string, accountId: string): Promise<void> {
    const id = this.#identityOf(readAddress(email));
    await this.parts.identities.remove(id, accountId);
    await this.parts.attempts?.clear(id);
  }

  #attempt<T>(login: AttemptedLogin, work: (isAdmitted: boolean) => Promise<T>): Promise<T> {
    const { attempts } = this.parts;
    return attempts ? attempts.run(login, work) : work(true);
  }

  #identityOf(address: string): string {
    return emailIdentity(this.parts.realm, address);
  }
}

/** The one answer to an unknown address, a wrong password and a locked or disabled account; `account` is for the audit trail. */
export const wrongCredentials = (account: string | undefined): DomainError =>
  new DomainError('LoginRequired', 'The e-mail address or the password is wrong', { account });

/** The address in the form in which it is stored. @throws DomainError `BadRequest` */
export function readAddress(text: string): string {
  const address = text.trim().normalize('NFC');
  if (!ADDRESS.test(address) || UNSTORABLE.test(address)) throw invalidField(['email'], 'must be an e-mail address');
  return address;
}

function requirePassword(password: string): void {
  if (password.trim() === '') throw invalidField(['password'], 'must not be blank');
}
