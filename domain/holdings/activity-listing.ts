import type { Collection, Store, Stored } from '../../ports/store.ts';
import { recordsAfter } from '../foundation/seek.ts';
import { type Activity, WALLET_ACTIVITY } from './activity.ts';
import {
  type ActivityQuery,
  comparePositions,
  cursorAfter,
  isByTime,
  type LoggedActivity,
  type Position,
  positionOf,
} from './activity-query.ts';

/** A part of a list of activities. */
interface ActivityPage {
  items: LoggedActivity[];
  /** Where the next page starts, when there is one. */
  next?: string;
}

/** How many records are read at a time when most of them may not match. */
const BATCH = 200;

/** Lists what happened in wallets. */
export class ActivityListing {
  readonly #records: Collection<Activity>;

  constructor({ store }: { store: Store }) {
    this.#records = store.collection(WALLET_ACTIVITY);
  }

  /** Returns a page of at most `limit` activities. Activities that are recorded meanwhile repeat and hide no item. */
  async page(owner: string, { limit, ...query }: ActivityQuery & { limit: number }): Promise<ActivityPage> {
    const isTimed = isByTime(query);
    const ordered = isTimed ? this.#matching(owner, query, limit) : this.#sorted(owner, query);
    const items: LoggedActivity[] = [];
    // Those of another order are left out before they are read again.
    let left = isTimed ? query.skip : 0;
    for await (const activity of ordered) {
      if (left > 0) left -= 1;
      else items.push(activity);
      if (items.length > limit) break;
    }
    const last = items.length > limit ? items[limit - 1] : undefined;
    return { items: items.slice(0, limit), ...(last && { next: cursorAfter(last, query) }) };
  }

  /** Returns the latest activities, the last one first. */
  async latest(owner: string, limit: number): Promise<LoggedActivity[]> {
    const records = await this.#records.list({ parent: owner, order: 'created-', offset: 0, limit });
    return records.map(toLogged);
  }

  /** Returns the ids of the presented credentials, the one presented most often first; of equals the last presented. */
  async presentedMost(owner: string): Promise<string[]> {
    const counts = new Map<string, number>();
    const query = { collection: this.#records, parent: owner, order: 'created-', size: BATCH } as const;
    for await (const { value } of recordsAfter(query)) {
      const { event, action, credentialId } = value;
      if (event !== 'Credential' || action !== 'Present' || credentialId === undefined) continue;
      counts.set(credentialId, (counts.get(credentialId) ?? 0) + 1);
    }
    return [...counts].sort(([, left], [, right]) => right - left).map(([id]) => id);
  }

  /** Removes an activity; returns whether there was one. */
  remove(owner: string, id: string): Promise<boolean> {
    return this.#records.remove({ parent: owner, id });
  }

  /** The matching activities in the order of their creation, from the cursor of a query by time. */
  async *#matching(
    parent: string,
    { matches, isFiltered, isDescending, after }: ActivityQuery,
    limit: number,
  ): AsyncGenerator<LoggedActivity> {
    const order = isDescending ? 'created-' : 'created+';
    const size = isFiltered ? BATCH : Math.min(BATCH, limit + 1);
    for await (const record of recordsAfter({ collection: this.#records, parent, order, after: after?.at, size })) {
      const activity = toLogged(record);
      if (matches(activity)) yield activity;
    }
  }

  /** Any other order reads the whole log, and keeps positions only: the data of all activities may be too much for the memory. */
  async *#sorted(parent: string, { after, skip, ...query }: ActivityQuery): AsyncGenerator<LoggedActivity> {
    const all: { id: string; place: Position }[] = [];
    for await (const activity of this.#matching(parent, { ...query, skip }, BATCH)) {
      const place = positionOf(activity, query);
      if (after === undefined || comparePositions(after, place, query) < 0) all.push({ id: activity.id, place });
    }
    all.sort((left, right) => comparePositions(left.place, right.place, query));
    for (const { id } of all.slice(skip)) {
      const record = await this.#records.get({ parent, id });
      if (record) yield toLogged(record);
    }
  }
}

const toLogged = ({ id, createdAt, value }: Stored<Activity>): LoggedActivity => ({
  ...value,
  id,
  at: createdAt,
  originator: value.originator ?? 'wallet',
});
