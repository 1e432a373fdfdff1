import { DomainError } from '../../foundation/errors.ts';
import type { Target } from '../access/targets.ts';
import type { ResourceKind } from '../tree/resource-kinds.ts';
import type { ResourceRepository, TreeResource } from '../tree/resource-repository.ts';

/** The most children that one request reads of a service. */
const MAX_CHILDREN = 1000;

/** All children of a service, in the order of their names. @throws DomainError `Conflict` when there are more than 1,000 */
export async function allChildren<C extends object, S>(
  repository: Pick<ResourceRepository, 'page'>,
  kind: ResourceKind<C, S>,
  parent: Target,
): Promise<TreeResource<C>[]> {
  const query = { parent, order: 'id', offset: 0, limit: MAX_CHILDREN + 1, hidden: new Set<string>() } as const;
  const found = await repository.page(kind, query);
  if (found.length > MAX_CHILDREN)
    throw new DomainError('Conflict', `${parent} has more than ${MAX_CHILDREN} entries: divide it`);
  return found;
}
