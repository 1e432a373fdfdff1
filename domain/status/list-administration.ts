import type { PageQuery, Stored } from '../../ports/store.ts';
import type { EntryNames, EntryState } from '../credentials/status-entries.ts';
import type { Page } from '../limits/pagination.ts';
import type { AllocatedEntry, EntryAllocation } from './entry-allocation.ts';
import type { EntryChanges, EntryWithState } from './entry-changes.ts';
import { stateOf } from './entry-states.ts';
import type { IssuedEntries } from './issued-entries.ts';
import type { IssuedLists, ListSummary } from './issued-lists.ts';

/** Indexes that are read at once where a list is filtered. */
const BLOCK = 1000;

/** Shows the lists of a target and their entries, and allocates entries for credentials that others make. */
export class ListAdministration {
  constructor(
    private readonly parts: {
      lists: IssuedLists;
      issued: IssuedEntries;
      entries: EntryAllocation;
      changes: EntryChanges;
    },
  ) {}

  /** The lists of a target. */
  lists(target: string, page: Page): Promise<Stored<ListSummary>[]> {
    return this.parts.lists.page({ ...page, parent: target });
  }

  /** @throws DomainError `NotFound` */
  async list(target: string, id: string): Promise<Stored<ListSummary>> {
    const { lists, changes } = this.parts;
    return (await lists.summary(target, id)) ?? changes.list(target, id);
  }

  /** How many entries of a list are used up, and when a status was set last. @throws DomainError `NotFound` */
  async use(target: string, id: string): Promise<{ used: number; changedAt?: number }> {
    const { entries, changes } = this.parts;
    const list = await changes.list(target, id);
    const used = await entries.usedOf(target, list);
    return { used, changedAt: list.value.changes > 0 ? list.updatedAt : undefined };
  }

  /**
   * Allocates an entry of this list or, when it is full, of the next one with the same properties.
   * @throws DomainError `NotFound`, `Overloaded`
   */
  async allocate(target: string, id: string, names: EntryNames): Promise<AllocatedEntry & EntryWithState> {
    const { entries, changes } = this.parts;
    const { baseUrl, choice, signer } = (await changes.list(target, id)).value;
    const [allocated] = await entries.entries({ target, baseUrl, choice, signer, names }, 1);
    if (!allocated) throw new Error('No entry was allocated');
    return { ...allocated, ...(await changes.withState(target, allocated.place)) };
  }

  /** @throws DomainError `NotFound` */
  entry(target: string, list: string, index: number): Promise<EntryWithState> {
    return this.parts.changes.withState(target, { list, index });
  }

  /** The entries of a list, all or those in one state. @throws DomainError `NotFound` */
  async entries(target: string, id: string, { state, ...page }: Page & { state?: EntryState }) {
    const { lists, issued, changes } = this.parts;
    const { choice } = (await changes.list(target, id)).value;
    const statuses = await lists.statuses(id);
    const stateAt = (index: number): EntryState => stateOf(choice, statuses.get(index) ?? 0);
    const query = { ...page, parent: id };
    if (state !== undefined) {
      const indexes = await this.#filtered(query, (index) => stateAt(index) === state);
      return changes.allWithState(
        target,
        indexes.map((index) => ({ list: id, index })),
      );
    }
    return (await issued.page(query)).map((entry): EntryWithState => {
      const index = Number(entry.id);
      return { place: { list: id, index }, state: stateAt(index), entry };
    });
  }

  /** The entries of all lists of a target with one name. */
  async find(target: string, names: EntryNames, page: Page): Promise<EntryWithState[]> {
    const { issued, changes } = this.parts;
    return changes.allWithState(target, await issued.named(target, names, page));
  }

  /** The page of those indexes that fit, as if the list had no others. */
  async #filtered({ parent, order, offset, limit }: PageQuery, fits: (index: number) => boolean): Promise<number[]> {
    const found: number[] = [];
    for (let start = 0, isLast = false; found.length < offset + limit && !isLast; start += BLOCK) {
      const block = await this.parts.issued.indexes({ parent, order, offset: start, limit: BLOCK });
      found.push(...block.filter(fits));
      isLast = block.length < BLOCK;
    }
    return found.slice(offset, offset + limit);
  }
}
