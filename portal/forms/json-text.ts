/** A JSON text as it was read: its value, or where it is broken. */
type ReadText = { value: unknown } | { line: number; column: number };

/** Where engines say that a text is broken: its place in the text, or line and column; none at its end. */
const PLACES = /position (?<position>\d+)|line (?<line>\d+) column (?<column>\d+)/;

/** Reads JSON. */
export function readJsonText(text: string): ReadText {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const { position, line, column } = PLACES.exec(String(error))?.groups ?? {};
    if (line !== undefined && column !== undefined) return { line: Number(line), column: Number(column) };
    return placeIn(text, position === undefined ? text.trimEnd().length : Number(position));
  }
}

function placeIn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A value as a text for people. */
export const jsonTextOf = (value: unknown): string => JSON.stringify(value, null, 2);
