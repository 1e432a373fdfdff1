import type { Access } from '../access/access.ts';
import { allows, type Rights } from '../access/permissions.ts';
import { nothingAt, type Target } from '../access/targets.ts';
import type { AuditChains } from './audit-chains.ts';
import type { AuditCheck, CheckResult } from './audit-check.ts';
import { type AuditEvent, INSTALLATION, organizationOf } from './audit-event.ts';
import { type AuditFilter, type AuditPageQuery, isWanted } from './audit-query.ts';

/** A page of events; `next` is the number after which the next page begins. */
interface AuditPage {
  events: AuditEvent[];
  next?: number;
}

/** The most events that one page is searched in. */
const SEARCHED = 2000;

/** The events that a caller may see. */
interface Scope {
  chain: Target;
  isIn(event: AuditEvent, filter: AuditFilter): boolean;
}

/** The target that is asked for, and what the caller may do; or who asks for the events of the installation. */
export type AuditRequest = { target: Target; rights: Rights } | { caller: string };

/** Shows and checks recorded events. Whether there is a resource at the target now is of no importance. */
export class AuditTrail {
  constructor(
    private readonly parts: {
      access: Access;
      chains: AuditChains;
      check: AuditCheck;
    },
  ) {}

  /** A page of the events. @throws DomainError `Forbidden`, `NotFound`, and what `read` throws */
  async page(request: AuditRequest, read: () => Promise<AuditPageQuery>): Promise<AuditPage> {
    const scope = await this.#scopeOf(request);
    const query = await read();
    const { limit } = query;
    const events: AuditEvent[] = [];
    let searched = 0;
    for await (const event of this.#eventsOf(scope.chain, query)) {
      searched += 1;
      if (scope.isIn(event, query)) events.push(event);
      if (events.length === limit || searched === SEARCHED) return { events, next: event.sequence };
    }
    return { events };
  }

  /** All events, the oldest first. @throws DomainError `Forbidden`, `NotFound`, and what `read` throws */
  async export(request: AuditRequest, read: () => Promise<AuditFilter>): Promise<AsyncIterable<AuditEvent>> {
    const scope = await this.#scopeOf(request);
    const filter = await read();
    return this.#wanted(scope, filter);
  }

  /** Checks the events of an organization, or of the installation. @throws DomainError `Forbidden`, `NotFound`, and what `read` throws */
  async check(request: AuditRequest, read: () => Promise<number | undefined>): Promise<CheckResult> {
    const { chain } = await this.#scopeOf(request);
    if ('target' in request && request.target !== chain) throw nothingAt(request.target);
    return this.parts.check.run(chain, await read());
  }

  async *#wanted(scope: Scope, filter: AuditFilter): AsyncGenerator<AuditEvent> {
    for await (const event of this.#eventsOf(scope.chain, { ...filter, order: 'oldest' }))
      if (scope.isIn(event, filter)) yield event;
  }

  async #scopeOf(request: AuditRequest): Promise<Scope> {
    if ('caller' in request) {
      await this.parts.access.requireSuperadmin(request.caller);
      return { chain: INSTALLATION, isIn: isWanted };
    }
    const { target, rights } = request;
    const below = `${target}.`;
    const isAt = (at: Target, subtree: boolean) => at === target || (subtree && at.startsWith(below));
    return {
      chain: organizationOf(target),
      isIn: (event, filter) =>
        isAt(event.target, filter.subtree) && isWanted(event, filter) && allows(rights, 'audit-view', event.target),
    };
  }

  /** The events of a chain in the time of a filter and perhaps beside it, in the wanted order. */
  async *#eventsOf(
    chain: Target,
    { order, after, from, to }: Pick<AuditPageQuery, 'order' | 'after' | 'from' | 'to'>,
  ): AsyncGenerator<AuditEvent> {
    const events = order === 'oldest' ? this.#upwards(chain, { after, from }) : this.#downwards(chain, { after, to });
    for await (const event of events) {
      if (order === 'oldest' ? to !== undefined && event.time > to : from !== undefined && event.time < from) return;
      yield event;
    }
  }

  async *#upwards(chain: Target, { after = 0, from }: Pick<AuditPageQuery, 'after' | 'from'>) {
    const start = from === undefined ? 0 : (await this.#firstAt(chain, from)) - 1;
    // Events that are appended meanwhile are left out: otherwise it might never end.
    const end = (await this.parts.chains.outermost(chain, 'id-'))?.sequence ?? 0;
    for await (const event of this.#pages(chain, Math.max(after, start), 'id')) {
      if (event.sequence > end) return;
      yield event;
    }
  }

  async *#downwards(chain: Target, { after = Number.MAX_SAFE_INTEGER, to }: Pick<AuditPageQuery, 'after' | 'to'>) {
    const start = to === undefined ? after : await this.#firstAt(chain, `${to}~`);
    yield* this.#pages(chain, Math.min(after, start), 'id-');
  }

  async *#pages(chain: Target, after: number, order: 'id' | 'id-'): AsyncGenerator<AuditEvent> {
    for (let next = after, ended = false; !ended; ) {
      const { events, isLast } = await this.parts.chains.page(chain, next, order);
      yield* events;
      next = events.at(-1)?.sequence ?? next;
      ended = isLast;
    }
  }

  /** The number of the first event at a time or later, by bisection; what is missing counts as earlier. */
  async #firstAt(chain: Target, time: string): Promise<number> {
    const { chains } = this.parts;
    let before = ((await chains.outermost(chain, 'id'))?.sequence ?? 1) - 1;
    let beyond = ((await chains.outermost(chain, 'id-'))?.sequence ?? 0) + 1;
    while (beyond - before > 1) {
      const middle = Math.floor((before + beyond) / 2);
      const event = await chains.event(chain, middle);
      if (event && event.time >= time) beyond = middle;
      else before = middle;
    }
    return beyond;
  }
}
