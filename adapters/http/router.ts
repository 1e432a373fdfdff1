import { invalidField } from '../../domain/foundation/errors.ts';
import { authenticate, type LoginRealms, type OriginRules } from './authentication.ts';
import { readBody } from './body.ts';
import { corsHeaders } from './cors.ts';
import type { Contract, Operation } from './document.ts';
import { type Answer, addHeaders, type Exchange, type Headers } from './exchange.ts';
import type { AnyHandler, Input } from './operations.ts';
import type { RateLimits } from './rate-limits.ts';
import { lateQuery, readHeaders, readQuery } from './request.ts';
import { RouteTable } from './routes.ts';
import { RequestValidation } from './validation.ts';

/** What the router binds together. */
export interface RouterParts {
  contract: Contract;
  handlers: Record<string, AnyHandler>;
  sessions: LoginRealms;
  origins: OriginRules;
  limits: RateLimits;
}

type Params = Record<string, string>;

/** An operation, and how it answers a request with these path parameters. */
export interface Endpoint {
  operation: Operation;
  serve(exchange: Exchange, params: Params): Promise<Answer>;
}

/** Every operation by method and path. */
export type Router = RouteTable<Endpoint>;

/** Binds every operation of the contract to its handler. @throws Error when one has none, or a limit nobody knows */
export function buildRouter(parts: RouterParts): Router {
  const router: Router = new RouteTable();
  const validation = new RequestValidation(parts.contract);
  for (const operation of parts.contract.operations) {
    const handler = parts.handlers[operation.operationId];
    if (!handler) throw new Error(`The operation ${operation.operationId} has no handler`);
    if (operation.rateLimit !== undefined) parts.limits.ruleOf(operation.rateLimit);
    const bound = { ...parts, operation, handler, validation };
    router.add(operation, { operation, serve: (exchange, params) => serve(exchange, params, bound) });
  }
  return router;
}

interface Bound extends RouterParts {
  operation: Operation;
  handler: AnyHandler;
  validation: RequestValidation;
}

/** The way of a request: count, authenticate, read, validate, handle, write. */
async function serve(exchange: Exchange, params: Params, bound: Bound): Promise<Answer> {
  const { operation, limits, origins } = bound;
  const { request, source, headers } = exchange;
  addHeaders(headers, corsHeaders(operation.cors, request.headers.origin, origins.corsOrigins));
  const passage = await limits.check({ operation, source, target: params.target });
  addHeaders(headers, passage.headers);
  if (passage.refusal) throw passage.refusal;
  const caller = await passage.run(() => authenticate(request, operation, bound));
  if (operation.rateLimit !== undefined) caller.limitedSource = source;
  const parts = {
    path: readPath(exchange, params),
    query: readQuery(exchange.querystring, operation),
    header: readHeaders(request, operation),
    requestBody: await readBody(request, operation),
  };
  const { validation } = bound;
  validation.check(operation, operation.lateQuery ? { ...parts, query: {} } : parts);
  const query = operation.lateQuery
    ? lateQuery(parts.query, () => validation.violations(operation, parts))
    : parts.query;
  const input = { path: parts.path, query, headers: parts.header, body: parts.requestBody, caller };
  return write(operation, await passage.run(() => bound.handler(input as unknown as Input<never>)));
}

/** The path parameters; a path that is not properly percent-encoded names nothing. */
function readPath({ path }: Exchange, params: Params): Params {
  if (!path.includes('%')) return params;
  try {
    decodeURIComponent(path);
  } catch {
    throw invalidField(['path'], 'is not properly percent-encoded');
  }
  return params;
}

/** Bytes are sent as they are, and so is a text, unless its type is JSON. */
function write({ responses }: Operation, { status, headers, body }: Awaited<ReturnType<AnyHandler>>): Answer {
  if (body === undefined) return { status, headers };
  const [documented] = Object.keys(responses[status]?.content ?? {});
  const type = documented ?? (typeof body === 'string' ? 'text/plain' : 'application/json');
  const isReady = body instanceof Uint8Array || (typeof body === 'string' && type !== 'application/json');
  const all: Headers = { 'content-type': withCharset(type) };
  if (headers) addHeaders(all, headers);
  return { status, headers: all, body: isReady ? body : JSON.stringify(body) };
}

const withCharset = (type: string): string =>
  type === 'application/json' || /^text\/[^;]+$/.test(type) ? `${type}; charset=utf-8` : type;
