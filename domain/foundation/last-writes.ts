/**
 * The rule for the times of a listed collection: each insert and each replacement gets
 * `max(now, time of the last write to the same parent + 1 ms)`, decided inside the write. So the times of a parent only
 * grow, regardless of the clocks of the writers: new records follow every page that was read before.
 *
 * The last write outlives its record. It is kept as a record of this unlisted collection, with the listed collection as
 * parent and the parent of its records as id, so that migrations carry it and expiry clears it like any other.
 */
export const LAST_WRITES = 'last-writes';

/** How long a last write is kept after its record was deleted, in milliseconds: a clock may be set back by less than a day. */
export const LAST_WRITE_KEPT_MS = 86_400_000;
