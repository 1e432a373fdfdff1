import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { Access } from '../access/access.ts';
import { canDelegate, type Grant, type Rights } from '../access/permissions.ts';
import type { Principals } from '../access/principals.ts';
import { childOf, isTargetPattern, nothingAt, parentOf, type Target } from '../access/targets.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';

/** A role to create. */
export interface NewRole {
  name: string;
  permissions: Grant[];
}

/** A role, as callers see it. */
export interface RoleView extends NewRole {
  _id: Target;
}

/** A principal with its roles, as callers see it. */
export interface PrincipalView {
  _id: string;
  profile: JsonObject;
  roles: Target[];
}

/** What the administrators of some roles see of an account: its roles among them. */
export type AccountPart = Pick<PrincipalView, '_id' | 'roles'>;

/** Roles: creating or assigning one requires every right that it grants. */
export class Roles {
  constructor(
    private readonly access: Access,
    private readonly principals: Principals,
    private readonly tree: ResourceTree,
  ) {}

  /**
   * Creates a role below an organization or tenant.
   * @throws DomainError `BadRequest` naming a permission, `Forbidden`, `NotFound`, `Conflict`
   */
  async create(caller: string, target: Target, { name, permissions }: NewRole): Promise<RoleView> {
    const rights = await this.access.requireFullControl(caller, target);
    if (parentOf(target) === '') throw nothingAt(target);
    await this.tree.resource(parentOf(target), ['organization', 'tenant']);
    checkGrants(rights, permissions);
    await this.principals.addRole(target, { name, permissions });
    await this.tree.confirm(parentOf(target), async () => {
      await this.principals.removeRole(target);
    });
    return { _id: target, name, permissions };
  }

  /**
   * Assigns a role of an organization to an account; `roleId` is its target, or the part of it below the organization.
   * Returns what the caller sees of the account.
   * @throws DomainError `Forbidden`, `NotFound`
   */
  async assign(
    caller: string,
    accountId: string,
    { org, roleId }: { org: string; roleId: string },
  ): Promise<AccountPart> {
    const target = roleTarget({ org, roleId });
    const rights = await this.access.requireFullControl(caller, target);
    const role = await this.principals.role(target);
    if (!role?.permissions.every((grant) => canDelegate(rights, grant.target))) throw nothingAt(target);
    return partOf(rights, accountId, await this.principals.assign(accountId, target));
  }
}

/** The target of a role that is named by its organization and its target, or the part of it below the organization. */
export const roleTarget = ({ org, roleId }: { org: string; roleId: string }): Target =>
  roleId.startsWith(`${org}.`) ? roleId : childOf(org, roleId);

/** @throws DomainError `BadRequest` naming every permission that the caller may not give */
export function checkGrants(rights: Rights, permissions: readonly Grant[]): void {
  for (const [index, grant] of permissions.entries()) at(['permissions', index], () => checkGrant(rights, grant));
}

function checkGrant(rights: Rights, { target }: Grant): void {
  if (!isTargetPattern(target))
    throw invalidField(['target'], 'must be a target, in which * may stand for one segment');
  if (!canDelegate(rights, target)) throw invalidField(['target'], 'lies outside what you may give rights for');
}

/** What a caller with these rights sees of an account: the roles that it controls. */
export const partOf = (
  rights: Rights,
  id: string,
  { roles }: { roles: readonly { target: Target }[] },
): AccountPart => ({
  _id: id,
  roles: roles.map(({ target }) => target).filter((target) => canDelegate(rights, target)),
});

/** What callers see of a principal. */
export const viewOf = (
  id: string,
  { profile, roles }: { profile: JsonObject; roles: { target: Target }[] },
): PrincipalView => ({
  _id: id,
  profile,
  roles: roles.map(({ target }) => target),
});
