// biome-ignore lint/style/noRestrictedGlobals: the calendar and not the clock, as the moment is given
const dateOf = (moment: number | string): Date => new Date(moment);

/** RFC 3339 UTC text with whole seconds. */
export const isoSeconds = (ms: number): string => `${dateOf(ms).toISOString().slice(0, 19)}Z`;

/** RFC 3339 UTC text with three fraction digits (decisions §10). */
export const isoMillis = (ms: number): string => dateOf(ms).toISOString();

/** Whole seconds since the epoch (RFC 7519 NumericDate). */
export const epochSeconds = (ms: number): number => Math.floor(ms / 1000);

/** A moment without its milliseconds. */
export const floorToSeconds = (ms: number): number => epochSeconds(ms) * 1000;

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since the epoch of an ISO 8601 date or date-time with a zone; undefined for anything else. */
export function parseIso(text: string): number | undefined {
  if (!DATE_TIME.test(text)) return undefined;
  const ms = dateOf(text).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}

/** ISO 8601 duration of a time span in milliseconds, in hours, minutes and seconds. */
export function isoDuration(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${Number(rest.toFixed(3))}S` : ''}`;
  return `${ms < 0 ? '-' : ''}PT${shown === '' ? '0S' : shown}`;
}

/** The same moment of the calendar in UTC, some years later. */
export function yearsLater(ms: number, years: number): number {
  const date = dateOf(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
