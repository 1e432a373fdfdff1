/** The shape of a JSON value: members, elements and kinds of text, without the values. */
export type Shape = string | { list: Shape[] } | { members: Record<string, Shape> };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export function shapeOf(value: unknown): Shape {
  if (typeof value === 'string') return kindOf(value);
  if (Array.isArray(value)) return { list: unique(value.map(shapeOf)) };
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const names = Object.keys(value).sort();
  return { members: Object.fromEntries(names.map((name) => [name, shapeOf(value[name])])) };
}

const unique = (shapes: Shape[]): Shape[] =>
  [...new Set(shapes.map((shape) => JSON.stringify(shape)))].sort().map((text) => JSON.parse(text));

const KINDS: [string, RegExp][] = [
  ['uuid', /^(urn:uuid:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['instant', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/],
  ['jwt', /^ey[\w-]+\.[\w-]+\.[\w-]*$/],
  ['did', /^did:[a-z]+:/],
];

/** The shape of a link is its scheme and the names of its parameters. */
function kindOf(text: string): string {
  const kind = KINDS.find(([, pattern]) => pattern.test(text))?.[0];
  if (kind !== undefined) return kind;
  if (!/^[a-z][a-z0-9-]*:\/\/\S*$/.test(text) || !URL.canParse(text)) return 'text';
  const { protocol, searchParams } = new URL(text);
  // Servers of tests have no TLS, those of examples do.
  return [protocol === 'http:' ? 'https:' : protocol, ...[...new Set(searchParams.keys())].sort()].join(' ');
}

/** Whether one shape is part of the other, which may have more members and elements. */
export function isPart(part: Shape, whole: Shape): boolean {
  if (typeof part === 'string' || typeof whole === 'string') return part === whole;
  if ('list' in part)
    return 'list' in whole && part.list.every((one) => whole.list.some((other) => isPart(one, other)));
  if (!('members' in whole)) return false;
  return Object.entries(part.members).every(([name, shape]) => {
    const other = whole.members[name];
    return other !== undefined && isPart(shape, other);
  });
}
