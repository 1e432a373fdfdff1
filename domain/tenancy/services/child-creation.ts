import type { Ids } from '../../../ports/system.ts';
import { type Access, requireAction } from '../access/access.ts';
import type { Target } from '../access/targets.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import type { ServiceChildren } from '../tree/service-types.ts';

/** What services work with. */
export interface ServiceParts {
  access: Access;
  tree: ResourceTree;
  ids: Ids;
}

/** Who creates a child: at the target of the service, or at that of the child below it. */
export interface ChildRequest {
  caller: string;
  target: Target;
}

/** A child to create. */
export interface WantedChild<C extends object, S> extends ChildRequest {
  children: ServiceChildren<C, S>;
  /** The name of the child when the caller gives none; random when absent. */
  defaultName?(): string;
  /** Creates the child at its target, after authorization. */
  create(target: Target): Promise<TreeResource<C>>;
}

/**
 * Authorizes and creates a child: the permission is required at the target that the caller names and, when that is the
 * service, at the new child below it. @throws DomainError `Forbidden`, `NotFound`, and what `create` throws
 */
export async function createChild<C extends object, S>(
  { access, tree, ids }: ServiceParts,
  { caller, target: named, children, defaultName = () => ids.uuid(), create }: WantedChild<C, S>,
): Promise<TreeResource<C>> {
  const rights = await access.require(caller, [children.create], named);
  const target = await tree.resolveNewTarget(children.kind, named, defaultName);
  requireAction(rights, children.create, target);
  return create(target);
}

/** Authorizes and replaces a child. @throws DomainError `BadRequest`, `Forbidden`, `NotFound` */
export async function replaceChild<C extends object, S>(
  { access, tree }: ServiceParts,
  { caller, target }: ChildRequest,
  { children, read }: { children: ServiceChildren<C, S>; read(before: C): Promise<{ content: C; secret?: S }> },
): Promise<TreeResource<C>> {
  await access.require(caller, ['resource-update'], target);
  return tree.change(children.kind, target, await read(await tree.child(children.kind, target)));
}
