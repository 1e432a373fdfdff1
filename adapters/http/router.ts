import { Router, type RouterContext } from '@koa/router';
import { invalidField } from '../../domain/errors.ts';
import { authenticate, type LoginSessions, type OriginRules } from './authentication.ts';
import { readBody, readHeaders, readQuery } from './body.ts';
import { corsHeaders } from './cors.ts';
import type { Contract, Operation } from './document.ts';
import type { AnyHandler, Input } from './operations.ts';
import { RequestValidation } from './validation.ts';

/** What the router binds together. */
export interface RouterParts {
  contract: Contract;
  handlers: Record<string, AnyHandler>;
  sessions: LoginSessions;
  origins: OriginRules;
}

/** Binds every operation of the contract to its handler. @throws Error when one has none */
export function buildRouter(parts: RouterParts): Router {
  const router = new Router({ sensitive: true, strict: true });
  const validation = new RequestValidation(parts.contract);
  for (const operation of parts.contract.operations) {
    const handler = parts.handlers[operation.operationId];
    if (!handler) throw new Error(`The operation ${operation.operationId} has no handler`);
    const path = operation.path.replaceAll(/\{([^}]+)\}/g, ':$1');
    router.register(path, [operation.method], (ctx) => serve(ctx, operation, { ...parts, handler, validation }), {
      name: operation.operationId,
    });
  }
  return router;
}

interface Bound extends RouterParts {
  handler: AnyHandler;
  validation: RequestValidation;
}

/** The way of a request: authenticate, read, validate, handle, write. */
async function serve(ctx: RouterContext, operation: Operation, bound: Bound): Promise<void> {
  ctx.state.operation = operation;
  ctx.set(corsHeaders(operation, ctx.req.headers.origin, bound.origins.corsOrigins));
  const caller = await authenticate(ctx.req, operation, bound);
  const parts = {
    path: readPath(ctx),
    query: readQuery(ctx.querystring, operation),
    header: readHeaders(ctx.req, operation),
    requestBody: await readBody(ctx.req, operation),
  };
  bound.validation.check(operation, parts);
  const { path, query, header: headers, requestBody: body } = parts;
  write(ctx, operation, await bound.handler({ path, query, headers, body, caller } as unknown as Input<never>));
}

/** The path parameters; a path that is not properly percent-encoded names nothing. */
function readPath(ctx: RouterContext): Record<string, unknown> {
  try {
    decodeURIComponent(ctx.path);
  } catch {
    throw invalidField('/path', 'is not properly percent-encoded');
  }
  return { ...ctx.params };
}

function write(
  ctx: RouterContext,
  operation: Operation,
  { status, body, headers = {} }: Awaited<ReturnType<AnyHandler>>,
): void {
  ctx.status = status;
  const types = Object.keys(operation.responses[status]?.content ?? {});
  if (body === undefined) ctx.body = status === 204 || status === 202 || status >= 300 ? null : '';
  else ctx.body = typeof body === 'string' && types[0] !== 'application/json' ? body : JSON.stringify(body);
  if (body !== undefined) ctx.type = contentType(types, body);
  ctx.status = status;
  ctx.set(headers);
}

function contentType(types: string[], body: unknown): string {
  const type = types[0] ?? (typeof body === 'string' ? 'text/plain' : 'application/json');
  return type === 'text/plain' ? 'text/plain; charset=utf-8' : type;
}
