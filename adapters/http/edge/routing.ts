import { Router, type RouterContext } from '@koa/router';
import type Koa from 'koa';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Operation } from '../messages/document.ts';
import type { Context, Middleware, RequestState } from './context.ts';
import { PathAliases } from './path-aliases.ts';

/**
 * The routers of the OpenAPI documents. @koa/router tries the routes of a router one after the other. So that this does
 * not grow with the contract, a document has one router for each first segment of its paths, and a request is matched by
 * the routers of its segment only. The first segment is literal, but for paths that begin with a parameter: that one has any
 * number of segments, none of which has an encoded slash, and answers where nothing else does. Documents that share a segment (`v1`, `openid4vc`,
 * `wallet-api`) are matched in their order. A path without templated segments has a router of its own: no template answers
 * for it, with any method (OpenAPI 3.1 §4.8.8.2).
 */
export class Routing {
  readonly #operations: Map<string, Operation>;
  readonly #routers: Map<string, Router<RequestState>>;
  readonly #dispatchers: Map<string, Middleware>;
  readonly #aliases: PathAliases;

  constructor(operations: readonly Operation[], stepsOf: (operation: Operation) => Middleware) {
    this.#operations = new Map(operations.map((operation) => [operation.operationId, operation]));
    this.#routers = routersByKey(operations, stepsOf);
    const dispatchers = [...this.#routers].map(([segment, router]) => [segment, router.routes()] as const);
    this.#dispatchers = new Map(dispatchers as [string, Middleware][]);
    this.#aliases = new PathAliases(operations);
  }

  /** Runs the steps of the operation that the request names, if there is one. An absolute request target may have no path. */
  readonly dispatch: Middleware = (ctx, next) => {
    const asked = ctx.path ?? '';
    const methods = this.#aliases.methods(asked);
    const alias = this.#aliases.find(ctx.method, asked);
    if (methods.length > 0 && !alias) return refuseMethod(ctx, methods);
    if (alias) {
      ctx.path = alias.path;
      ctx.state.alias = alias;
    }
    const path = alias?.path ?? asked;
    const dispatch = this.#dispatchers.get(path) ?? this.#dispatchers.get(firstSegment(path));
    const open = hasEncodedSlash(path) ? undefined : this.#dispatchers.get(OPEN);
    const rest: Koa.Next = open ? () => open(ctx, next) : next;
    return dispatch ? dispatch(ctx, rest) : rest();
  };

  /** The operation of a method and a path. */
  find(method: string, asked: string): Operation | undefined {
    const path = this.#aliases.find(method, asked)?.path ?? asked;
    const routers = [this.#routers.get(path) ?? this.#routers.get(firstSegment(path))];
    if (!hasEncodedSlash(path)) routers.push(this.#routers.get(OPEN));
    const [route] = routers.flatMap((router) => router?.match(path, method).pathAndMethod ?? []);
    return this.#operations.get(route?.name ?? '');
  }

  /** The operations whose paths share the most leading segments with this one; none when the first is unknown, or a parameter. */
  near(path: string | null): Operation[] {
    const segments = (path ?? '').split('/');
    let most = 2;
    let nearest: Operation[] = [];
    for (const operation of this.#operations.values()) {
      if (operation.path.startsWith('/{')) continue;
      const shared = sharedSegments(operation.path.split('/'), segments);
      if (shared > most) nearest = [];
      if (shared >= most) nearest.push(operation);
      most = Math.max(most, shared);
    }
    return nearest;
  }
}

/** Refuses what no operation answers: the path is unknown, or known with other methods (RFC 9110 §15.5.6). */
export const refuseUnrouted: Middleware = (ctx) => {
  const { matched = [] } = ctx as unknown as Partial<Pick<RouterContext, 'matched'>>;
  const methods = [...new Set(matched.flatMap((route) => route.methods))];
  if (methods.length === 0) throw new DomainError('NotFound', 'There is nothing at this path');
  refuseMethod(ctx, methods);
};

function refuseMethod(ctx: Context, methods: readonly string[]): void {
  ctx.set('allow', [...methods, 'OPTIONS'].join(', '));
  if (ctx.method !== 'OPTIONS') throw new DomainError('MethodNotAllowed', `This path answers ${methods.join(', ')}`);
  ctx.status = 204;
}

function routersByKey(
  operations: readonly Operation[],
  stepsOf: (operation: Operation) => Middleware,
): Map<string, Router<RequestState>> {
  const routers = new Map<string, Map<string, Router<RequestState>>>();
  for (const operation of literalFirst(operations)) {
    const { document, operationId, method, path } = operation;
    const key = path.startsWith('/{') ? OPEN : path.includes('{') ? firstSegment(path) : path;
    const ofKey = routers.get(key) ?? new Map();
    // A path in another spelling is another path.
    const router = ofKey.get(document) ?? new Router<RequestState>({ sensitive: true, strict: true });
    router.register(template(path), [method], stepsOf(operation), { name: operationId });
    routers.set(key, ofKey.set(document, router));
  }
  return new Map([...routers].map(([key, ofKey]) => [key, joined([...ofKey.values()])]));
}

/** The key of paths that begin with a parameter. No other key has a brace. */
const OPEN = '{}';

const template = (path: string): string => path.replace(/^\/\{([^{}]+)\}/, '/*$1').replaceAll(/\{([^{}]+)\}/g, ':$1');

const hasEncodedSlash = (path: string): boolean => /%(?:2f|5c)/i.test(path);

/** One router for several, which answers as they would one after the other. */
function joined(routers: Router<RequestState>[]): Router<RequestState> {
  const [only] = routers;
  if (only && routers.length === 1) return only;
  const all = new Router<RequestState>();
  for (const router of routers) all.use(router.routes());
  return all;
}

/** Paths with literal segments come before those with templated ones, from the left: the first match answers. */
function literalFirst(operations: readonly Operation[]): Operation[] {
  const places = operations.map((operation) => ({
    operation,
    form: operation.path.replaceAll(/[^/]+/g, (part) => (part.startsWith('{') ? '1' : '0')),
  }));
  places.sort(({ form: one }, { form: other }) => (one < other ? -1 : Number(one > other)));
  return places.map(({ operation }) => operation);
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

/** How many leading segments of a path a template has. */
function sharedSegments(template: readonly string[], segments: readonly string[]): number {
  const end = template.findIndex((part, place) => part !== segments[place] && !isTemplated(part, segments[place]));
  return end < 0 ? template.length : end;
}

const isTemplated = (part: string, segment: string | undefined): boolean =>
  segment !== undefined && part.startsWith('{');
