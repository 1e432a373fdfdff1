import type { Turns } from '../../../ports/system.ts';
import { mapInTurns } from '../../foundation/concurrency.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import { ACTIONS, type Action, allows, canDelegate, canSee, type Rights, visibleBelow } from '../access/permissions.ts';
import type { Principals } from '../access/principals.ts';
import { childOf, nameOf, nothingAt, type Target } from '../access/targets.ts';
import type { PageRequest } from './list-requests.ts';
import { RESOURCE_KINDS } from './resource-kinds.ts';
import type { ResourceRepository } from './resource-repository.ts';
import type { Resource } from './resource-tree.ts';
import { pageOfAll } from './visible-page.ts';

const { resources: RESOURCES } = RESOURCE_KINDS;

/** A resource that a caller may know of, and what it may do there. */
interface Place {
  target: Target;
  type: string;
  /** For people. */
  name?: string;
  /** With `all` where the caller has full control. */
  actions: (Action | 'all')[];
}

/** A place, and a page of what is directly below it. */
interface Workplace {
  here: Place;
  below: Place[];
}

type Query = Pick<PageRequest, 'query'> & { caller: string };

/** Where callers may work: what they may know of, without any further permission. */
export class Workplaces {
  constructor(
    private readonly parts: {
      principals: Principals;
      resources: ResourceRepository;
      limits: PageLimits;
      turns: Turns;
    },
  ) {}

  /** @throws DomainError `BadRequest` */
  async organizations({ caller, query }: Query): Promise<Place[]> {
    return this.#below(await this.parts.principals.rightsOf(caller), '', query);
  }

  /** @throws DomainError `NotFound` without an organization, tenant or service that the caller may know of, `BadRequest` */
  async show({ caller, target, query }: Query & { target: Target }): Promise<Workplace> {
    const rights = await this.parts.principals.rightsOf(caller);
    const here = canSee(rights, target) ? await this.parts.resources.get(RESOURCES, target) : undefined;
    if (!here) throw nothingAt(target);
    return { here: placeOf(rights, here), below: await this.#below(rights, target, query) };
  }

  async #below(rights: Rights, parent: Target, query: PageRequest['query']): Promise<Place[]> {
    const page = await query((texts) => readPage(texts, { ...this.parts.limits, sortable: false }));
    const visible = visibleBelow(rights, parent);
    const rows =
      'hidden' in visible
        ? await this.parts.resources.page(RESOURCES, { ...page, parent, hidden: visible.hidden })
        : pageOfAll(await this.#named(parent, visible.named), { ...page, parent });
    return mapInTurns(this.parts.turns, rows, (row) => placeOf(rights, row));
  }

  async #named(parent: Target, names: readonly string[]) {
    const found = await Promise.all(names.map((name) => this.parts.resources.get(RESOURCES, childOf(parent, name))));
    return found.flatMap((one) => (one ? [{ ...one, id: nameOf(one._id), createdAt: 0, updatedAt: 0 }] : []));
  }
}

const ALL = Object.keys(ACTIONS) as Action[];

function placeOf(rights: Rights, { _id: target, type, name, profile }: Resource): Place {
  const shown = name ?? (profile as { name?: unknown } | undefined)?.name;
  const actions = ALL.filter((action) => allows(rights, action, target));
  const all = canDelegate(rights, target) ? (['all'] as const) : [];
  return { target, type, ...(typeof shown === 'string' && { name: shown }), actions: [...actions, ...all] };
}
