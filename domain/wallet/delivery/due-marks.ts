import type { Collection, Store, Stored } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { insertFirst } from '../../foundation/records.ts';

/** A record of a wallet. */
export interface WalletRecord {
  owner: string;
  id: string;
}

/** That a record is due to be worked on. A record has a mark before it is stored, so a killed process loses none. */
interface DueMark extends WalletRecord {
  /** In milliseconds since the epoch. */
  dueAt: number;
}

/** How often what is due is looked for, in milliseconds. */
export const DUE_EVERY_MS = 5000;
/** How long a mark may be stored before its record is, in milliseconds. */
const STORING_MS = 60_000;
/** How many marks one round looks at, how many at once, and for how many milliseconds it begins work. */
const [MOST, AT_ONCE, ROUND_MS] = [500, 8, 10_000];
/** Digits of a time: enough for 30,000 years. */
const DIGITS = 15;

/**
 * The records of all wallets that are due, in the order in which they are: however many wait, those that are due are found
 * without reading the others. The time of a record decides; a mark that is too early is moved to it.
 */
export class DueMarks {
  readonly #marks: Collection<DueMark>;
  readonly #clock: Clock;

  /** `name`: that of the collection. */
  constructor({ store, clock }: { store: Store; clock: Clock }, name: string) {
    this.#marks = store.collection({ name, listed: true, afterRestore: 'kept' });
    this.#clock = clock;
  }

  /** Marks a record; the same mark twice is one. */
  async insert({ owner, id, dueAt }: DueMark): Promise<void> {
    const name = `${String(dueAt).padStart(DIGITS, '0')}-${fingerprint(JSON.stringify([owner, id]))}`;
    await insertFirst(this.#marks, { id: name, value: { owner, id, dueAt } });
  }

  /**
   * Works on what is due. `dueAt` returns when a record is due by its own account, undefined for none; `work` changes that.
   * What `work` throws leaves the mark, and is thrown when the round is over.
   */
  async round(
    dueAt: (record: WalletRecord) => Promise<number | undefined>,
    work: (record: WalletRecord) => Promise<void>,
  ) {
    const begun = this.#clock.now();
    const marks = await this.#marks.list({ parent: '', order: 'id', offset: 0, limit: MOST });
    const due = marks.filter(({ value }) => value.dueAt <= begun);
    const look = async (mark: Stored<DueMark>): Promise<void> => {
      const at = await dueAt(mark.value);
      if (at === undefined || at > this.#clock.now()) await this.#move(mark, at);
      else if (this.#clock.now() <= begun + ROUND_MS) await work(mark.value);
    };
    await mapBounded(due, AT_ONCE, look);
  }

  async #move({ id, createdAt, value }: Stored<DueMark>, at: number | undefined): Promise<void> {
    if (at === undefined && createdAt + STORING_MS > this.#clock.now()) return;
    if (at !== undefined) await this.insert({ ...value, dueAt: at });
    await this.#marks.remove({ id });
  }
}
