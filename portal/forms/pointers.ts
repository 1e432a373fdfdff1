/** The way to a part of a JSON value: names of members, and places in lists. */
export type Path = readonly (string | number)[];

/** A path as a JSON Pointer (RFC 6901). */
export const pointerOf = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The pointer of what contains a part; '' contains everything. */
const above = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));

/** The field for what a pointer names: that of the part itself, else that of the nearest part around it. */
export function fieldFor(pointer: string, isField: (pointer: string) => boolean): string | undefined {
  for (let at = pointer; at !== ''; at = above(at)) if (isField(at)) return at;
  return undefined;
}

const isContainer = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;

/** The part of a value at a path; undefined when there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (part, name) => (isContainer(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );

/** A copy of a value with another part at a path, without that part when it is undefined; what is around it is made. */
export function withValue(value: unknown, [name, ...rest]: Path, part: unknown): unknown {
  if (name === undefined) return part;
  const below = withValue(valueAt(value, [name]), rest, part);
  if (typeof name === 'number') {
    const list = Array.isArray(value) ? value : [];
    return below === undefined ? list.toSpliced(name, 1) : list.slice(0, name).concat([below], list.slice(name + 1));
  }
  const { [name]: _, ...others } = isContainer(value) && !Array.isArray(value) ? value : {};
  if (below === undefined) return others;
  // Keeps the place of a member that is there.
  return isContainer(value) && Object.hasOwn(value, name) ? { ...value, [name]: below } : { ...others, [name]: below };
}
