/** A JSON text as it was read: its value, or where it is broken. */
type ReadText = { value: unknown } | { line: number; column: number };

/** Where engines say that a text is broken: its place in the text, or line and column; none at its end. */
const PLACES = /position (?<position>\d+)|line (?<line>\d+) column (?<column>\d+)/;

/** Reads JSON. */
export function readJsonText(text: string): ReadText {
  const fault = faultIn(text);
  if (fault === undefined) return { value: JSON.parse(text) };
  const { position, line, column } = PLACES.exec(fault)?.groups ?? {};
  if (line !== undefined && column !== undefined) return { line: Number(line), column: Number(column) };
  return placeIn(text, position === undefined ? endOfGood(text) : Number(position));
}

/** Why a text is no JSON, in the words of the engine. */
function faultIn(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Whether a text could go on to be JSON: nothing is wrong with it but its end. */
function isBeginning(text: string): boolean {
  const fault = faultIn(text);
  if (fault === undefined || /end of|EOF|Unterminated/.test(fault)) return true;
  return Number(PLACES.exec(fault)?.groups?.position ?? -1) >= text.length;
}

/** How much of a text is good, where the engine does not say it: the longest part that could go on to be JSON. */
function endOfGood(text: string): number {
  let good = 0;
  let bad = text.trimEnd().length;
  if (isBeginning(text.slice(0, bad))) return bad;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function placeIn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A value as a text for people. */
export const jsonTextOf = (value: unknown): string => JSON.stringify(value, null, 2);
