import type { Collection, PageQuery, Store } from '../../ports/store.ts';
import type { Clock, Ids, Random } from '../../ports/system.ts';
import type { Turn } from '../../ports/turn.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { insertFirst } from '../foundation/records.ts';
import type { Identities } from './identities.ts';
import type { LoginSessions } from './login-sessions.ts';
import { type EmailCredentials, type PasswordLogin, wrongCredentials } from './password-login.ts';
import { type PasswordReset, PasswordResets } from './password-resets.ts';
import type { SecondFactors } from './second-factors.ts';

/** The account of an administrator to create. */
interface NewTenancyAccount extends EmailCredentials {
  superadmin: boolean;
  profile?: JsonObject;
  /** Runs after the password was hashed and before anything is stored; its failure is that of the creation. */
  confirm?(): Promise<void>;
}

/** A created account. */
interface CreatedAccount {
  id: string;
  profile: JsonObject;
}

/** Credentials, with the code of the second factor where the account has one. */
export interface LoginRequest extends EmailCredentials {
  code?: string;
}

/** A bearer token and the account that it is for. */
export interface LoggedIn {
  token: string;
  account: string;
}

/** What is stored of an account besides its login. */
interface AccountPrincipal {
  superadmin: boolean;
  /** Contains the e-mail address. */
  profile: JsonObject;
  /** Whether it can neither log in nor do anything. */
  disabled?: boolean;
}

/** Stores what an account may do. */
export interface AccountPrincipals {
  add(id: string, principal: { superadmin: boolean; roles: []; profile: JsonObject }): Promise<void>;
  get(id: string): Promise<AccountPrincipal | undefined>;
  remove(id: string): Promise<void>;
}

/** A change of the password by the account itself; `token` is that of the session that remains. */
interface OwnPasswordChange {
  current: string;
  next: string;
  turn: Turn;
  token: string;
}

/** The accounts of administrators, separate from those of the wallet service. */
export class TenancyAccounts {
  /** One empty record for each account, since principals are not listed. */
  readonly #listed: Collection<object>;
  readonly #resets: PasswordResets;

  constructor(
    private readonly parts: {
      store: Store;
      identities: Identities;
      /** Of the realm `enterprise`. */
      passwords: PasswordLogin;
      principals: AccountPrincipals;
      sessions: LoginSessions;
      factors: SecondFactors;
      clock: Clock;
      ids: Ids;
      random: Random;
    },
  ) {
    this.#listed = parts.store.collection({
      name: 'enterprise-accounts',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
    this.#resets = new PasswordResets(parts);
  }

  /** The sessions of all accounts. */
  get sessions(): LoginSessions {
    return this.parts.sessions;
  }

  /** @throws DomainError `BadRequest` naming the field, `Conflict` when the address has an account */
  create({ superadmin, profile, confirm, ...credentials }: NewTenancyAccount): Promise<CreatedAccount> {
    const { identities, passwords, principals, ids } = this.parts;
    return passwords.register(credentials, async ({ identity, address }) => {
      await confirm?.();
      const id = ids.uuid();
      const principal = { superadmin, roles: [] as [], profile: { ...profile, email: address } };
      await identities.register(identity, {
        id,
        store: async () => {
          await principals.add(id, principal);
          await this.#listed.insert({ id, value: {} });
        },
        discard: () => this.#discard(id).catch(() => undefined),
      });
      return { id, profile: principal.profile };
    });
  }

  /**
   * @throws DomainError `BadRequest` naming the field, `LoginRequired`, the same for a disabled account; after the right
   * password `CodeRequired` and `EnrolmentRequired`
   */
  login({ code, ...credentials }: LoginRequest): Promise<LoggedIn> {
    const { passwords, sessions } = this.parts;
    return passwords.admit(credentials, {
      admit: async (accountId) => {
        await this.#requireEnabled(accountId, code);
        // Accounts that were made before there was a list are not in it.
        if (!(await this.#listed.get({ id: accountId }))) await insertFirst(this.#listed, { id: accountId, value: {} });
        return { token: await sessions.start(accountId), account: accountId };
      },
      withdraw: async ({ token }) => void (await sessions.end([token])),
    });
  }

  /** Returns the id of the account with these credentials, after `confirm`. @throws DomainError as `login`, and of `confirm` */
  confirmed({ code, ...credentials }: LoginRequest, confirm: () => Promise<void>): Promise<string> {
    const { passwords } = this.parts;
    return passwords.admit(credentials, {
      admit: async (accountId) => {
        await this.#requireEnabled(accountId, code);
        await confirm();
        return accountId;
      },
      withdraw: async () => {},
    });
  }

  /** Requires that an account whose password is right is not disabled, and that its second factor is right too. */
  async #requireEnabled(accountId: string, code: string | undefined): Promise<void> {
    const { principals, factors } = this.parts;
    const principal = await principals.get(accountId);
    if (!principal || principal.disabled) throw wrongCredentials(accountId);
    const { profile, superadmin } = principal;
    await factors.check({ id: accountId, email: String(profile.email), superadmin }, code);
  }

  /** The ids of accounts and when they were created, in the order of the ids. */
  async page(query: Pick<PageQuery, 'offset' | 'limit'>): Promise<{ id: string; createdAt: number }[]> {
    return this.#listed.list({ ...query, parent: '', order: 'id' });
  }

  /** When an account was created; undefined for one that is not listed. */
  async createdAt(id: string): Promise<number | undefined> {
    return (await this.#listed.get({ id }))?.createdAt;
  }

  /** Changes a password; ends all other sessions and the reset token. @throws DomainError `BadRequest` naming the field */
  async changePassword(accountId: string, { token, ...change }: OwnPasswordChange): Promise<void> {
    const { passwords, sessions } = this.parts;
    const email = await this.#emailOf(accountId);
    await passwords.change({ ...change, email }, () => this.#resets.end(accountId));
    await sessions.endAll(accountId, token);
  }

  /** Creates a token with which the password can be set once; an earlier one ends. @throws DomainError `NotFound` */
  async startReset(accountId: string): Promise<PasswordReset> {
    await this.#emailOf(accountId);
    return this.#resets.create(accountId);
  }

  /** Sets the password of the account of a token and ends all its sessions. @throws DomainError `BadRequest`, `TokenRejected` */
  async reset({ token, ...next }: { token: string; password: string; turn: Turn }): Promise<void> {
    if (next.password.trim() === '') throw invalidField(['password'], 'must not be blank');
    const accountId = await this.#resets.accountOf(token);
    const principal = accountId === undefined ? undefined : await this.parts.principals.get(accountId);
    if (accountId === undefined || principal === undefined) throw rejectedReset();
    // The token is taken after the password was hashed, which may be refused while the server is busy.
    await this.parts.passwords.set({ email: String(principal.profile.email), ...next }, async () => {
      if (!(await this.#resets.take(token))) throw rejectedReset();
      return accountId;
    });
    await this.endSessions(accountId);
  }

  async endSessions(accountId: string): Promise<void> {
    await this.parts.sessions.endAll(accountId);
  }

  /** Removes an account with its login; an interrupted removal can be repeated. @throws DomainError `NotFound` */
  async remove(accountId: string): Promise<void> {
    await this.parts.passwords.remove(await this.#emailOf(accountId), accountId);
    await this.endSessions(accountId);
    await this.parts.factors.remove(accountId);
    await this.#discard(accountId);
  }

  async #discard(id: string): Promise<void> {
    await this.#resets.end(id);
    await this.#listed.remove({ id });
    await this.parts.principals.remove(id);
  }

  async #emailOf(accountId: string): Promise<string> {
    const principal = await this.parts.principals.get(accountId);
    if (!principal) throw noAccount(accountId);
    return String(principal.profile.email);
  }
}

const rejectedReset = (): DomainError => new DomainError('TokenRejected', 'The token is not valid');

/** The failure of a call for an account that does not exist. */
export const noAccount = (id: string): DomainError =>
  new DomainError('NotFound', `There is no account ${id.slice(0, 80)}`);
