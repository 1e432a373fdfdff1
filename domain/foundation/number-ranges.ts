/** A set of whole numbers as ranges of first and last in ascending order: thousands in a row are one range. */
export type NumberRanges = readonly (readonly [first: number, last: number])[];

/** Whether the set has the number. */
export const hasNumber = (ranges: NumberRanges, number: number): boolean =>
  ranges.some(([first, last]) => first <= number && number <= last);

/** How many numbers the set has. */
export const countNumbers = (ranges: NumberRanges): number =>
  ranges.reduce((count, [first, last]) => count + last - first + 1, 0);

/** Adds a number; the ranges that it connects become one. */
function withNumber(ranges: NumberRanges, number: number): NumberRanges {
  if (hasNumber(ranges, number)) return ranges;
  const before = ranges.filter(([, last]) => last < number - 1);
  const after = ranges.filter(([first]) => first > number + 1);
  const touching = ranges.slice(before.length, ranges.length - after.length);
  const first = Math.min(number, ...touching.map(([start]) => start));
  const last = Math.max(number, ...touching.map(([, end]) => end));
  return [...before, [first, last], ...after];
}

/** Adds several numbers. */
export const withNumbers = (ranges: NumberRanges, numbers: readonly number[]): NumberRanges =>
  numbers.reduce(withNumber, ranges);

/** Removes several numbers. */
export const withoutNumbers = (ranges: NumberRanges, numbers: readonly number[]): NumberRanges =>
  numbers.reduce(withoutNumber, ranges);

const withoutNumber = (ranges: NumberRanges, number: number): NumberRanges =>
  ranges.flatMap(([first, last]): (readonly [number, number])[] => {
    if (number < first || last < number) return [[first, last]];
    const parts: [number, number][] = [
      [first, number - 1],
      [number + 1, last],
    ];
    return parts.filter(([start, end]) => start <= end);
  });
