import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { ResourceContent } from './resource-content.ts';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kinds.ts';
import type { ReadResource, ResourceRepository, TreeResource } from './resource-repository.ts';
import { childrenOf, containersOf } from './service-types.ts';
import { childOf, nameOf, nothingAt, parentOf, type Target } from './targets.ts';

/** A resource of the tree with its kind. */
export interface TreeNode {
  kind: ResourceKind<object>;
  resource: TreeResource<object>;
}

const { resources: RESOURCES } = RESOURCE_KINDS;

/** The tree of organizations, tenants, services and what services contain. */
export class ResourceTree {
  readonly #repository: ResourceRepository;

  constructor(repository: ResourceRepository) {
    this.#repository = repository;
  }

  /** Returns the resource at a target, of any kind. @throws DomainError `NotFound` */
  async find(target: Target): Promise<TreeNode> {
    const own = await this.#repository.get(RESOURCES, target);
    if (own) return { kind: RESOURCES, resource: own };
    const above = await this.#repository.get(RESOURCES, parentOf(target));
    const kind = childrenOf(above?.type ?? '')?.kind;
    const resource = kind && (await this.#repository.get(kind, target));
    if (!resource) throw nothingAt(target);
    return { kind, resource };
  }

  /** Returns an organization, tenant or service. @throws DomainError `NotFound`, also for one of another type */
  async resource(target: Target, types?: readonly string[]): Promise<TreeResource<ResourceContent & JsonObject>> {
    const resource = await this.#repository.get(RESOURCES, target);
    if (!resource || (types && !types.includes(resource.type))) throw nothingAt(target);
    return resource;
  }

  /** Reads a service, and its configuration only when that is asked for. @throws DomainError `NotFound` */
  async service(target: Target, type: string): Promise<ReadResource<ResourceContent & JsonObject, JsonObject>> {
    const read = await this.#repository.read(RESOURCES, target);
    if (read?.resource.type !== type) throw nothingAt(target);
    return read;
  }

  /** Returns the secret of a resource. @throws DomainError `NotFound` */
  async secret<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<S> {
    const secret = await this.#repository.secret(kind, target);
    if (secret === undefined) throw nothingAt(target);
    return secret;
  }

  /**
   * Returns the target of a new child: the caller names either the service, and `name` returns the last segment, or the
   * child below it. @throws DomainError `NotFound` when there is no such service
   */
  async resolveNewTarget<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    name: () => string,
  ): Promise<Target> {
    const here = await this.#repository.get(RESOURCES, target);
    const types = containersOf(kind);
    if (here && types.includes(here.type)) return childOf(target, name());
    const above = await this.#repository.get(RESOURCES, parentOf(target));
    if (here || !above || !types.includes(above.type)) throw nothingAt(target);
    return target;
  }

  /** Whether there is a resource of this kind at a target. */
  async exists<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<boolean> {
    return (await this.#repository.get(kind, target)) !== undefined;
  }

  /**
   * Adds a resource below its parent, unless the parent is removed at the same time.
   * @throws DomainError `NotFound` without a parent that can contain it, `Conflict` when the target has a resource
   */
  async add<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    parts: { content: C; secret?: S },
  ): Promise<TreeResource<C>> {
    const parent = parentOf(target);
    if (parent !== '') await this.resource(parent, containersOf(kind));
    const resource = await this.#repository.insert(kind, target, parts);
    if (parent !== '') await this.confirm(parent, () => this.#repository.withdraw(kind, target));
    return resource;
  }

  /**
   * Confirms that the parent of an added resource is not being removed; else `undo`es the addition.
   * @throws DomainError `NotFound` when the parent was removed, `Conflict` while it is being removed
   */
  async confirm(parent: Target, undo: () => Promise<void>): Promise<void> {
    if (await this.#repository.isKept(RESOURCES, parent)) return;
    await undo();
    if (!(await this.exists(RESOURCES, parent))) throw nothingAt(parent);
    throw new DomainError('Conflict', `${nameOf(parent)} is being removed: remove it again to complete that`);
  }

  /**
   * Removes the resource at a target after `clear` has removed what belongs to it. A child stays when `clear` fails; a
   * container stays visible until everything is cleared, and another removal can complete that.
   * @throws DomainError `NotFound`, `Conflict` when the target has children
   */
  async remove(target: Target, clear: (kind: ResourceKind<object>, secret: unknown) => Promise<void>): Promise<void> {
    const { kind } = await this.find(target);
    const found = await this.#repository.remove(kind, target, {
      requireUnused: () => this.#requireEmpty(kind, target),
      clear: (secret) => clear(kind, secret),
      isWithdrawable: kind.name !== RESOURCES.name,
    });
    if (!found) throw nothingAt(target);
  }

  async #requireEmpty({ name }: ResourceKind<object>, target: Target): Promise<void> {
    if (name !== RESOURCES.name) return;
    for (const below of Object.values<ResourceKind<object>>(RESOURCE_KINDS))
      if (await this.#repository.has(below, target))
        throw new DomainError('Conflict', `${nameOf(target)} still holds something: remove that first`);
  }
}
