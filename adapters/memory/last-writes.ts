import { LAST_WRITE_KEPT_MS } from '../../domain/foundation/last-writes.ts';

interface Parent {
  /** The time of the last write, in milliseconds since the epoch. */
  at: number;
  /** How many records there are, the expired ones that were not cleared yet included. */
  records: number;
}

/** Parents that one write looks at; two keep the map from growing without ever scanning it. */
const SWEEP = 2;

/** The times of the last writes to the parents of a listed collection. */
export class LastWrites {
  readonly #parents = new Map<string, Parent>();

  /** How many parents are known. */
  get size(): number {
    return this.#parents.size;
  }

  /** The time of a write now. */
  stamp(parent: string, now: number): number {
    this.#sweep(now);
    const last = this.#parents.get(parent);
    const at = last === undefined ? now : Math.max(now, last.at + 1);
    this.#parents.set(parent, { at, records: last?.records ?? 0 });
    return at;
  }

  /** Counts records that came (1) or went (-1). */
  count(parent: string, change: 1 | -1): void {
    const last = this.#parents.get(parent);
    if (last) last.records += change;
  }

  /** Parents without records are forgotten a day after the last write. */
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
