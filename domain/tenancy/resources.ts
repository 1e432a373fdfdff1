import type { KeyReference } from '../../ports/key-service.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import type { Access } from './access.ts';
import type { Principals } from './principals.ts';
import { type ResourceContent, shownResource } from './resource-content.ts';
import { RESOURCE_KINDS } from './resource-kinds.ts';
import type { TreeResource } from './resource-repository.ts';
import type { ResourceTree } from './resource-tree.ts';
import { childOf, nameOf, nothingAt, parentOf, type Target } from './targets.ts';

/** An organization, a tenant or a service, as callers see it. */
export type Resource = TreeResource<ResourceContent & JsonObject>;

const { resources: RESOURCES, keys: KEYS } = RESOURCE_KINDS;

/** What `Resources` works with. */
export interface ResourceParts {
  access: Access;
  principals: Principals;
  tree: ResourceTree;
  keys: KeyBackends;
  /** Remove what belongs to an organization, a tenant or a service without being a resource, such as its roles. */
  belongings: readonly ((target: Target) => Promise<void>)[];
}

/** Organizations, tenants and services. */
export class Resources {
  readonly #parts: ResourceParts;

  constructor(parts: ResourceParts) {
    this.#parts = parts;
  }

  /** Creates an organization and its role `admin`. @throws DomainError `Forbidden`, `Conflict` */
  async createOrganization(caller: string, { id, profile }: { id: string; profile: JsonObject }): Promise<Resource> {
    const { access, principals, tree } = this.#parts;
    await access.requireSuperadmin(caller);
    // The roles of an organization are removed before it is: until then no new role may be added to them.
    if (await tree.exists(RESOURCES, id)) throw new DomainError('Conflict', `${id} exists already`);
    const admin = { name: 'Administrator', permissions: [{ target: id, action: 'all', operation: 'ADD' as const }] };
    // Written first, so that no organization is without it; a second attempt changes nothing.
    await principals.addRole(childOf(id, 'admin'), admin).catch(ignoreConflict);
    return tree.add(RESOURCES, id, { content: shownResource({ type: 'organization', profile }) });
  }

  /** @throws DomainError `Forbidden`, `NotFound` without an organization or tenant above, `Conflict` */
  async createTenant(caller: string, target: Target, { name }: { name?: string }): Promise<Resource> {
    await this.#parts.access.require(caller, ['tenant-create'], target);
    if (parentOf(target) === '') throw nothingAt(target);
    return this.#parts.tree.add(RESOURCES, target, { content: { type: 'tenant', name: name ?? nameOf(target) } });
  }

  /**
   * Creates a service. Of its configuration only settings that are known to contain no secret are shown.
   * @throws DomainError `Forbidden`, `NotFound` without an organization or tenant above, `Conflict`
   */
  async createService(caller: string, target: Target, config: ResourceContent & JsonObject): Promise<Resource> {
    await this.#parts.access.require(caller, ['service-create'], target);
    if (parentOf(target) === '') throw nothingAt(target);
    const content = shownResource({ dependencies: [], traversable: true, ...config });
    return this.#parts.tree.add(RESOURCES, target, { content, secret: config });
  }

  /** Returns the resource at a target, of any kind. @throws DomainError `Forbidden`, `NotFound` */
  async get(caller: string, target: Target): Promise<TreeResource<object>> {
    await this.#parts.access.require(caller, ['resource-view'], target);
    return (await this.#parts.tree.find(target)).resource;
  }

  /** Deletes a resource; a key also at its backend. @throws DomainError `Forbidden`, `NotFound`, `Conflict` while it has children */
  async remove(caller: string, target: Target): Promise<void> {
    await this.#parts.access.require(caller, ['resource-delete'], target);
    await this.#parts.tree.remove(target, async (kind, secret) => {
      if (kind.name === KEYS.name && secret) await this.#parts.keys.remove(secret as KeyReference);
      if (kind.name === RESOURCES.name) for (const removeFrom of this.#parts.belongings) await removeFrom(target);
    });
  }
}

function ignoreConflict(error: unknown): void {
  if (!isDomainError(error, 'Conflict')) throw error;
}
