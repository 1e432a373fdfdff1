import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { ResourceContent } from './resource-content.ts';
import { kindOf, RESOURCE_KINDS, RESOURCES, type ResourceKind } from './resource-kinds.ts';
import type { ResourceRepository, TreeResource } from './resource-repository.ts';
import { childOf, nameOf, nothingAt, parentOf, type Target } from './targets.ts';

/** Something in the tree with its kind. */
export interface Node {
  kind: ResourceKind<object, unknown>;
  element: TreeResource<object>;
}

const CONTAINERS = ['organization', 'tenant'];

/** Finds the way in the tree of organizations, tenants, services and what services hold. */
export class ResourceTree {
  readonly #elements: ResourceRepository;

  constructor(elements: ResourceRepository) {
    this.#elements = elements;
  }

  /** Whatever stands at a target. @throws DomainError `NotFound` */
  async find(target: Target): Promise<Node> {
    const resource = await this.#elements.get(RESOURCES, target);
    if (resource) return { kind: RESOURCES, element: resource };
    const above = await this.#elements.get(RESOURCES, parentOf(target));
    const kind = kindOf(above?.type ?? '');
    const element = above && kind.serviceType !== undefined ? await this.#elements.get(kind, target) : undefined;
    if (!element) throw nothingAt(target);
    return { kind, element };
  }

  /** An organization, tenant or service. @throws DomainError `NotFound`, also for one of another type */
  async resource(target: Target, types?: readonly string[]): Promise<TreeResource<ResourceContent & JsonObject>> {
    const resource = await this.#elements.get(RESOURCES, target);
    if (!resource || (types && !types.includes(resource.type))) throw nothingAt(target);
    return resource;
  }

  /**
   * The target of a new thing: paths are overloaded by depth, so that the caller names either the service, and `name`
   * gives the last part, or the new thing below it. @throws DomainError `NotFound` when there is no such service
   */
  async resolveNewTarget<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    name: () => string,
  ): Promise<Target> {
    const here = await this.#elements.get(RESOURCES, target);
    if (here?.type === kind.serviceType) return childOf(target, name());
    const above = await this.#elements.get(RESOURCES, parentOf(target));
    if (here || above?.type !== kind.serviceType) throw nothingAt(target);
    return target;
  }

  /** Whether there is surely nothing of this kind at a target. */
  async isFree<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<boolean> {
    return (await this.#elements.get(kind, target)) === undefined;
  }

  /**
   * Adds something below its parent, unless that is removed at the same time.
   * @throws DomainError `NotFound` without a parent that can hold it, `Conflict` when the target is taken
   */
  async add<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    parts: { content: C; secret?: S },
  ): Promise<TreeResource<C>> {
    const parent = parentOf(target);
    const types = kind.serviceType === undefined ? CONTAINERS : [kind.serviceType];
    if (parent !== '') await this.resource(parent, types);
    const element = await this.#elements.insert(kind, target, parts);
    if (parent !== '') await this.confirm(parent, () => this.#elements.withdraw(kind, target));
    return element;
  }

  /**
   * Confirms that the parent of something that was just added is there to stay; else `undo`es the addition.
   * @throws DomainError `NotFound` when the parent is gone, `Conflict` when it is being removed
   */
  async confirm(parent: Target, undo: () => Promise<void>): Promise<void> {
    if (await this.#elements.isKept(RESOURCES, parent)) return;
    await undo();
    if (await this.isFree(RESOURCES, parent)) throw nothingAt(parent);
    throw new DomainError('Conflict', `${nameOf(parent)} is being removed: remove it again to complete that`);
  }

  /**
   * Removes what stands at a target once `clear` has done its part. What fails to clear a key leaves it in place; a
   * container stays in sight until all that goes with it is cleared, and its removal can be completed by another.
   * @throws DomainError `NotFound`, `Conflict` when there is something below
   */
  async remove(
    target: Target,
    clear: (kind: ResourceKind<object, unknown>, secret: unknown) => Promise<void>,
  ): Promise<void> {
    const { kind } = await this.find(target);
    const found = await this.#elements.remove(kind, target, {
      requireUnused: () => this.#requireEmpty(kind, target),
      clear: (secret) => clear(kind, secret),
      isWithdrawable: kind.name !== RESOURCES.name,
    });
    if (!found) throw nothingAt(target);
  }

  async #requireEmpty({ name }: ResourceKind<object, unknown>, target: Target): Promise<void> {
    if (name !== RESOURCES.name) return;
    for (const below of [RESOURCES, ...RESOURCE_KINDS])
      if (await this.#elements.has(below, target))
        throw new DomainError('Conflict', `${nameOf(target)} still holds something: remove that first`);
  }
}
