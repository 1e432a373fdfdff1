import type { Rights } from '../../../../domain/tenancy/access/permissions.ts';
import type { List, Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { ListRequest } from '../../../../domain/tenancy/tree/list-requests.ts';
import type { ResourceKind } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import type { LateQuery } from '../../messages/operations.ts';

interface ListInput {
  path: { target: string };
  query: LateQuery<unknown>;
  rights: Rights;
}

/** The handler of one list of the table. */
export const listPages =
  <T>(lists: Lists, list: List<T>) =>
  async ({ path, query, rights }: ListInput) => {
    const request: ListRequest = { rights, target: path.target, query };
    return { status: 200 as const, body: await lists.page(list, request) };
  };

/** The handler of a list whose path shows the one element at the target of an element. */
export const listOrElement =
  <T, C extends object>(lists: Lists, list: List<T>, kind: ResourceKind<C>) =>
  async ({ path, query, rights }: ListInput) => {
    const request: ListRequest = { rights, target: path.target, query };
    return { status: 200 as const, body: await lists.pageOrElement(list, kind, request) };
  };
