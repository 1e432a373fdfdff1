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

/** Replaces a child. @throws DomainError `BadRequest`, `NotFound` */
export async function replaceChild<C extends object, S>(
  { tree }: Pick<ServiceParts, 'tree'>,
  { target }: ChildRequest,
  { children, read }: { children: ServiceChildren<C, S>; read(before: C): Promise<{ content: C; secret?: S }> },
): Promise<TreeResource<C>> {
  return tree.change(children.kind, target, await read(await tree.child(children.kind, target)));
}
