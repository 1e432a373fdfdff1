import type { Operation } from '../messages/document.ts';

/** A request whose path is another name of an operation (`x-aliases`). */
export interface AliasedRequest {
  /** The path of the operation, with the parameters of the request. */
  path: string;
  /** A name in the path that is a member of the body of the operation. */
  moved?: { name: string; value: string };
  /** The member that the answer of the operation is in. */
  answer?: string;
}

/** One other path of an operation. */
interface Entry extends Pick<AliasedRequest, 'answer'> {
  method: string;
  segments: Segment[];
  operationPath: string;
}

/**
 * The other paths of operations. What arrives at one of them is a request to the operation before anything else is decided,
 * so that CORS, limits, permissions and the audit trail know the operation only. In `{target}.{name}` the last name of the
 * target is a parameter of its own: of the path of the operation, or else a member of its body.
 */
export class PathAliases {
  readonly #entries = new Map<string, Entry[]>();

  /** @throws Error for a path that has no API as its third segment */
  constructor(operations: readonly Operation[]) {
    for (const { aliases, method, path: operationPath } of operations)
      for (const { path, answer } of aliases) {
        const key = keyOf(path);
        if (key.includes('{')) throw new Error(`${path} cannot be another path of ${operationPath}`);
        const entry = { method, operationPath, answer, segments: path.split('/').map(readSegment) };
        this.#entries.set(key, [...(this.#entries.get(key) ?? []), entry]);
      }
  }

  /** The methods of a path that is another name of operations; none for any other. */
  methods(path: string): string[] {
    return (this.#entries.get(keyOf(path)) ?? [])
      .filter(({ segments }) => read(segments, path))
      .flatMap(({ method }) => (method === 'GET' ? ['HEAD', 'GET'] : [method]));
  }

  /** What a request to another path is. */
  find(method: string, path: string): AliasedRequest | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    for (const entry of this.#entries.get(keyOf(path)) ?? []) {
      const given = entry.method === wanted ? read(entry.segments, path) : undefined;
      const found = given && translated(entry, given);
      if (found) return found;
    }
    return undefined;
  }
}

/** What distinguishes paths: the version, the name of the API, and the number of segments. */
function keyOf(path: string): string {
  const segments = path.split('/');
  return `${segments[1]}/${segments[3]}/${segments.length}`;
}

/** A segment of a template: the text of a literal one, or else the names of its parameters, at most two with a dot between. */
type Segment = { text: string } | { names: [name: string, last?: string] };

function readSegment(segment: string): Segment {
  const [, name, last] = /^\{(\w+)\}(?:\.\{(\w+)\})?$/.exec(segment) ?? [];
  return name === undefined ? { text: segment } : { names: [name, last] };
}

/** The parameters of a path by their names; undefined when it is of another template. */
function read(segments: readonly Segment[], path: string): Map<string, string> | undefined {
  const given = new Map<string, string>();
  for (const [place, value] of path.split('/').entries()) {
    const segment = segments[place];
    if (!segment) return undefined;
    if ('text' in segment) {
      if (segment.text !== value) return undefined;
      continue;
    }
    const [name, last] = segment.names;
    const end = last === undefined ? value.length : value.lastIndexOf('.');
    if (end <= 0 || end === value.length - 1) return undefined;
    given.set(name, value.slice(0, end));
    if (last !== undefined) given.set(last, value.slice(end + 1));
  }
  return given;
}

function translated({ operationPath, answer }: Entry, given: Map<string, string>): AliasedRequest | undefined {
  const path = operationPath.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.get(name) ?? '';
    given.delete(name);
    return value;
  });
  const [left] = given;
  if (!left) return { path, answer };
  const value = decoded(left[1]);
  return value === undefined ? undefined : { path, answer, moved: { name: left[0], value } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
