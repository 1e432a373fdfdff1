import type { Clock } from '../../../ports/system.ts';
import type { Turn } from '../../../ports/turn.ts';
import { readAddress } from '../../accounts/password-login.ts';
import type { TenancyAccounts } from '../../accounts/tenancy-accounts.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import type { Access } from '../access/access.ts';
import type { Principals } from '../access/principals.ts';
import { nothingAt, type Target } from '../access/targets.ts';
import type { PageRequest } from '../tree/list-requests.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import { withoutSecrets } from '../tree/secrets.ts';
import { assignableRole } from './api-key-administration.ts';
import type { Invitations, InvitationView, OpenInvitation } from './invitations.ts';
import { type PrincipalView, viewOf } from './roles.ts';

/** Who is invited to which role, for how many seconds. */
interface InvitationRequest {
  email: string;
  role: Target;
  expiresInSeconds?: number;
}

/** A created invitation; `token` is shown once. */
interface CreatedInvitation extends InvitationView {
  token: string;
}

/** What the holder of a token sends to accept an invitation. */
interface Acceptance {
  token: string;
  password: string;
  /** Of the second factor of an account that has one. */
  code?: string;
  profile?: JsonObject;
  turn: Turn;
}

const WEEK_SECONDS = 7 * 24 * 60 * 60;

/** Invites to accounts with a role: inviting requires every right that the role grants. */
export class InvitationAdministration {
  constructor(
    private readonly parts: {
      access: Access;
      accounts: TenancyAccounts;
      principals: Principals;
      tree: ResourceTree;
      invitations: Invitations;
      limits: PageLimits;
      clock: Clock;
    },
  ) {}

  /** @throws DomainError `BadRequest` naming the field, `Forbidden`, `NotFound` */
  async create(
    caller: string,
    target: Target,
    { email, role, expiresInSeconds = WEEK_SECONDS }: InvitationRequest,
  ): Promise<CreatedInvitation> {
    const { access, tree, principals, invitations, clock } = this.parts;
    const rights = await access.requireFullControl(caller, target);
    await tree.resource(target, ['organization', 'tenant']);
    const wanted = { email: readAddress(email), role: await assignableRole(principals, role, rights) };
    const expiresAt = clock.now() + expiresInSeconds * 1000;
    const { token, view } = await invitations.create({ target, ...wanted, expiresAt });
    await tree.confirm(target, async () => {
      await invitations.remove(target, view._id);
    });
    return { ...view, token };
  }

  /**
   * Creates the account with this password, or logs in to the one that has the address, and gives it the role.
   * @throws DomainError `BadRequest`, `TokenRejected`, `LoginRequired` when the address has an account with another password,
   * `CodeRequired` when that has a second factor, `Conflict` when the role was removed
   */
  async accept({ token, password, code, profile, turn }: Acceptance): Promise<PrincipalView> {
    const { accounts, principals, invitations } = this.parts;
    const open = await invitations.find(token);
    if (!open) throw rejected();
    await this.#requireRole(open);
    const credentials = { email: open.email, password, turn };
    const take = async (): Promise<void> => {
      if (!(await invitations.take(token))) throw rejected();
    };
    const shown = withoutSecrets({ ...profile });
    const id = await accounts
      .create({ ...credentials, superadmin: false, profile: shown, confirm: take })
      .then((created) => created.id)
      .catch((error: unknown) => {
        if (isDomainError(error, 'Conflict')) return accounts.confirmed({ ...credentials, code }, take);
        throw error;
      });
    return viewOf(id, await principals.assign(id, open.role.target));
  }

  /** A role that was removed and created again is not the one that the invitation is to. */
  async #requireRole({ role }: OpenInvitation): Promise<void> {
    if (!(await this.parts.principals.live(role)))
      throw new DomainError('Conflict', 'The role of the invitation was removed');
  }

  /** @throws DomainError `BadRequest`, `NotFound` */
  async page({ target, query }: PageRequest): Promise<InvitationView[]> {
    const { tree, invitations, limits } = this.parts;
    await tree.resource(target);
    const page = await query((texts) => readPage(texts, { ...limits, sortable: false }));
    return invitations.page({ ...page, parent: target });
  }

  /** @throws DomainError `NotFound` */
  async revoke(target: Target, id: string): Promise<void> {
    if (!(await this.parts.invitations.remove(target, id))) throw nothingAt(target);
  }
}

const rejected = (): DomainError => new DomainError('TokenRejected', 'The token is not valid');
