import type { KeyReference } from '../../../ports/key-service.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { DomainError, ignoring } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { Access } from '../access/access.ts';
import { canSee, hiddenBelow, type Rights } from '../access/permissions.ts';
import type { Principals } from '../access/principals.ts';
import { childOf, nameOf, nothingAt, parentOf, type Target } from '../access/targets.ts';
import { shownResource } from './resource-content.ts';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kinds.ts';
import type { ResourceRepository, TreeResource } from './resource-repository.ts';
import type { Resource, ResourceTree } from './resource-tree.ts';
import { containersOf, type ServiceChildren } from './service-types.ts';

const { resources: RESOURCES, keys: KEYS, credentials: CREDENTIALS, dids: DIDS } = RESOURCE_KINDS;

/** The most children that one call removes, and how many of them at a time. */
const MOST_REMOVED = 1000;
const REMOVED_AT_ONCE = 8;

/** Organizations and tenants, and every resource. */
export class Resources {
  constructor(
    private readonly parts: {
      access: Access;
      principals: Principals;
      tree: ResourceTree;
      keys: KeyBackends;
      /** Under which names stores have DIDs. */
      didNames: { forget(target: Target): Promise<void> };
      /** Remove what belongs to an organization, a tenant or a service without being a resource, such as its roles. */
      cleanUps: readonly ((target: Target) => Promise<void>)[];
      /** Learns that a credential is no longer at a target; nothing waits for what it does. */
      credentialGone(target: Target): void;
      repository: Pick<ResourceRepository, 'targets'>;
    },
  ) {}

  /** Creates an organization and its role `admin`. @throws DomainError `Forbidden`, `Conflict` */
  async createOrganization(caller: string, { id, profile }: { id: string; profile: JsonObject }): Promise<Resource> {
    const { access, principals, tree } = this.parts;
    await access.requireSuperadmin(caller);
    // The roles of an organization are removed before it is: until then no new role may be added to them.
    if (await tree.exists(RESOURCES, id)) throw new DomainError('Conflict', `${id} exists already`);
    const admin = { name: 'Administrator', permissions: [{ target: id, action: 'all', operation: 'ADD' as const }] };
    // Written first, so that no organization is without it; a second attempt changes nothing.
    await principals.addRole(childOf(id, 'admin'), admin).catch(ignoring('Conflict'));
    return tree.add(RESOURCES, id, { content: shownResource({ type: 'organization', profile }) });
  }

  /** @throws DomainError `NotFound` without an organization or tenant above, `Conflict` */
  async createTenant(target: Target, { name }: { name?: string }): Promise<Resource> {
    if (parentOf(target) === '') throw nothingAt(target);
    return this.parts.tree.add(RESOURCES, target, { content: { type: 'tenant', name: name ?? nameOf(target) } });
  }

  /** Returns the resource at a target, of any kind. @throws DomainError `NotFound` */
  async get(target: Target): Promise<TreeResource<object>> {
    return (await this.parts.tree.find(target)).resource;
  }

  /** Returns a child of a service. @throws DomainError `NotFound` */
  child<C extends object, S>(target: Target, { kind }: ServiceChildren<C, S>): Promise<TreeResource<C>> {
    return this.parts.tree.child(kind, target);
  }

  /**
   * Deletes the children of a service that the caller may delete, at most 1,000; returns how many.
   * @throws DomainError `NotFound` without a service that has such children
   */
  async removeChildren(rights: Rights, parent: Target, { kind }: ServiceChildren<object, unknown>): Promise<number> {
    const { tree, repository } = this.parts;
    await tree.resource(parent, containersOf(kind));
    const hidden = hiddenBelow(rights, 'resource-delete', parent);
    if (hidden === 'all') return 0;
    const targets = await repository.targets(kind, { parent, order: 'id', offset: 0, limit: MOST_REMOVED, hidden });
    const removed = await mapBounded(targets, REMOVED_AT_ONCE, (target) =>
      this.remove(rights, target, kind).then(() => true, ignoring('NotFound')),
    );
    return removed.filter(Boolean).length;
  }

  /**
   * Deletes a resource, of any kind or of this one; a key also at its backend. Dependents are named to those who see them.
   * @throws DomainError `NotFound`, `Conflict` while it has children or dependents
   */
  async remove(rights: Rights, target: Target, kind?: ResourceKind<object>): Promise<void> {
    const removed = await this.parts.tree.remove(target, {
      kind,
      clear: async (kind, secret) => {
        if (kind.name === KEYS.name && secret) await this.parts.keys.remove(secret as KeyReference);
        if (kind.name === DIDS.name) await this.parts.didNames.forget(target);
        if (kind.name === RESOURCES.name) for (const cleanUp of this.parts.cleanUps) await cleanUp(target);
      },
      mayName: (dependent) => canSee(rights, dependent),
    });
    if (removed.name === CREDENTIALS.name) this.parts.credentialGone(target);
  }
}
