import type { Ids } from '../../../ports/system.ts';
import { requireAction } from '../access/access.ts';
import type { Rights } from '../access/permissions.ts';
import type { Target } from '../access/targets.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import type { ServiceChildren } from '../tree/service-types.ts';

export interface ServiceParts {
  tree: ResourceTree;
  ids: Ids;
}

/** Where a child is created, at the target of the service or at that of the child below it, and what the caller may do. */
export interface ChildRequest {
  rights: Rights;
  target: Target;
}

/** A child to create. */
interface WantedChild<C extends object, S> extends ChildRequest {
  children: ServiceChildren<C, S>;
  /** The name of the child when the caller gives none; random when absent. */
  defaultName?(): string;
  /** Creates the child at its target, after authorization. */
  create(target: Target): Promise<TreeResource<C>>;
}

/**
 * Creates a child. The permission that the caller has at the named target is required, when that is the service, at the
 * new child below it too. @throws DomainError `Forbidden`, `NotFound`, and what `create` throws
 */
export async function createChild<C extends object, S>(
  { tree, ids }: ServiceParts,
  { rights, target: named, children, defaultName = () => ids.uuid(), create }: WantedChild<C, S>,
): Promise<TreeResource<C>> {
  const target = await tree.resolveNewTarget(children.kind, named, defaultName);
  requireAction(rights, children.create, target);
  return create(target);
}

/** What a child is stored as. */
interface StoredChild<C, S> {
  content: C;
  secret?: S;
}

/** The children of all services of one type, as callers write them (`W`) and as they are stored. */
export abstract class ChildStore<W, C extends object, S = unknown> {
  constructor(
    private readonly store: ServiceParts,
    private readonly children: ServiceChildren<C, S>,
  ) {}

  /** What is stored at a target, in the place of `before` if that is there. @throws DomainError `BadRequest` */
  protected abstract read(written: W, target: Target, before?: C): StoredChild<C, S> | Promise<StoredChild<C, S>>;

  /** The name of a child when the caller gives none. */
  protected defaultName(_: W): string {
    return this.store.ids.uuid();
  }

  /** Adds a child. @throws DomainError `Forbidden`, `NotFound`, `Conflict`, and what reading it throws */
  add(request: ChildRequest, written: W): Promise<TreeResource<C>> {
    const { store, children } = this;
    const defaultName = () => this.defaultName(written);
    const create = async (target: Target) => this.addChild(target, await this.read(written, target));
    return createChild(store, { ...request, children, defaultName, create });
  }

  /** Adds what was read at a target. @throws DomainError `NotFound`, `Conflict` */
  protected addChild(target: Target, stored: StoredChild<C, S>): Promise<TreeResource<C>> {
    const { kind, most } = this.children;
    return this.store.tree.add(kind, target, stored, most);
  }

  /** Replaces a child. @throws DomainError `NotFound`, and what reading it throws */
  async replace(target: Target, written: W): Promise<TreeResource<C>> {
    const { tree } = this.store;
    const { kind } = this.children;
    return tree.change(kind, target, await this.read(written, target, await tree.child(kind, target)));
  }
}
