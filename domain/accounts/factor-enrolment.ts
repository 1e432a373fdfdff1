import { DomainError } from '../foundation/errors.ts';
import { type EmailCredentials, type PasswordLogin, wrongCredentials } from './password-login.ts';
import type { Enrolment, FactorAccount, SecondFactors } from './second-factors.ts';
import type { AccountPrincipals } from './tenancy-accounts.ts';

/** Credentials with the code of a second factor. */
interface CodeCredentials extends EmailCredentials {
  code: string;
}

/**
 * Enrolment of second factors. Each step takes the password, so that an account that needs a factor can enrol before its
 * first login, and a stolen session cannot.
 */
export class FactorEnrolment {
  constructor(
    private readonly parts: {
      passwords: PasswordLogin;
      principals: AccountPrincipals;
      factors: SecondFactors;
    },
  ) {}

  /** @throws DomainError `BadRequest`, `LoginRequired`, `Conflict` when the account has a factor */
  start(credentials: EmailCredentials): Promise<Enrolment> {
    return this.#with(credentials, (account) => this.parts.factors.enrol(account));
  }

  /** Returns the recovery codes, once. @throws DomainError `BadRequest`, `LoginRequired`, `Conflict` without an enrolment */
  confirm({ code, ...credentials }: CodeCredentials): Promise<string[]> {
    return this.#with(credentials, (account) => this.parts.factors.confirm(account, code));
  }

  /** @throws DomainError `BadRequest`, `LoginRequired`, `Conflict` when the account has no factor */
  remove({ code, ...credentials }: CodeCredentials): Promise<void> {
    const { factors } = this.parts;
    return this.#with(credentials, async (account) => {
      if (!(await factors.has(account.id))) throw new DomainError('Conflict', 'The account has no second factor');
      await factors.check(account, code);
      await factors.remove(account.id);
    });
  }

  #with<T>(credentials: EmailCredentials, work: (account: FactorAccount) => Promise<T>): Promise<T> {
    const { passwords, principals } = this.parts;
    return passwords.admit(credentials, {
      admit: async (id) => {
        const principal = await principals.get(id);
        if (!principal || principal.disabled) throw wrongCredentials(id);
        return work({ id, email: String(principal.profile.email), superadmin: principal.superadmin });
      },
      withdraw: async () => {},
    });
  }
}
