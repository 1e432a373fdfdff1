import type { Collection, Store } from '../../ports/store.ts';
import type { Ids } from '../../ports/system.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { removeAll, update } from '../foundation/records.ts';
import type { Grant, Rights } from './permissions.ts';
import { nothingAt, recordKeyOf, type Target } from './targets.ts';

/** A role of a principal. A role that is created later under the same name is another one. */
interface RoleReference {
  target: Target;
  uid: string;
}

/** An account or an API key that can act. */
export interface Principal {
  superadmin: boolean;
  roles: RoleReference[];
  /** What callers see of it. */
  profile: JsonObject;
}

/** A role: what its principals may do. */
export interface Role {
  uid: string;
  name: string;
  permissions: Grant[];
}

/** Principals, roles, and the rights that follow from them. */
export class Principals {
  readonly #principals: Collection<Principal>;
  readonly #roles: Collection<Role>;
  readonly #ids: Ids;

  constructor(store: Store, ids: Ids) {
    this.#principals = store.collection({ name: 'enterprise-principals', listed: false, sealed: true });
    this.#roles = store.collection({ name: 'enterprise-roles', listed: true, sealed: true, wasClear: true });
    this.#ids = ids;
  }

  /** @throws DomainError `Conflict` */
  async add(id: string, principal: Principal): Promise<void> {
    await this.#principals.insert({ id, value: principal });
  }

  async remove(id: string): Promise<void> {
    await this.#principals.remove({ id });
  }

  async get(id: string): Promise<Principal | undefined> {
    return (await this.#principals.get({ id }))?.value;
  }

  /** Returns what a principal may do now; nothing when it does not exist. */
  async rightsOf(id: string): Promise<Rights> {
    const principal = await this.get(id);
    if (principal?.superadmin) return { everything: true };
    const roles = await Promise.all((principal?.roles ?? []).map((reference) => this.#live(reference)));
    return { everything: false, grants: roles.flatMap((role) => role?.permissions ?? []) };
  }

  async #live({ target, uid }: RoleReference): Promise<Role | undefined> {
    const role = await this.role(target);
    return role?.uid === uid ? role : undefined;
  }

  async role(target: Target): Promise<Role | undefined> {
    return (await this.#roles.get(recordKeyOf(target)))?.value;
  }

  /** @throws DomainError `Conflict` */
  async addRole(target: Target, role: Omit<Role, 'uid'>): Promise<void> {
    const value = { uid: this.#ids.uuid(), ...role };
    await this.#roles.insert({ ...recordKeyOf(target), value }).catch((error: unknown) => {
      throw isDomainError(error, 'Conflict') ? new DomainError('Conflict', `${target} exists already`) : error;
    });
  }

  async removeRole(target: Target): Promise<void> {
    await this.#roles.remove(recordKeyOf(target));
  }

  /** Removes the roles directly below a target. */
  removeRoles(parent: Target): Promise<void> {
    return removeAll({ collection: this.#roles, parent });
  }

  /** Assigns a role; a second time changes nothing. @throws DomainError `NotFound` without the role or the principal */
  async assign(id: string, target: Target): Promise<Principal> {
    const role = await this.role(target);
    if (!role) throw nothingAt(target);
    const change = (principal: Principal): Principal => {
      const others = principal.roles.filter((assigned) => assigned.target !== target);
      return { ...principal, roles: [...others, { target, uid: role.uid }] };
    };
    const changed = await update({ collection: this.#principals, key: { id }, change });
    if (!changed) throw new DomainError('NotFound', `There is no account ${id.slice(0, 80)}`);
    return changed.value;
  }
}
