import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { invalidField } from '../../domain/errors.ts';
import { authenticate, type LoginSessions, type OriginRules } from './authentication.ts';
import { readBody, readHeaders, readQuery } from './body.ts';
import { corsHeaders } from './cors.ts';
import type { Contract, Operation } from './document.ts';
import type { AnyHandler, Input } from './operations.ts';
import type { RateLimits } from './rate-limits.ts';
import { RouteTable } from './routes.ts';
import { RequestValidation } from './validation.ts';

/** What the router binds together. */
export interface RouterParts {
  contract: Contract;
  handlers: Record<string, AnyHandler>;
  sessions: LoginSessions;
  origins: OriginRules;
  limits: RateLimits;
}

type Params = Record<string, string>;

/** An operation, and how it answers a request with these path parameters. */
export interface Endpoint {
  operation: Operation;
  serve(ctx: Context, params: Params): Promise<void>;
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
    router.add(operation, { operation, serve: (ctx, params) => serve(ctx, params, bound) });
  }
  return router;
}

interface Bound extends RouterParts {
  operation: Operation;
  handler: AnyHandler;
  validation: RequestValidation;
}

/** The way of a request: count, authenticate, read, validate, handle, write. */
async function serve(ctx: Context, params: Params, bound: Bound): Promise<void> {
  const { operation, limits, origins } = bound;
  setHeaders(ctx.res, corsHeaders(operation, ctx.req.headers.origin, origins.corsOrigins));
  const source = limits.source(ctx.req);
  const passage = await limits.enter({ operation, source, target: params.target });
  setHeaders(ctx.res, passage.headers);
  if (passage.refusal) throw passage.refusal;
  const caller = { ...(await passage.run(() => authenticate(ctx.req, operation, bound))), source };
  const parts = {
    path: readPath(ctx, params),
    query: readQuery(ctx.querystring, operation),
    header: readHeaders(ctx.req, operation),
    requestBody: await readBody(ctx.req, operation),
  };
  bound.validation.check(operation, operation.rawQuery ? { ...parts, query: {} } : parts);
  const { path, query, header: headers, requestBody: body } = parts;
  const input = { path, query, headers, body, caller } as unknown as Input<never>;
  write(ctx, operation, await passage.run(() => bound.handler(input)));
}

/** The path parameters; a path that is not properly percent-encoded names nothing. */
function readPath(ctx: Context, params: Params): Params {
  try {
    decodeURIComponent(ctx.path);
  } catch {
    throw invalidField('/path', 'is not properly percent-encoded');
  }
  return params;
}

function write(ctx: Context, operation: Operation, answer: Awaited<ReturnType<AnyHandler>>): void {
  const { status, body, headers = {} } = answer;
  ctx.status = status;
  const [documented] = Object.keys(operation.responses[status]?.content ?? {});
  if (body === undefined) {
    ctx.body = status === 204 || status === 202 || status >= 300 ? null : '';
    // Koa takes the absence of a body for a 204.
    ctx.status = status;
  } else {
    const type = documented ?? (typeof body === 'string' ? 'text/plain' : 'application/json');
    // Koa guesses the type of a body that has none yet.
    ctx.res.setHeader('content-type', withCharset(type));
    ctx.body = typeof body === 'string' && type !== 'application/json' ? body : JSON.stringify(body);
  }
  setHeaders(ctx.res, headers);
}

const withCharset = (type: string): string =>
  type === 'application/json' || /^text\/[^;]+$/.test(type) ? `${type}; charset=utf-8` : type;

function setHeaders(response: ServerResponse, headers: Record<string, string | string[]>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
