import { LAST_WRITE_KEPT_MS } from '../../domain/foundation/last-writes.ts';

interface Parent {
  /** The time of the last write, in milliseconds since the epoch. */
  at: number;
  /** Number of records, including expired ones that were not deleted yet. */
  records: number;
}

/** Parents that one write examines; two bound the map without a scan. */
const SWEEP = 2;

/** The times of the last writes to the parents of a listed collection. */
export class LastWrites {
  readonly #parents = new Map<string, Parent>();

  /** Number of parents in the map. */
  get size(): number {
    return this.#parents.size;
  }

  /** Returns the time of a write that happens now. */
  stamp(parent: string, now: number): number {
    this.#sweep(now);
    const last = this.#parents.get(parent);
    const at = last === undefined ? now : Math.max(now, last.at + 1);
    this.#parents.set(parent, { at, records: last?.records ?? 0 });
    return at;
  }

  /** Counts an inserted (1) or deleted (-1) record. */
  count(parent: string, change: 1 | -1): void {
    const last = this.#parents.get(parent);
    if (last) last.records += change;
  }

  /** Deletes parents without records a day after their last write. */
  #sweep(now: number): void {
    let left = SWEEP;
    for (const [parent, last] of this.#parents) {
      if (left === 0) return;
      left -= 1;
      this.#parents.delete(parent);
      if (last.records > 0 || last.at + LAST_WRITE_KEPT_MS > now) this.#parents.set(parent, last);
    }
  }
}
