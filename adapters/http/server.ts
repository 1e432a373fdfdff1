import { randomUUID } from 'node:crypto';
import Koa, { type Context } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import type { Log } from '../../ports/log.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import type { Operation } from './document.ts';
import { toProblem } from './problems.ts';
import type { Router } from './router.ts';

/** What an answered request is counted by. */
export interface RequestMetrics {
  request(operationId: string, status: number, seconds: number): void;
}

/** What the application is made of. */
export interface ApplicationParts {
  router: Router;
  corsOrigins: string[];
  log: Log;
  metrics: RequestMetrics;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The Koa application: request id and log line, errors, CORS, routes. */
export function buildApplication(parts: ApplicationParts): Koa {
  const app = new Koa();
  app.use((ctx) => account(ctx, parts));
  app.on('error', (error: unknown) => parts.log.warn('connection failed', { error: String(error) }));
  return app;
}

const operationOf = (ctx: Context): Operation | undefined => ctx.state.operation as Operation | undefined;

/** Every request gets an id, one log line and one count. */
async function account(ctx: Context, parts: ApplicationParts): Promise<void> {
  const { log, metrics } = parts;
  const started = performance.now();
  const wanted = ctx.get('x-request-id');
  const requestId = REQUEST_ID.test(wanted) ? wanted : randomUUID();
  ctx.state.requestId = requestId;
  ctx.res.setHeader('x-request-id', requestId);
  ctx.res.setHeader('x-content-type-options', 'nosniff');
  try {
    await route(ctx, parts);
  } catch (error) {
    answerError(ctx, error, log);
  }
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

function answerError(ctx: Context, error: unknown, log: Log): void {
  const { requestId } = ctx.state;
  const { status, headers, body } = toProblem({ error, requestId, oauth: operationOf(ctx)?.oauthErrors === true });
  if (status >= 500)
    log.error('request failed', { requestId, operation: operationOf(ctx)?.operationId, ...describe(error) });
  ctx.status = status;
  ctx.set(headers);
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(body);
}

/** What the log may know of an error: texts of our own, and for foreign errors where they came from. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const detail = error instanceof DomainError ? { code: error.code, detail: error.detail } : { stack: error.stack };
  return { error: error.message, ...detail, cause: error.cause instanceof Error ? error.cause.message : undefined };
}

/** An absolute request target without a path has none that Koa could read. */
const pathOf = ({ path }: Context): string => path || '/';

/** Serves the operation that the request names, or says why there is none. */
async function route(ctx: Context, { router, corsOrigins }: ApplicationParts): Promise<void> {
  const match = router.find(pathOf(ctx), ctx.method);
  if (match) {
    ctx.state.operation = match.target.operation;
    return match.target.serve(ctx, match.params);
  }
  const wanted = ctx.method === 'OPTIONS' ? ctx.get('access-control-request-method').toUpperCase() : '';
  const asked = router.find(pathOf(ctx), wanted)?.target;
  if (asked) answerPreflight(ctx, asked.operation, corsOrigins);
  else refuse(ctx, router.methods(pathOf(ctx)));
}

function answerPreflight(ctx: Context, operation: Operation, corsOrigins: string[]): void {
  ctx.status = 204;
  ctx.set({ ...corsHeaders(operation, ctx.get('origin'), corsOrigins), ...preflightHeaders(operation) });
}

/** The path is unknown, or known by other methods (RFC 9110 §15.5.6). */
function refuse(ctx: Context, methods: string[]): void {
  if (methods.length === 0) throw new DomainError('NotFound', 'There is nothing at this path');
  ctx.set('allow', [...methods, 'OPTIONS'].join(', '));
  if (ctx.method === 'OPTIONS') ctx.status = 204;
  else throw new DomainError('MethodNotAllowed', `This path answers ${methods.join(', ')}`);
}
