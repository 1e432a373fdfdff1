import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Koa, { type Context } from 'koa';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Log } from '../../ports/log.ts';
import type { ClientAddresses } from './client-addresses.ts';
import { corsHeaders, preflightHeaders, sharedPolicy } from './cors.ts';
import type { Operation } from './document.ts';
import { type Answer, addHeaders, type Exchange, send } from './exchange.ts';
import { toProblem } from './problems.ts';
import type { Router } from './router.ts';

/** What an answered request is counted by. */
export interface RequestMetrics {
  request(operationId: string, status: number, seconds: number): void;
}

/** What the application is made of. */
export interface ApplicationParts {
  router: Router;
  sources: ClientAddresses;
  corsOrigins: string[];
  log: Log;
  metrics: RequestMetrics;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The Koa application: request id and log line, errors, CORS, routes. */
export function buildApplication(parts: ApplicationParts): Koa {
  const app = new Koa();
  app.use((ctx) => account(ctx, parts));
  app.on('error', (error: unknown) => parts.log.warn('connection failed', { error: String(error) }));
  return app;
}

/** Every request gets an id, one log line and one count. */
async function account(ctx: Context, parts: ApplicationParts): Promise<void> {
  const { log, metrics, sources } = parts;
  const started = performance.now();
  const { req: request, method } = ctx;
  const requestId = idOf(request);
  const exchange: Exchange = {
    request,
    path: ctx.path || '/', // An absolute request target may have none.
    querystring: ctx.querystring,
    source: sources.of(request),
    headers: { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' },
  };
  const answer = await route(exchange, parts).catch((error) => explain(error, { exchange, requestId, log }));
  ctx.respond = false;
  if (ctx.writable) send(ctx.res, exchange, answer);
  const { status } = answer;
  const seconds = (performance.now() - started) / 1000;
  const operation = exchange.operation?.operationId ?? 'none';
  metrics.request(operation, status, seconds);
  const ms = Math.round(seconds * 1e5) / 100;
  log.info('request', { requestId, operation, method, status, ms, source: exchange.source });
}

/** The caller's own id for the request, or a new one. */
function idOf({ headers }: IncomingMessage): string {
  const wanted = headers['x-request-id'];
  return typeof wanted === 'string' && REQUEST_ID.test(wanted) ? wanted : randomUUID();
}

function explain(
  error: unknown,
  { exchange, requestId, log }: { exchange: Exchange; requestId: string; log: Log },
): Answer {
  const { operation } = exchange;
  const { status, headers, body } = toProblem({ error, requestId, oauth: operation?.oauthErrors });
  if (status >= 500) log.error('request failed', { requestId, operation: operation?.operationId, ...describe(error) });
  return { status, headers: { ...headers, 'content-type': errorType(operation, status) }, body: JSON.stringify(body) };
}

/** JSON, unless the operation documents its errors as text, as old front ends expect them. */
function errorType(operation: Operation | undefined, status: number): string {
  const { content = {} } = operation?.responses[status] ?? operation?.responses.default ?? {};
  return Object.hasOwn(content, 'text/plain') ? 'text/plain; charset=utf-8' : JSON_TYPE;
}

/** What the log may know of an error: texts of our own, and for foreign errors where they came from. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const detail = error instanceof DomainError ? { code: error.code, detail: error.detail } : { stack: error.stack };
  return { error: error.message, ...detail, cause: error.cause instanceof Error ? error.cause.message : undefined };
}

/** Serves the operation that the request names, or says why there is none. */
async function route(exchange: Exchange, { router, corsOrigins }: ApplicationParts): Promise<Answer> {
  const { request, path } = exchange;
  const { method = '' } = request;
  const match = router.find(path, method);
  if (match) {
    exchange.operation = match.target.operation;
    return match.target.serve(exchange, match.params);
  }
  return answerOthers(exchange, { router, corsOrigins });
}

/** A preflight, or a request that no operation answers; a page that may read the answers of the path reads these too. */
function answerOthers(
  exchange: Exchange,
  { router, corsOrigins }: Pick<ApplicationParts, 'router' | 'corsOrigins'>,
): Answer {
  const { request, path, headers } = exchange;
  const wanted = request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : undefined;
  const asked = wanted === undefined ? undefined : router.find(path, wanted.toUpperCase())?.target.operation;
  const policy = asked?.cors ?? sharedPolicy(router.near(path).map(({ operation }) => operation));
  addHeaders(headers, corsHeaders(policy, request.headers.origin, corsOrigins));
  if (asked || (wanted !== undefined && policy !== 'none')) return { status: 204, headers: preflightHeaders(asked) };
  return refuse(exchange, router.methods(path));
}

/** The path is unknown, or known by other methods (RFC 9110 §15.5.6). */
function refuse({ request, headers }: Exchange, methods: string[]): Answer {
  if (methods.length === 0) throw new DomainError('NotFound', 'There is nothing at this path');
  headers.allow = [...methods, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return { status: 204 };
  throw new DomainError('MethodNotAllowed', `This path answers ${methods.join(', ')}`);
}
