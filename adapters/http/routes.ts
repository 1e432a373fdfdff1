/** What a request names, with what the templated segments of its path stand for, decoded. */
export interface Match<T> {
  target: T;
  params: Record<string, string>;
}

interface Route<T> {
  target: T;
  /** The names of the templated segments and which segments they are. */
  templated: [name: string, place: number][];
}

interface Branch<T> {
  literal: Map<string, Branch<T>>;
  any?: Branch<T>;
  /** The routes that end here, by method. */
  routes: Map<string, Route<T>>;
}

const newBranch = <T>(): Branch<T> => ({ literal: new Map(), routes: new Map() });

/** Routes found by the segments of a path, a literal segment before a templated one, however many routes there are. */
export class RouteTable<T> {
  readonly #root = newBranch<T>();

  /** Adds what a method of a templated path leads to; a GET answers HEAD too (RFC 9110 §9.3.2). */
  add({ method, path }: { method: string; path: string }, target: T): void {
    const templated: Route<T>['templated'] = [];
    let branch = this.#root;
    for (const [place, segment] of path.split('/').entries()) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name !== undefined) templated.push([name, place]);
      branch = name === undefined ? literalBranch(branch, segment) : anyBranch(branch);
    }
    for (const each of method === 'GET' ? ['HEAD', 'GET'] : [method]) branch.routes.set(each, { target, templated });
  }

  find(path: string, method: string): Match<T> | undefined {
    const segments = path.split('/');
    const route = routeOf(this.#root, { segments, method });
    if (!route) return undefined;
    const params: Match<T>['params'] = {};
    for (const [name, place] of route.templated) params[name] = decoded(segments[place] ?? '');
    return { target: route.target, params };
  }

  /** What the routes lead to that start as the path does, as far as it is known; none when even its first segment is not. */
  near(path: string): T[] {
    let branch = this.#root;
    for (const [place, segment] of path.split('/').entries()) {
      const next = branch.literal.get(segment) ?? branch.any;
      if (!next && place < 2) return [];
      if (!next) break;
      branch = next;
    }
    return targetsOf(branch);
  }

  /** The methods that a path answers; none when there is nothing at it. */
  methods(path: string): string[] {
    const all = branchesOf(this.#root, path.split('/')).flatMap(({ routes }) => [...routes.keys()]);
    return [...new Set(all)];
  }
}

function literalBranch<T>({ literal }: Branch<T>, segment: string): Branch<T> {
  const branch = literal.get(segment) ?? newBranch();
  literal.set(segment, branch);
  return branch;
}

function anyBranch<T>(branch: Branch<T>): Branch<T> {
  branch.any ??= newBranch();
  return branch.any;
}

/** The route of a path and method, the most literal one. */
function routeOf<T>(
  branch: Branch<T>,
  wanted: { segments: readonly string[]; method: string },
  place = 0,
): Route<T> | undefined {
  const segment = wanted.segments[place];
  if (segment === undefined) return branch.routes.get(wanted.method);
  const literal = branch.literal.get(segment);
  const found = literal && routeOf(literal, wanted, place + 1);
  if (found || !branch.any || segment === '') return found;
  return routeOf(branch.any, wanted, place + 1);
}

/** The branches a path leads to; no template stands for an empty segment. */
function branchesOf<T>(branch: Branch<T>, segments: readonly string[], place = 0): Branch<T>[] {
  const segment = segments[place];
  if (segment === undefined) return [branch];
  const literal = branch.literal.get(segment);
  const found = literal ? branchesOf(literal, segments, place + 1) : [];
  return branch.any && segment !== '' ? [...found, ...branchesOf(branch.any, segments, place + 1)] : found;
}

const targetsOf = <T>({ literal, any, routes }: Branch<T>): T[] => [
  ...[...routes.values()].map(({ target }) => target),
  ...[...literal.values(), ...(any ? [any] : [])].flatMap(targetsOf),
];

/** A segment that is not properly percent-encoded stays as it is: the edge refuses it by the whole path. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
