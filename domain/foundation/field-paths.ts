/** The position of a field in a value: member names and list indices, outermost first. */
export type FieldPath = readonly (string | number)[];

/** One segment of a JSON Pointer, escaped (RFC 6901 §3). */
const pointerSegment = (segment: string | number): string =>
  `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A path as a JSON Pointer (RFC 6901); '' for the value itself. */
export const jsonPointer = (path: FieldPath): string => path.map(pointerSegment).join('');

/** The segments of a JSON Pointer. */
export const parsePointer = (pointer: string): FieldPath => pointer.split('/').slice(1).map(unescapeSegment);

/** The member name that a segment of a JSON Pointer stands for (RFC 6901 §4). */
export const unescapeSegment = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** A path as people read it, and as the configuration reports it: `certificates[0].name`. */
export const readablePath = (path: FieldPath): string =>
  path
    .map((segment) => (/^\d+$/.test(String(segment)) ? `[${segment}]` : `.${segment}`))
    .join('')
    .replace(/^\./, '');
