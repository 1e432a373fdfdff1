/** How many values a JSON value is made of: a measure of the work it can cause. A long text counts by its length. */
export function countValues(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / 256);
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const part of Object.values(value)) count += countValues(part);
  return count;
}
