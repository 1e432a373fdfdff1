import { invalidField } from '../../domain/foundation/errors.ts';
import { writeAnswer } from './answer.ts';
import { authenticate, type LoginRealms, type OriginRules } from './authentication.ts';
import { readBody } from './body.ts';
import type { Context, Middleware } from './context.ts';
import type { Contract, Operation } from './document.ts';
import type { AnyHandler, Input } from './operations.ts';
import { type RateLimits, UNLIMITED } from './rate-limits.ts';
import { lateQuery, readHeaders, readQuery } from './request.ts';
import { RequestValidation } from './validation.ts';

/** What the routes are made of. */
export interface RouteParts {
  contract: Contract;
  handlers: Record<string, AnyHandler>;
  sessions: LoginRealms;
  origins: OriginRules;
  limits: RateLimits;
}

/** The steps of a request to an operation. @throws Error when it has no handler, or names a limit that does not exist */
export function routeSteps(parts: RouteParts): (operation: Operation) => Middleware[] {
  const validation = new RequestValidation(parts.contract);
  return (operation) => {
    const handler = parts.handlers[operation.operationId];
    if (!handler) throw new Error(`The operation ${operation.operationId} has no handler`);
    if (operation.rateLimit !== undefined) parts.limits.ruleOf(operation.rateLimit);
    return [
      nameOperation(operation),
      limitRate(operation, parts.limits),
      authenticateCaller(operation, parts),
      readRequest(operation),
      validateRequest(operation, validation),
      callHandler(operation, handler, validation),
    ];
  };
}

const nameOperation =
  (operation: Operation): Middleware =>
  (ctx, next) => {
    ctx.state.operation = operation;
    return next();
  };

const limitRate = (operation: Operation, limits: RateLimits): Middleware => {
  if (operation.rateLimit === undefined)
    return (ctx, next) => {
      ctx.state.limit = UNLIMITED;
      return next();
    };
  return async (ctx, next) => {
    const limit = await limits.check({ operation, source: ctx.state.source, target: ctx.params.target });
    ctx.set(limit.headers);
    if (limit.refusal) throw limit.refusal;
    ctx.state.limit = limit;
    return next();
  };
};

const authenticateCaller =
  (operation: Operation, parts: Pick<RouteParts, 'sessions' | 'origins'>): Middleware =>
  async (ctx, next) => {
    const { limit, source } = ctx.state;
    const caller = await limit.run(() => authenticate(ctx, operation, parts));
    if (operation.rateLimit !== undefined) caller.limitedSource = source;
    ctx.state.caller = caller;
    return next();
  };

const readRequest =
  (operation: Operation): Middleware =>
  async (ctx, next) => {
    ctx.state.parts = {
      path: readPath(ctx),
      query: readQuery(ctx.querystring, operation),
      header: readHeaders(ctx.req, operation),
      requestBody: await readBody(ctx.req, operation),
    };
    return next();
  };

/** The path parameters; a path that is not properly percent-encoded names nothing. */
function readPath({ path, params }: Context): Record<string, string> {
  if (!path.includes('%')) return params;
  try {
    decodeURIComponent(path);
  } catch {
    throw invalidField(['path'], 'is not properly percent-encoded');
  }
  return params;
}

const validateRequest =
  (operation: Operation, validation: RequestValidation): Middleware =>
  (ctx, next) => {
    const { parts } = ctx.state;
    validation.check(operation, operation.lateQuery ? { ...parts, query: {} } : parts);
    return next();
  };

const callHandler =
  (operation: Operation, handler: AnyHandler, validation: RequestValidation): Middleware =>
  async (ctx) => {
    const { parts, caller, limit } = ctx.state;
    const { path, header: headers, requestBody: body } = parts;
    const query = operation.lateQuery
      ? lateQuery(parts.query, () => validation.violations(operation, parts))
      : parts.query;
    const input = { path, query, headers, body, caller } as unknown as Input<never>;
    writeAnswer(ctx, operation, await limit.run(() => handler(input)));
  };
