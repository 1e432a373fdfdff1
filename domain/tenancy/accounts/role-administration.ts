import type { Turns } from '../../../ports/system.ts';
import { mapInTurns } from '../../foundation/concurrency.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import type { Access } from '../access/access.ts';
import { canDelegate, type Rights } from '../access/permissions.ts';
import type { Principals, Role } from '../access/principals.ts';
import { childOf, nothingAt, type Target } from '../access/targets.ts';
import type { PageRequest } from '../tree/list-requests.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import { type AccountPart, checkGrants, type NewRole, partOf, type RoleView, roleTarget } from './roles.ts';

/** An account, as administrators of a role see it: those of its roles that they control, and its profile when they control all. */
interface RoleAccount extends AccountPart {
  profile?: JsonObject;
}

/** Shows, changes and removes roles; changing one requires every right that it grants, before and after. */
export class RoleAdministration {
  constructor(
    private readonly parts: {
      access: Access;
      principals: Principals;
      tree: ResourceTree;
      limits: PageLimits;
      turns: Turns;
    },
  ) {}

  /** The roles directly below a target. @throws DomainError `BadRequest`, `NotFound` */
  async page({ target, query }: PageRequest): Promise<RoleView[]> {
    const { principals, tree, limits } = this.parts;
    await tree.resource(target);
    const page = await query((texts) => readPage(texts, { ...limits, sortable: false }));
    const roles = await principals.rolePage({ ...page, parent: target });
    return roles.map(({ id, value }) => viewOfRole(childOf(target, id), value));
  }

  /** @throws DomainError `NotFound` */
  async get(target: Target): Promise<RoleView> {
    const role = await this.parts.principals.role(target);
    if (!role) throw nothingAt(target);
    return viewOfRole(target, role);
  }

  /** Replaces name and permissions; its accounts have the new ones at once. @throws DomainError `BadRequest` naming a permission, `Forbidden`, `NotFound` */
  async replace(caller: string, target: Target, wanted: NewRole): Promise<RoleView> {
    const { access, principals } = this.parts;
    const rights = await access.requireFullControl(caller, target);
    checkGrants(rights, wanted.permissions);
    const role = await principals.changeRole(target, (before) => {
      if (!before.permissions.every((grant) => canDelegate(rights, grant.target))) throw nothingAt(target);
      return { ...before, ...wanted };
    });
    return viewOfRole(target, role);
  }

  /** Removes a role from its accounts too. @throws DomainError `Forbidden`, `NotFound` */
  async remove(caller: string, target: Target): Promise<void> {
    await this.#controlled(caller, target);
    if (!(await this.parts.principals.removeRole(target))) throw nothingAt(target);
  }

  /** The accounts of a role. @throws DomainError `BadRequest`, `Forbidden`, `NotFound` */
  async accounts({ caller, target, query }: PageRequest & { caller: string }): Promise<RoleAccount[]> {
    const { principals, limits, turns } = this.parts;
    const { role, rights } = await this.#controlled(caller, target);
    const page = await query((texts) => readPage(texts, { ...limits, sortable: false }));
    const ids = await principals.memberPage(role, page);
    return mapInTurns(turns, ids, async (_id): Promise<RoleAccount> => {
      const { roles = [], profile } = (await principals.get(_id)) ?? {};
      const shown = partOf(rights, _id, { roles });
      return shown.roles.length === roles.length ? { ...shown, profile } : shown;
    });
  }

  /** Takes a role from an account; returns what the caller sees of it. @throws DomainError `Forbidden`, `NotFound` */
  async unassign(caller: string, accountId: string, named: { org: string; roleId: string }): Promise<AccountPart> {
    const target = roleTarget(named);
    const { rights } = await this.#controlled(caller, target);
    return partOf(rights, accountId, await this.parts.principals.unassign(accountId, target));
  }

  /** The role at a target, for callers who have every right that it grants. */
  async #controlled(caller: string, target: Target): Promise<{ role: Role; rights: Rights }> {
    const rights = await this.parts.access.requireFullControl(caller, target);
    const role = await this.parts.principals.role(target);
    if (!role?.permissions.every((grant) => canDelegate(rights, grant.target))) throw nothingAt(target);
    return { role, rights };
  }
}

const viewOfRole = (_id: Target, { name, permissions }: Role): RoleView => ({ _id, name, permissions });
