import type { Stored } from '../../ports/store.ts';
import type { Clock, Turns } from '../../ports/system.ts';
import type { EntryNames, EntryState, StatusListChoice } from '../credentials/status-entries.ts';
import { CallBatches } from '../foundation/call-batches.ts';
import { mapBounded, mapInTurns } from '../foundation/concurrency.ts';
import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { actionFor, type EntryAction, stateOf, stateOfAll, valueAfter } from './entry-states.ts';
import type { ChangeReason, EntryPosition, IssuedEntries, IssuedEntry } from './issued-entries.ts';
import type { IssuedList, IssuedLists } from './issued-lists.ts';

/** The most entries that one call changes. */
const MAX_NAMED = 1000;

/** A change of an entry, with who wants it and why. */
export interface WantedChange extends ChangeReason {
  action: EntryAction;
}

/** An entry with its state. */
export interface EntryWithState {
  place: EntryPosition;
  state: EntryState;
  entry: Stored<IssuedEntry>;
}

/** Who keeps records of what was issued, which show the state of their entries. */
interface FollowingRecords {
  /** `stateNow` returns the present state of the entries of a record of an issuer. */
  follow(issuer: string, record: string, stateNow: () => Promise<EntryState>): Promise<void>;
}

/** A change that is published. */
export interface ChangedEntry extends Pick<WantedChange, 'action'>, Pick<EntryNames, 'session'> {
  /** The target of the list. */
  owner: string;
  place: EntryPosition;
}

type ChangeOf = (choice: StatusListChoice) => WantedChange;

/**
 * Changes entries of the lists of a target: revocation is final, and only what is suspended can be lifted. The published
 * list changes first and the history after it, so what the history says is published; a call that got no answer is
 * repeated, and completes both.
 */
export class EntryChanges {
  readonly #followed = new CallBatches<undefined, undefined>();

  constructor(
    private readonly parts: {
      lists: IssuedLists;
      issued: IssuedEntries;
      records: FollowingRecords;
      clock: Clock;
      turns: Turns;
      /** Sees each change before it is answered, also one that is repeated. @throws DomainError: then it is not answered */
      witness?(changed: ChangedEntry): Promise<void>;
    },
  ) {}

  /** The same changes, each seen by a witness. */
  witnessedBy(witness: (changed: ChangedEntry) => Promise<void>): EntryChanges {
    return new EntryChanges({ ...this.parts, witness });
  }

  /** @throws DomainError `NotFound`, `Conflict`, `BadRequest` naming `action` when the list has no such state */
  change(target: string, place: EntryPosition, wanted: WantedChange): Promise<EntryWithState> {
    return this.#change(target, place, () => wanted);
  }

  /** Changes an entry in the way that fits its list. */
  async #change(target: string, place: EntryPosition, wanted: ChangeOf): Promise<EntryWithState> {
    const list = await this.list(target, place.list);
    if (!(await this.parts.issued.get(place))) throw noEntry();
    return this.changeIn(list, place, wanted(list.value.choice));
  }

  /**
   * Changes all entries with one name, as far as each can be; the others stay as they are.
   * @throws DomainError `NotFound` when there is none, as `change` when none can be changed, `BadRequest` when there are
   * more than 1,000
   */
  changeNamed(target: string, names: EntryNames, wanted: WantedChange): Promise<EntryWithState[]> {
    return this.#changeNamed(target, names, () => wanted);
  }

  /**
   * Sets the statuses of all entries with one name to a value, as far as they can be.
   * @throws DomainError as `changeNamed`, `BadRequest` naming `status` when no list has such a status
   */
  setNamed(target: string, names: EntryNames, status: number): Promise<EntryWithState[]> {
    return this.#changeNamed(target, names, (choice) => ({ action: actionFor(choice, status) }));
  }

  async #changeNamed(target: string, names: EntryNames, wanted: ChangeOf): Promise<EntryWithState[]> {
    const { issued } = this.parts;
    const places = await issued.named(target, names, { order: 'id', offset: 0, limit: MAX_NAMED + 1 });
    if (places.length === 0) throw noEntry();
    if (places.length > MAX_NAMED)
      throw invalidField([], `names more than ${MAX_NAMED} entries: change them by their lists and indexes`);
    return this.changeAll(target, places, wanted);
  }

  /** Changes entries as far as each can be. @throws DomainError as `change` when none can be */
  async changeAll(target: string, places: readonly EntryPosition[], wanted: ChangeOf): Promise<EntryWithState[]> {
    const refusals: DomainError[] = [];
    const changed = await mapBounded(places, MAX_NAMED, async (place) => {
      try {
        return await this.#change(target, place, wanted);
      } catch (error) {
        if (!isDomainError(error, 'Conflict') && !isDomainError(error, 'BadRequest')) throw error;
        refusals.push(error);
        return this.withState(target, place);
      }
    });
    const [first] = refusals;
    if (first && refusals.length === places.length) throw first;
    return changed;
  }

  /** Changes an entry of a list that is known to be in use. @throws DomainError as `change` */
  async changeIn({ id, value: list }: Stored<IssuedList>, place: EntryPosition, wanted: WantedChange) {
    const { lists, issued, clock, witness } = this.parts;
    const { action, ...reason } = wanted;
    const next = (before: number) => valueAfter(list.choice, action, before);
    const { before, after, order } = await lists.change(id, place.index, next);
    const [from, to] = [stateOf(list.choice, before), stateOf(list.choice, after)];
    const entry = await issued.record(place, { ...reason, order, at: clock.now(), from, to });
    const owner = list.target ?? '';
    await witness?.({ owner, place, action, session: entry.value.session });
    await this.#follow(owner, entry.value);
    return { place, state: to, entry };
  }

  /** The places of all entries of the credentials of one record, in their order. */
  placesOf(
    target: string,
    { issuer, record }: Required<Pick<EntryNames, 'issuer' | 'record'>>,
  ): Promise<EntryPosition[]> {
    return this.parts.issued.allNamed(target, { issuer, record });
  }

  /** Has the record of a changed entry follow; once for the entries that change at the same time. */
  async #follow(target: string, names: EntryNames): Promise<void> {
    const { issuer, record } = names;
    if (issuer === undefined || record === undefined) return;
    const stateNow = async () => {
      const entries = await this.allWithState(target, await this.placesOf(target, { issuer, record }));
      return stateOfAll(entries.map(({ state }) => state));
    };
    await this.#followed.join(`${issuer} ${record}`, undefined, async (calls) => {
      await this.parts.records.follow(issuer, record, stateNow);
      return calls.map(() => undefined);
    });
  }

  /** An entry with its present state. @throws DomainError `NotFound` */
  async withState(target: string, place: EntryPosition): Promise<EntryWithState> {
    const { lists, issued } = this.parts;
    const { value: list } = await this.list(target, place.list);
    const [entry, value] = await Promise.all([issued.get(place), lists.status(place.list, place.index)]);
    if (!entry) throw noEntry();
    return { place, state: stateOf(list.choice, value), entry };
  }

  /** Entries with their present states, in the order of the places. */
  allWithState(target: string, places: readonly EntryPosition[]): Promise<EntryWithState[]> {
    return mapInTurns(this.parts.turns, places, (place) => this.withState(target, place));
  }

  /** A list of the target. @throws DomainError `NotFound` */
  async list(target: string, id: string): Promise<Stored<IssuedList>> {
    const list = await this.parts.lists.get(id);
    if (list && (list.value.target ?? '') === target) return list;
    throw new DomainError('NotFound', 'There is no status list with this id');
  }
}

const noEntry = (): DomainError => new DomainError('NotFound', 'There is no such entry');
