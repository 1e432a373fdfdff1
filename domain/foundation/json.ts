export type JsonObject = Record<string, unknown>;

/** Whether `value` is a JSON object (not null, not an array). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether `value` is a string with at least one character. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns an array unchanged, undefined as an empty list and any other value as the only element. */
export const asList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Whether two JSON values are equal; the order of members means nothing. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  const members = Object.entries(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    members.length === Object.keys(right).length &&
    members.every(([name, value]) => Object.hasOwn(right, name) && isSameJson(value, Reflect.get(right, name)))
  );
}

/** Estimates the memory of a JSON value in bytes, rather too high than too low. */
export function memoryOf(value: unknown): number {
  if (typeof value === 'string') return 32 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  let bytes = 64;
  for (const [name, part] of Object.entries(value)) bytes += 16 + 2 * name.length + memoryOf(part);
  return bytes;
}

/** Number of values in a JSON value: a measure of the work it causes. A long text counts by its length. */
export function countValues(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / 256);
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const part of Object.values(value)) count += countValues(part);
  return count;
}

/** Number of values below a JSON value, and of the names of members there. */
export function countBelow(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  const names = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce((count: number, part) => count + 1 + countBelow(part), names);
}
