import { randomUUID } from 'node:crypto';
import type { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import type { Log } from '../../ports/log.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import type { Operation } from './document.ts';
import { toProblem } from './problems.ts';

/** What an answered request is counted by. */
export interface RequestMetrics {
  request(operationId: string, status: number, seconds: number): void;
}

/** What the application is made of. */
export interface ApplicationParts {
  router: Router;
  operations: Operation[];
  corsOrigins: string[];
  log: Log;
  metrics: RequestMetrics;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The Koa application: request id and log line, errors, CORS, routes. */
export function buildApplication(parts: ApplicationParts): Koa {
  const app = new Koa();
  app.use((ctx, next) => account(ctx, next, parts));
  app.use((ctx, next) => answerErrors(ctx, next, parts.log));
  app.use((ctx, next) => answerPreflight(ctx, next, parts));
  app.use(parts.router.routes());
  app.use((ctx) => refuse(ctx, parts.router));
  app.on('error', (error: unknown) => parts.log.warn('connection failed', { error: String(error) }));
  return app;
}

const operationOf = (ctx: Context): Operation | undefined => ctx.state.operation as Operation | undefined;

/** Every request gets an id, one log line and one count. */
async function account(ctx: Context, next: Next, { log, metrics }: ApplicationParts): Promise<void> {
  const started = performance.now();
  const wanted = ctx.get('x-request-id');
  const requestId = REQUEST_ID.test(wanted) ? wanted : randomUUID();
  ctx.state.requestId = requestId;
  ctx.set('x-request-id', requestId);
  ctx.set('x-content-type-options', 'nosniff');
  await next();
  const seconds = (performance.now() - started) / 1000;
  const operation = operationOf(ctx)?.operationId ?? 'none';
  metrics.request(operation, ctx.status, seconds);
  const ms = Math.round(seconds * 1e5) / 100;
  log.info('request', {
    requestId,
    operation,
    method: ctx.method,
    status: ctx.status,
    ms,
    source: ctx.req.socket.remoteAddress,
  });
}

async function answerErrors(ctx: Context, next: Next, log: Log): Promise<void> {
  try {
    await next();
  } catch (error) {
    const { requestId } = ctx.state;
    const { status, headers, body } = toProblem({ error, requestId, oauth: operationOf(ctx)?.oauthErrors === true });
    if (status >= 500)
      log.error('request failed', { requestId, operation: operationOf(ctx)?.operationId, ...describe(error) });
    ctx.status = status;
    ctx.set(headers);
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(body);
  }
}

/** What the log may know of an error: texts of our own, and for foreign errors where they came from. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const detail = error instanceof DomainError ? { code: error.code, detail: error.detail } : { stack: error.stack };
  return { error: error.message, ...detail, cause: error.cause instanceof Error ? error.cause.message : undefined };
}

async function answerPreflight(
  ctx: Context,
  next: Next,
  { router, operations, corsOrigins }: ApplicationParts,
): Promise<void> {
  const wanted = ctx.get('access-control-request-method').toUpperCase();
  if (ctx.method !== 'OPTIONS' || wanted === '') return next();
  const name = router.match(ctx.path, wanted).pathAndMethod.at(-1)?.name;
  const operation = operations.find(({ operationId }) => operationId === name);
  if (!operation) return next();
  ctx.status = 204;
  ctx.set({ ...corsHeaders(operation, ctx.get('origin'), corsOrigins), ...preflightHeaders(operation) });
}

/** No route took the request: the path is unknown, or known by other methods (RFC 9110 §15.5.6). */
function refuse(ctx: Context, router: Router): void {
  if (ctx.state.operation !== undefined || ctx.status === 204) return;
  const methods = [...new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods))];
  if (methods.length === 0) throw new DomainError('NotFound', 'There is nothing at this path');
  ctx.set('allow', [...methods, 'OPTIONS'].join(', '));
  if (ctx.method === 'OPTIONS') ctx.status = 204;
  else throw new DomainError('MethodNotAllowed', `This path answers ${methods.join(', ')}`);
}
