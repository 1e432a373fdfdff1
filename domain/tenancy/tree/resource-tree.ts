import { DomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { retried } from '../../foundation/records.ts';
import { childOf, nameOf, nothingAt, parentOf, type Target } from '../access/targets.ts';
import type { ResourceContent } from './resource-content.ts';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kinds.ts';
import {
  beingRemoved,
  type ReadResource,
  type ResourceParts,
  type ResourceRepository,
  type ResourceState,
  type TreeResource,
} from './resource-repository.ts';
import { childrenOf, containersOf, isServiceType, type ServiceType } from './service-types.ts';

/** A resource of the tree with its kind. */
interface TreeNode {
  kind: ResourceKind<object>;
  resource: TreeResource<object>;
}

/** An organization, a tenant or a service, as callers see it. */
export type Resource = TreeResource<ResourceContent & JsonObject>;

/** A service with its configuration. */
export type ServiceState = ResourceState<ResourceContent & JsonObject, JsonObject> & { secret: JsonObject };

interface TreeRemoval {
  /** The kind that the resource must have; any when absent. */
  kind?: ResourceKind<object>;
  /** Removes what belongs to the resource, but for its secret. */
  clear(kind: ResourceKind<object>, secret: unknown): Promise<void>;
  /** Whether a dependent service may be named to the caller. */
  mayName(target: Target): boolean;
}

const { resources: RESOURCES } = RESOURCE_KINDS;

/** The tree of organizations, tenants, services and what services contain. */
export class ResourceTree {
  constructor(private readonly repository: ResourceRepository) {}

  /** Returns the resource at a target, of any kind. @throws DomainError `NotFound` */
  async find(target: Target): Promise<TreeNode> {
    const own = await this.repository.get(RESOURCES, target);
    if (own) return { kind: RESOURCES, resource: own };
    const above = await this.repository.get(RESOURCES, parentOf(target));
    const kind = childrenOf(above?.type ?? '')?.kind;
    const resource = kind && (await this.repository.get(kind, target));
    if (!resource) throw nothingAt(target);
    return { kind, resource };
  }

  /** Returns the organization, tenant or service at a target, if there is one. */
  lookUp(target: Target): Promise<Resource | undefined> {
    return this.repository.get(RESOURCES, target);
  }

  /** Returns an organization, tenant or service. @throws DomainError `NotFound`, also for one of another type */
  async resource(target: Target, types?: readonly string[]): Promise<Resource> {
    const resource = await this.repository.get(RESOURCES, target);
    if (!resource || (types && !types.includes(resource.type))) throw nothingAt(target);
    return resource;
  }

  /** Reads a service, and its configuration only when that is asked for. @throws DomainError `NotFound` */
  async service(
    target: Target,
    types: readonly ServiceType[],
  ): Promise<ReadResource<ResourceContent & JsonObject, JsonObject>> {
    const read = await this.repository.read(RESOURCES, target);
    if (!read || !types.some((type) => type === read.resource.type)) throw nothingAt(target);
    return read;
  }

  /** Returns a child of a service. @throws DomainError `NotFound` */
  async child<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<TreeResource<C>> {
    await this.#requireContainer(kind, target);
    const resource = await this.repository.get(kind, target);
    if (!resource) throw nothingAt(target);
    return resource;
  }

  /** Returns the secret of a resource. @throws DomainError `NotFound` */
  async secret<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<S> {
    const secret = (await this.repository.state(kind, target))?.secret;
    if (secret === undefined) throw nothingAt(target);
    return secret;
  }

  /** Returns a service with its configuration. @throws DomainError `NotFound` */
  async serviceState(target: Target): Promise<ServiceState> {
    const state = await this.repository.state(RESOURCES, target);
    if (!state || !isServiceType(state.resource.type)) throw nothingAt(target);
    return { ...state, secret: state.secret ?? {} };
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
    const here = await this.repository.get(RESOURCES, target);
    const types = containersOf(kind);
    if (here && types.includes(here.type)) return childOf(target, name());
    const above = await this.repository.get(RESOURCES, parentOf(target));
    if (here || !above || !types.includes(above.type)) throw nothingAt(target);
    return target;
  }

  /** Whether there is a resource of this kind at a target. */
  async exists<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<boolean> {
    return (await this.repository.get(kind, target)) !== undefined;
  }

  /**
   * Adds a resource below its parent, unless the parent is removed at the same time. Of several at once that reach the bound
   * none may be added, but never one too many.
   * @throws DomainError `NotFound` without a parent that can contain it, `Conflict` when the target has a resource, or the
   * parent as many as it may have
   */
  async add<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    parts: ResourceParts<C, S>,
    most?: number,
  ): Promise<TreeResource<C>> {
    const parent = parentOf(target);
    if (parent !== '') await this.resource(parent, containersOf(kind));
    const resource = await this.repository.insert(kind, target, parts);
    const withdraw = () => this.repository.withdraw(kind, target);
    if (parent !== '') await this.confirm(parent, withdraw);
    if (most !== undefined && (await this.repository.has(kind, parent, most))) {
      await withdraw();
      throw new DomainError('Conflict', `${nameOf(parent)} has ${most} already: remove one first`);
    }
    return resource;
  }

  /**
   * Confirms that the parent of an added resource is not being removed; else `undo`es the addition.
   * @throws DomainError `NotFound` when the parent was removed, `Conflict` while it is being removed
   */
  async confirm(parent: Target, undo: () => Promise<void>): Promise<void> {
    if (await this.isKept(parent)) return;
    await undo();
    if (!(await this.exists(RESOURCES, parent))) throw nothingAt(parent);
    throw beingRemoved(parent);
  }

  /** Whether there is an organization, tenant or service that is not being removed; a removal that was only asked for is withdrawn. */
  isKept(target: Target): Promise<boolean> {
    return this.repository.isKept(RESOURCES, target);
  }

  /** @throws DomainError `NotFound` unless the parent of a target can contain children of this kind */
  async #requireContainer<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<void> {
    const above = await this.lookUp(parentOf(target));
    if (!above || !containersOf(kind).includes(above.type)) throw nothingAt(target);
  }

  /** Replaces the content of a child, and its secret if one is given. @throws DomainError `NotFound`, `Conflict` */
  async change<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    parts: Omit<ResourceParts<C, S>, 'links'>,
  ): Promise<TreeResource<C>> {
    return this.rework(kind, target, () => parts);
  }

  /** As `change`, with what `next` makes of the present content; it is asked again when another request was faster. */
  async rework<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    next: (before: TreeResource<C>) => Omit<ResourceParts<C, S>, 'links'>,
  ): Promise<TreeResource<C>> {
    await this.#requireContainer(kind, target);
    return retried(async () => {
      const before = await this.repository.state(kind, target);
      if (!before) throw nothingAt(target);
      const after = await this.repository.rewrite(kind, before, next(before.resource));
      if (after) await this.repository.settle(kind, before, after);
      return after?.resource;
    });
  }

  /**
   * Removes the resource at a target after `clear` has removed what belongs to it, and returns its kind. A child stays
   * when `clear` fails; a container stays visible until everything is cleared, and another removal can complete that.
   * @throws DomainError `NotFound`, `Conflict` when the target has children or other services depend on it
   */
  async remove(target: Target, { kind: wanted, clear, mayName }: TreeRemoval): Promise<ResourceKind<object>> {
    const { kind, resource } = await this.find(target);
    if (wanted && kind.name !== wanted.name) throw nothingAt(target);
    const isContainer = kind.name === RESOURCES.name;
    const found = await this.repository.remove(kind, target, {
      requireUnused: async () => {
        if (isContainer) await this.#requireUnused(resource as Resource, mayName);
      },
      clear: async (secret, links) => {
        await clear(kind, secret);
        await this.repository.links.remove(links);
        if (isContainer) await this.repository.links.removeAll(target);
      },
      isWithdrawable: !isContainer,
    });
    if (!found) throw nothingAt(target);
    return kind;
  }

  async #requireUnused({ _id: target, type }: Resource, mayName: (target: Target) => boolean): Promise<void> {
    const below = isServiceType(type) ? childrenOf(type)?.kind : RESOURCES;
    if (below && (await this.repository.has(below, target)))
      throw new DomainError('Conflict', `${nameOf(target)} still holds something: remove that first`);
    const dependents = isServiceType(type) ? await this.repository.dependents(target) : [];
    if (dependents.length === 0) return;
    const named = dependents.find(mayName);
    throw new DomainError(
      'Conflict',
      named
        ? `${named} depends on ${nameOf(target)}: remove that dependency first`
        : `Other services depend on ${nameOf(target)}`,
    );
  }
}
