import { type PageLimits, readPage } from '../pagination.ts';
import { type Access, requireAction } from './access.ts';
import { heldBy, type Kind, LISTS, type List } from './collections.ts';
import type { Element, ElementQuery, Elements } from './elements.ts';
import { type Hidden, hiddenBelow, type Rights } from './permissions.ts';
import type { Target } from './targets.ts';
import type { Tree } from './tree.ts';

/** Who asks for which page of what. */
export interface ListRequest {
  caller: string;
  target: Target;
  /** The query as it came. */
  query: Readonly<Record<string, unknown>>;
}

/** All lists, by their rows of the table. Errors come in the order permission, target, parameters. */
export class Lists {
  readonly #access: Access;
  readonly #tree: Tree;
  readonly #elements: Elements;
  readonly #limits: PageLimits;

  constructor(access: Access, tree: Tree, elements: Elements, limits: PageLimits) {
    this.#access = access;
    this.#tree = tree;
    this.#elements = elements;
    this.#limits = limits;
  }

  /** A page of what stands below the target. @throws DomainError `Forbidden`, `NotFound`, `BadRequest` */
  async elements<C extends object>(
    list: List<C> & { kind: Kind<C, unknown> },
    request: ListRequest,
  ): Promise<Element<C>[]> {
    const query = await this.#query(list, request);
    return this.#elements.page(list.kind, query);
  }

  /** The targets of a page. @throws DomainError `Forbidden`, `NotFound`, `BadRequest` */
  async targets<C extends object>(list: List<C> & { kind: Kind<C, unknown> }, request: ListRequest): Promise<Target[]> {
    const query = await this.#query(list, request);
    return this.#elements.targets(list.kind, query);
  }

  /**
   * A page of whatever stands below an organization, tenant or service. The things of a service are seen by those only
   * who may list them there too. @throws DomainError `Forbidden`, `NotFound`, `BadRequest`
   */
  async resources(request: ListRequest): Promise<Element<object>[]> {
    const { action, sortable } = LISTS.listResources;
    const rights = await this.#access.require(request.caller, [action], request.target);
    const kind = heldBy((await this.#tree.resource(request.target)).type);
    const own = Object.values<List<object>>(LISTS).filter((list) => list.kind?.name === kind.name);
    const actions = [action, ...own.map((list) => list.action)];
    for (const one of actions) requireAction(rights, one, request.target);
    const page = readPage(request.query, { ...this.#limits, sortable });
    return this.#elements.page(kind, {
      ...page,
      parent: request.target,
      hidden: hidden(rights, actions, request.target),
    });
  }

  async #query<C extends object>(
    { action, sortable, kind }: List<C> & { kind: Kind<C, unknown> },
    { caller, target, query }: ListRequest,
  ): Promise<ElementQuery> {
    const rights = await this.#access.require(caller, [action], target);
    await this.#tree.resource(target, [kind.holder ?? '']);
    const page = readPage(query, { ...this.#limits, sortable });
    return { ...page, parent: target, hidden: hidden(rights, [action], target) };
  }
}

/** What any of the actions leaves out. */
function hidden(rights: Rights, actions: readonly string[], parent: Target): Hidden {
  const each = actions.map((action) => hiddenBelow(rights, action, parent));
  const names = each.flatMap((one) => (one === 'all' ? [] : [...one]));
  return each.includes('all') ? 'all' : new Set(names);
}
