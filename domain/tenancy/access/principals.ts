import type { Collection, PageQuery, Store, Stored } from '../../../ports/store.ts';
import type { Ids } from '../../../ports/system.ts';
import { DomainError, replacing } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { insertFirst, readAll, removeAll, update } from '../../foundation/records.ts';
import type { ApiKeyRights, ApiKeys } from './api-keys.ts';
import type { Grant, Rights, RoleReference } from './permissions.ts';
import { nothingAt, recordKeyOf, type Target } from './targets.ts';

/** An account. */
export interface Principal {
  superadmin: boolean;
  roles: RoleReference[];
  /** What callers see of it. */
  profile: JsonObject;
  /** Whether it is disabled: it cannot log in, and its roles grant nothing. */
  disabled?: boolean;
}

/** A role: what its principals may do. */
export interface Role {
  uid: string;
  name: string;
  permissions: Grant[];
}

/** A grant with the role that has it; permissions of an API key have none. */
export interface RoleGrant extends Grant {
  role?: Target;
}

/** What a principal may do, and through which roles. */
type RoleRights = { everything: true } | { everything: false; grants: RoleGrant[] };

/** Which permissions a principal has, and from where. */
interface Source {
  role?: Target;
  permissions: Grant[];
}

/** Principals, roles, and the rights that follow from them. */
export class Principals {
  readonly #principals: Collection<Principal>;
  readonly #roles: Collection<Role>;
  /** The principals of each role, by its `uid`. */
  readonly #members: Collection<object>;

  /** Without `apiKeys` accounts alone can act. */
  constructor(
    store: Store,
    private readonly ids: Ids,
    private readonly apiKeys?: ApiKeys,
  ) {
    this.#principals = store.collection({ name: 'enterprise-principals', afterRestore: 'kept' });
    this.#roles = store.collection({ name: 'enterprise-roles', listed: true, afterRestore: 'kept' });
    this.#members = store.collection({
      name: 'enterprise-role-members',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
  }

  /** @throws DomainError `Conflict` */
  async add(id: string, principal: Principal): Promise<void> {
    await this.#principals.insert({ id, value: principal });
  }

  /** Removes a principal with its roles. */
  async remove(id: string): Promise<void> {
    const principal = await this.get(id);
    for (const { uid } of principal?.roles ?? []) await this.#members.remove({ parent: uid, id });
    await this.#principals.remove({ id });
  }

  async get(id: string): Promise<Principal | undefined> {
    return (await this.#principals.get({ id }))?.value;
  }

  /** Changes a principal. @throws DomainError `NotFound` */
  async change(id: string, change: (principal: Principal) => Principal): Promise<Principal> {
    const changed = await update({ collection: this.#principals, key: { id }, change });
    if (!changed) throw new DomainError('NotFound', `There is no account ${id.slice(0, 80)}`);
    return changed.value;
  }

  /** Returns what an account or an API key may do now; nothing when it does not exist. */
  async rightsOf(id: string): Promise<Rights> {
    const sources = await this.#sourcesOf(id);
    if (sources === 'every') return { everything: true };
    return { everything: false, grants: sources.flatMap(({ permissions }) => permissions) };
  }

  /** As `rightsOf`, with the role of each grant. */
  async roleRightsOf(id: string): Promise<RoleRights> {
    const sources = await this.#sourcesOf(id);
    if (sources === 'every') return { everything: true };
    const grants = sources.flatMap(({ role, permissions }) => permissions.map((grant) => ({ ...grant, role })));
    return { everything: false, grants };
  }

  async #sourcesOf(id: string): Promise<'every' | Source[]> {
    const authenticated = this.apiKeys?.authenticatedRights(id);
    if (authenticated) return this.#sourcesOfKey(authenticated);
    const principal = await this.get(id);
    if (!principal) return this.#sourcesOfKey((await this.apiKeys?.rightsOf(id)) ?? {});
    if (principal.disabled) return [];
    if (principal.superadmin) return 'every';
    return (await Promise.all(principal.roles.map((reference) => this.#sourceOf(reference)))).flat();
  }

  async #sourcesOfKey({ role, permissions }: ApiKeyRights): Promise<Source[]> {
    if (role) return this.#sourceOf(role);
    return permissions ? [{ permissions }] : [];
  }

  async #sourceOf(reference: RoleReference): Promise<Source[]> {
    const role = await this.live(reference);
    return role ? [{ role: reference.target, permissions: role.permissions }] : [];
  }

  /** The role of a reference; undefined when it was removed, also when another has its name now. */
  async live({ target, uid }: RoleReference): Promise<Role | undefined> {
    const role = await this.role(target);
    return role?.uid === uid ? role : undefined;
  }

  async role(target: Target): Promise<Role | undefined> {
    return (await this.#roles.get(recordKeyOf(target)))?.value;
  }

  /** The roles directly below a target. */
  async rolePage(query: PageQuery): Promise<Stored<Role>[]> {
    return this.#roles.list(query);
  }

  /** The ids of the principals of a role, in their order. */
  async memberPage({ uid }: Role, page: Pick<PageQuery, 'offset' | 'limit'>): Promise<string[]> {
    return this.#members.ids({ ...page, parent: uid, order: 'id' });
  }

  /** @throws DomainError `Conflict` */
  async addRole(target: Target, role: Omit<Role, 'uid'>): Promise<void> {
    const value = { uid: this.ids.uuid(), ...role };
    const taken = replacing('Conflict', () => new DomainError('Conflict', `${target} exists already`));
    await this.#roles.insert({ ...recordKeyOf(target), value }).catch(taken);
  }

  /** Changes a role; its principals keep it. @throws DomainError `NotFound`, and what `change` throws */
  async changeRole(target: Target, change: (role: Role) => Role): Promise<Role> {
    const changed = await update({ collection: this.#roles, key: recordKeyOf(target), change });
    if (!changed) throw nothingAt(target);
    return changed.value;
  }

  /** Removes a role from its principals too; returns whether there was one. */
  async removeRole(target: Target): Promise<boolean> {
    const role = (await this.#roles.take(recordKeyOf(target)))?.value;
    if (role) await removeAll({ collection: this.#members, parent: role.uid });
    return role !== undefined;
  }

  /** Removes the roles directly below a target. */
  async removeRoles(parent: Target): Promise<void> {
    for (const { id } of await readAll({ collection: this.#roles, parent })) await this.removeRole(`${parent}.${id}`);
  }

  /** Assigns a role; a second time changes nothing. @throws DomainError `NotFound` without the role or the principal */
  async assign(id: string, target: Target): Promise<Principal> {
    const role = await this.role(target);
    if (!role) throw nothingAt(target);
    const principal = await this.change(id, (before) => {
      const others = before.roles.filter((assigned) => assigned.target !== target);
      return { ...before, roles: [...others, { target, uid: role.uid }] };
    });
    await insertFirst(this.#members, { parent: role.uid, id, value: {} });
    return principal;
  }

  /** Takes a role from a principal; one that it does not have changes nothing. @throws DomainError `NotFound` without the principal */
  async unassign(id: string, target: Target): Promise<Principal> {
    const uids = (await this.get(id))?.roles.filter((one) => one.target === target).map(({ uid }) => uid) ?? [];
    const principal = await this.change(id, (before) => {
      const others = before.roles.filter((assigned) => assigned.target !== target);
      return others.length === before.roles.length ? before : { ...before, roles: others };
    });
    for (const uid of uids) await this.#members.remove({ parent: uid, id });
    return principal;
  }
}
