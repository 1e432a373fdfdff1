import type { KeyReference } from '../../ports/key-service.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import type { Access } from './access.ts';
import type { Principals } from './principals.ts';
import { type ResourceContent, shownResource } from './resource-content.ts';
import { KEYS, RESOURCES } from './resource-kinds.ts';
import type { TreeResource } from './resource-repository.ts';
import type { ResourceTree } from './resource-tree.ts';
import { childOf, nameOf, nothingAt, parentOf, type Target } from './targets.ts';

/** An organization, a tenant or a service, as it is shown. */
export type Resource = TreeResource<ResourceContent & JsonObject>;

/** Organizations, tenants and services. */
export class Resources {
  readonly #access: Access;
  readonly #principals: Principals;
  readonly #tree: ResourceTree;
  readonly #keys: KeyBackends;

  constructor(access: Access, principals: Principals, tree: ResourceTree, keys: KeyBackends) {
    this.#access = access;
    this.#principals = principals;
    this.#tree = tree;
    this.#keys = keys;
  }

  /** Makes an organization and its role `admin`. @throws DomainError `Forbidden`, `Conflict` */
  async createOrganization(caller: string, { id, profile }: { id: string; profile: JsonObject }): Promise<Resource> {
    await this.#access.requireSuperadmin(caller);
    // The roles of an organization go before it does: until then nothing new may count on them.
    if (!(await this.#tree.isFree(RESOURCES, id))) throw new DomainError('Conflict', `${id} exists already`);
    const admin = { name: 'Administrator', permissions: [{ target: id, action: 'all', operation: 'ADD' as const }] };
    // Written first, so that no organization is without it; a second one changes nothing.
    await this.#principals.addRole(childOf(id, 'admin'), admin).catch(ignoreConflict);
    return this.#tree.add(RESOURCES, id, { content: shownResource({ type: 'organization', profile }) });
  }

  /** @throws DomainError `Forbidden`, `NotFound` without an organization or tenant above, `Conflict` */
  async createTenant(caller: string, target: Target, { name }: { name?: string }): Promise<Resource> {
    await this.#access.require(caller, ['tenant-create'], target);
    if (parentOf(target) === '') throw nothingAt(target);
    return this.#tree.add(RESOURCES, target, { content: { type: 'tenant', name: name ?? nameOf(target) } });
  }

  /**
   * Makes a service. Of its configuration only what is known to hold no secret is shown.
   * @throws DomainError `Forbidden`, `NotFound` without an organization or tenant above, `Conflict`
   */
  async createService(caller: string, target: Target, config: ResourceContent & JsonObject): Promise<Resource> {
    await this.#access.require(caller, ['service-create'], target);
    if (parentOf(target) === '') throw nothingAt(target);
    const content = shownResource({ dependencies: [], traversable: true, ...config });
    return this.#tree.add(RESOURCES, target, { content, secret: config });
  }

  /** Whatever stands at a target, of whatever kind. @throws DomainError `Forbidden`, `NotFound` */
  async get(caller: string, target: Target): Promise<TreeResource<object>> {
    await this.#access.require(caller, ['resource-view'], target);
    return (await this.#tree.find(target)).element;
  }

  /** A key goes from its backend too. @throws DomainError `Forbidden`, `NotFound`, `Conflict` while there is something below */
  async remove(caller: string, target: Target): Promise<void> {
    await this.#access.require(caller, ['resource-delete'], target);
    await this.#tree.remove(target, async (kind, secret) => {
      if (kind.name === KEYS.name && secret) await this.#keys.remove(secret as KeyReference);
      if (kind.name === RESOURCES.name) await this.#principals.removeRoles(target);
    });
  }
}

function ignoreConflict(error: unknown): void {
  if (!isDomainError(error, 'Conflict')) throw error;
}
