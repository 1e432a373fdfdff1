import type { Ids } from '../../../ports/system.ts';
import { DomainError } from '../../foundation/errors.ts';
import { type Access, requireAction } from '../access.ts';
import type { TreeResource } from '../resource-repository.ts';
import type { ResourceTree } from '../resource-tree.ts';
import type { ServiceChildren } from '../service-types.ts';
import type { Target } from '../targets.ts';

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
  /** The name of the child when the caller gives none. */
  defaultName(): string;
}

/** A child that the caller may create, at its own target. */
export interface NewChild<C extends object, S> {
  exists(): Promise<boolean>;
  /** @throws DomainError `Conflict` when the target has a child */
  requireNew(): Promise<void>;
  /** @throws DomainError `NotFound` without the service, `Conflict` when the target has a child */
  add(parts: { content: C; secret?: S }): Promise<TreeResource<C>>;
}

/**
 * Resolves and authorizes a child to create: the permission is required at the target that the caller names and, when
 * that is the service, at the new child below it. @throws DomainError `Forbidden`, `NotFound`
 */
export async function newChild<C extends object, S>(
  { access, tree }: ServiceParts,
  { caller, target: named, children, defaultName }: WantedChild<C, S>,
): Promise<NewChild<C, S>> {
  const { kind, create } = children;
  const rights = await access.require(caller, [create], named);
  const target = await tree.resolveNewTarget(kind, named, defaultName);
  requireAction(rights, create, target);
  const exists = (): Promise<boolean> => tree.exists(kind, target);
  return {
    exists,
    requireNew: async () => {
      if (await exists()) throw new DomainError('Conflict', `${target} exists already`);
    },
    add: (parts) => tree.add(kind, target, parts),
  };
}
