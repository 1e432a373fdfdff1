/** RFC 3339 UTC text with whole seconds. */
export const isoSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** RFC 3339 UTC text with three fraction digits (decisions §10). */
export const isoMillis = (ms: number): string => new Date(ms).toISOString();

/** Whole seconds since the epoch (RFC 7519 NumericDate). */
export const epochSeconds = (ms: number): number => Math.floor(ms / 1000);

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since the epoch of an ISO 8601 date or date-time with a zone; undefined for anything else. */
export function parseIso(text: string): number | undefined {
  if (!DATE_TIME.test(text)) return undefined;
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}
