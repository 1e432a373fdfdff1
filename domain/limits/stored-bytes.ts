/** What one source had stored, by hours since the epoch. */
export type StoredBytes = readonly { hour: number; bytes: number }[];

/** A source that has more stored, at a time in milliseconds since the epoch. */
interface Storing {
  bytes: number;
  now: number;
  /** How much one source may have stored in 24 hours, in bytes. */
  perDay: number;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** What a source had stored with the new bytes; or the milliseconds after which there is room for them, when there is none now. */
export function stored(before: StoredBytes, { bytes, now, perDay }: Storing): StoredBytes | number {
  const hour = Math.floor(now / HOUR_MS);
  const live = before.filter((one) => one.hour > hour - HOURS);
  let excess = sumOf(live) + bytes - perDay;
  if (excess <= 0)
    return [
      ...live.filter((one) => one.hour !== hour),
      { hour, bytes: bytes + sumOf(live.filter((one) => one.hour === hour)) },
    ];
  for (const one of live) {
    excess -= one.bytes;
    if (excess <= 0) return (one.hour + HOURS) * HOUR_MS - now;
  }
  return HOURS * HOUR_MS;
}

const sumOf = (all: StoredBytes): number => all.reduce((sum, { bytes }) => sum + bytes, 0);
