import { at } from '../../../../domain/foundation/errors.ts';
import type { Rights } from '../../../../domain/tenancy/access/permissions.ts';
import type { List, Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { ResourceKind } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import { type LateQuery, reply } from '../../messages/operations.ts';

interface ListInput {
  path: { target: string };
  query: LateQuery<unknown>;
  rights: Rights;
}

/** The handler of one list of the table. */
export const listPages = <T>(lists: Lists, list: List<T>) =>
  reply(200, ({ path, query, rights }: ListInput) =>
    at({ from: ['query', 'from'] }, () => lists.page(list, { rights, target: path.target, query })),
  );

/** The handler of a list whose path shows the one element at the target of an element. */
export const listOrElement = <T, C extends object>(lists: Lists, list: List<T>, kind: ResourceKind<C>) =>
  reply(200, ({ path, query, rights }: ListInput) =>
    lists.pageOrElement(list, kind, { rights, target: path.target, query }),
  );
