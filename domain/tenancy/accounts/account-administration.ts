import type { Turns } from '../../../ports/system.ts';
import type { PasswordReset } from '../../accounts/password-resets.ts';
import type { SecondFactors } from '../../accounts/second-factors.ts';
import { noAccount, type TenancyAccounts } from '../../accounts/tenancy-accounts.ts';
import { mapInTurns } from '../../foundation/concurrency.ts';
import { DomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isoMillis } from '../../foundation/time.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import type { Access } from '../access/access.ts';
import type { Principal, Principals, RoleGrant } from '../access/principals.ts';
import type { PageRequest } from '../tree/list-requests.ts';
import { withoutSecrets } from '../tree/secrets.ts';
import { type PrincipalView, viewOf } from './roles.ts';
import type { SuperadminChanges } from './superadmin-changes.ts';

/** An account with its state. */
interface AccountView extends PrincipalView {
  superadmin: boolean;
  disabled: boolean;
  /** Absent for accounts that were made before there was a list and did not log in since. */
  createdDateTime?: string;
}

/** The caller, with everything that its roles grant. */
interface OwnAccount extends AccountView {
  permissions: RoleGrant[];
}

/** The accounts of administrators: superadmins manage all of them, every account itself. */
export class AccountAdministration {
  constructor(
    private readonly parts: {
      access: Access;
      accounts: TenancyAccounts;
      principals: Principals;
      factors: SecondFactors;
      limits: PageLimits;
      superadminChanges: SuperadminChanges;
      turns: Turns;
    },
  ) {}

  /** @throws DomainError `BadRequest`, `Forbidden` */
  async page({ caller, query }: Pick<PageRequest, 'query'> & { caller: string }): Promise<AccountView[]> {
    const { access, accounts, principals, limits, turns } = this.parts;
    await access.requireSuperadmin(caller);
    const page = await query((texts) => readPage(texts, { ...limits, sortable: false }));
    const rows = await accounts.page(page);
    const views = await mapInTurns(turns, rows, async ({ id, createdAt }) => {
      const principal = await principals.get(id);
      // An account removed meanwhile is skipped.
      return principal ? [accountView(id, principal, createdAt)] : [];
    });
    return views.flat();
  }

  /** @throws DomainError `Forbidden`, `NotFound` */
  async get(caller: string, accountId: string): Promise<AccountView> {
    if (caller !== accountId) await this.parts.access.requireSuperadmin(caller);
    return this.#view(accountId);
  }

  async #view(accountId: string): Promise<AccountView> {
    return accountView(accountId, await this.#principal(accountId), await this.parts.accounts.createdAt(accountId));
  }

  /** The caller and its rights. @throws DomainError `NotFound` for callers without an account */
  async own(caller: string): Promise<OwnAccount> {
    const rights = await this.parts.principals.roleRightsOf(caller);
    return { ...(await this.get(caller, caller)), permissions: rights.everything ? [] : rights.grants };
  }

  /** Replaces the profile of the caller; the address stays. @throws DomainError `NotFound` for callers without an account */
  async setProfile(caller: string, profile: JsonObject): Promise<AccountView> {
    await this.parts.principals.change(caller, (before) => ({
      ...before,
      profile: { ...withoutSecrets(profile), email: before.profile.email },
    }));
    return this.get(caller, caller);
  }

  /** A disabled account cannot log in, and its sessions end. @throws DomainError `Forbidden`, `NotFound`, `Conflict` */
  async disable(caller: string, accountId: string): Promise<AccountView> {
    await this.#disable(caller, accountId);
    await this.parts.accounts.endSessions(accountId);
    return this.#view(accountId);
  }

  /** @throws DomainError `Forbidden`, `NotFound` */
  async enable(caller: string, accountId: string): Promise<AccountView> {
    await this.parts.access.requireSuperadmin(caller);
    await this.#setDisabled(accountId, false);
    return this.#view(accountId);
  }

  /** An account is disabled before it is removed. @throws DomainError `Forbidden`, `NotFound`, `Conflict` */
  async remove(caller: string, accountId: string): Promise<void> {
    await this.#disable(caller, accountId);
    await this.parts.accounts.remove(accountId);
  }

  /** Superadmins are disabled one after another, each by one who is a superadmin at that time: so one always remains. */
  async #disable(caller: string, accountId: string): Promise<void> {
    const { access, superadminChanges } = this.parts;
    await access.requireSuperadmin(caller);
    if (caller === accountId) throw new DomainError('Conflict', 'A superadmin cannot disable or remove itself');
    if (!(await this.#principal(accountId)).superadmin) return this.#setDisabled(accountId, true);
    await superadminChanges.alone(async () => {
      await access.requireSuperadmin(caller);
      await this.#setDisabled(accountId, true);
    });
  }

  async #setDisabled(accountId: string, disabled: boolean): Promise<void> {
    await this.parts.principals.change(accountId, (before) => ({ ...before, disabled }));
  }

  /** Creates a token with which a password can be set once. @throws DomainError `Forbidden`, `NotFound` */
  async startReset(caller: string, accountId: string): Promise<PasswordReset> {
    await this.parts.access.requireSuperadmin(caller);
    return this.parts.accounts.startReset(accountId);
  }

  /** Removes the second factor of an account that lost its device. @throws DomainError `Forbidden`, `NotFound` */
  async removeFactor(caller: string, accountId: string): Promise<void> {
    await this.parts.access.requireSuperadmin(caller);
    if (!(await this.parts.factors.remove(accountId)))
      throw new DomainError('NotFound', 'The account has no second factor');
  }

  async #principal(id: string): Promise<Principal> {
    const principal = await this.parts.principals.get(id);
    if (!principal) throw noAccount(id);
    return principal;
  }
}

const accountView = (id: string, principal: Principal, createdAt: number | undefined): AccountView => ({
  ...viewOf(id, principal),
  superadmin: principal.superadmin,
  disabled: principal.disabled ?? false,
  ...(createdAt !== undefined && { createdDateTime: isoMillis(createdAt) }),
});
