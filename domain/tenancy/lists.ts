import { type PageLimits, type PageQuery, readPage } from '../limits/pagination.ts';
import { type Access, requireAction } from './access.ts';
import { type Hidden, hiddenBelow, type Rights } from './permissions.ts';
import { kindOf, LISTS, type List, type ResourceKind } from './resource-kinds.ts';
import type { ResourceQuery, ResourceRepository, TreeResource } from './resource-repository.ts';
import type { ResourceTree } from './resource-tree.ts';
import type { Target } from './targets.ts';

/** Who requests which page of what. */
export interface ListRequest {
  caller: string;
  target: Target;
  /** Reads the parameters of the page, after authorization. */
  query<T>(read: (query: PageQuery) => T): Promise<T>;
}

/** All lists, by their rows of the table. Errors come in the order permission, target, parameters. */
export class Lists {
  readonly #access: Access;
  readonly #tree: ResourceTree;
  readonly #elements: ResourceRepository;
  readonly #limits: PageLimits;

  constructor(access: Access, tree: ResourceTree, elements: ResourceRepository, limits: PageLimits) {
    this.#access = access;
    this.#tree = tree;
    this.#elements = elements;
    this.#limits = limits;
  }

  /** A page of what stands below the target. @throws DomainError `Forbidden`, `NotFound`, `BadRequest` */
  async elements<C extends object>(
    list: List<C> & { kind: ResourceKind<C, unknown> },
    request: ListRequest,
  ): Promise<TreeResource<C>[]> {
    const query = await this.#query(list, request);
    return this.#elements.page(list.kind, query);
  }

  /** The targets of a page. @throws DomainError `Forbidden`, `NotFound`, `BadRequest` */
  async targets<C extends object>(
    list: List<C> & { kind: ResourceKind<C, unknown> },
    request: ListRequest,
  ): Promise<Target[]> {
    const query = await this.#query(list, request);
    return this.#elements.targets(list.kind, query);
  }

  /**
   * A page of whatever stands below an organization, tenant or service. The things of a service are seen by those only
   * who may list them there too. @throws DomainError `Forbidden`, `NotFound`, `BadRequest`
   */
  async resources(request: ListRequest): Promise<TreeResource<object>[]> {
    const { action, sortable } = LISTS.listResources;
    const rights = await this.#access.require(request.caller, [action], request.target);
    const kind = kindOf((await this.#tree.resource(request.target)).type);
    const own = Object.values<List<object>>(LISTS).filter((list) => list.kind?.name === kind.name);
    const actions = [action, ...own.map((list) => list.action)];
    for (const one of actions) requireAction(rights, one, request.target);
    const page = await request.query((query) => readPage(query, { ...this.#limits, sortable }));
    return this.#elements.page(kind, {
      ...page,
      parent: request.target,
      hidden: hidden(rights, actions, request.target),
    });
  }

  async #query<C extends object>(
    { action, sortable, kind }: List<C> & { kind: ResourceKind<C, unknown> },
    request: ListRequest,
  ): Promise<ResourceQuery> {
    const { caller, target } = request;
    const rights = await this.#access.require(caller, [action], target);
    await this.#tree.resource(target, [kind.serviceType ?? '']);
    const page = await request.query((query) => readPage(query, { ...this.#limits, sortable }));
    return { ...page, parent: target, hidden: hidden(rights, [action], target) };
  }
}

/** What any of the actions leaves out. */
function hidden(rights: Rights, actions: readonly string[], parent: Target): Hidden {
  const each = actions.map((action) => hiddenBelow(rights, action, parent));
  const names = each.flatMap((one) => (one === 'all' ? [] : [...one]));
  return each.includes('all') ? 'all' : new Set(names);
}
