import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { Account, Accounts, Identity } from './accounts.ts';
import { rejected } from './x5c-token.ts';
import type { X5cTokens } from './x5c-tokens.ts';

/** Credentials of an account that is recognised by a certified key. */
export interface X5cCredentials {
  token: string;
  name?: string;
}

/** Accounts that log in with a token signed by the key of an X.509 certificate. */
export class X5cLogin {
  readonly #accounts: Accounts;
  readonly #tokens: X5cTokens;
  readonly #autoRegister: boolean;

  /** With `autoRegister` the first login of a key makes its account. */
  constructor(accounts: Accounts, tokens: X5cTokens, { autoRegister }: { autoRegister: boolean }) {
    this.#accounts = accounts;
    this.#tokens = tokens;
    this.#autoRegister = autoRegister;
  }

  /** @throws DomainError `BadRequest` for every token that is not good, `Conflict` when its key has an account */
  async register({ token, name }: X5cCredentials): Promise<Account> {
    const identity = await this.#tokens.accept(token).catch((error: unknown) => {
      throw isDomainError(error, 'TokenRejected') ? asBadRequest(error) : error;
    });
    return this.#accounts.create({ identity, name: name?.trim() });
  }

  /** @throws DomainError `BadRequest` for a malformed token, `TokenRejected` for one that is not good */
  async login({ token, name }: X5cCredentials): Promise<Pick<Account, 'id'>> {
    const identity = await this.#tokens.accept(token);
    const known = await this.#accounts.find(identity);
    if (known) return { id: known.accountId };
    if (!this.#autoRegister) throw rejected('the key of the leaf certificate has no account');
    return this.#firstLogin(identity, name);
  }

  async #firstLogin(identity: string, name: string | undefined): Promise<Pick<Account, 'id'>> {
    try {
      return await this.#accounts.create({ identity, name: name?.trim() });
    } catch (error) {
      // Another first login of the same key was faster: its account counts.
      const theirs: Identity | undefined = isDomainError(error, 'Conflict')
        ? await this.#accounts.find(identity)
        : undefined;
      if (theirs) return { id: theirs.accountId };
      throw error;
    }
  }
}

/** Nobody is logging in yet, so there are no credentials to be wrong (decisions §3: 400 on register). */
const asBadRequest = (error: DomainError): DomainError =>
  new DomainError('BadRequest', error.message, { cause: error, details: error.details });
