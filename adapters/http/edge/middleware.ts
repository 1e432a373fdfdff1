import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Log } from '../../../ports/log.ts';
import type { Tracing } from '../../../ports/tracing.ts';
import type { Operation } from '../messages/document.ts';
import { type Problem, ShownFailure, toProblem } from '../messages/problems.ts';
import type { ClientAddresses } from './client-addresses.ts';
import type { Middleware, RequestState } from './context.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Sets the id of the request: the caller's `X-Request-Id`, or a new one. */
export const identifyRequest: Middleware = (ctx, next) => {
  const wanted = ctx.req.headers['x-request-id'];
  const requestId = typeof wanted === 'string' && REQUEST_ID.test(wanted) ? wanted : randomUUID();
  ctx.state.requestId = requestId;
  ctx.set('x-request-id', requestId);
  ctx.set('x-content-type-options', 'nosniff');
  return next();
};

/** Makes each request a span, which continues the trace that its caller names. */
export const traceRequest =
  (tracing: Tracing): Middleware =>
  ({ method, state, req: { headers }, response }, next) =>
    tracing.span(
      { name: method, kind: 'server', facts: { 'http.request.method': method }, from: headers },
      async (span) => {
        await next();
        const { operationId = 'none', path = '' } = state.operation ?? {};
        const facts = { 'http.response.status_code': response.status, 'credenza.operation': operationId };
        span.note(path ? { ...facts, 'http.route': path } : facts, path && `${method} ${path}`);
      },
    );

/** Counts answered requests. */
export interface RequestMetrics {
  request(operationId: string, status: number, seconds: number): void;
}

interface AccessLogParts {
  sources: ClientAddresses;
  log: Log;
  metrics: RequestMetrics;
  tracing: Tracing;
}

/** Writes one log line and one count for each request. */
export const logAccess =
  ({ sources, log, metrics, tracing }: AccessLogParts): Middleware =>
  async (ctx, next) => {
    const started = performance.now();
    const { source, isLocal } = sources.of(ctx.req);
    ctx.state.source = source;
    ctx.state.isLocal = isLocal;
    await next();
    const seconds = (performance.now() - started) / 1000;
    const { status, method, state } = ctx;
    const operation = state.operation?.operationId ?? 'none';
    metrics.request(operation, status, seconds);
    const ms = Math.round(seconds * 1e5) / 100;
    const traceId = tracing.headers().traceparent?.split('-')[1];
    log.info('request', { requestId: state.requestId, traceId, operation, method, status, ms, source });
  };

/** The answer to an error; failures of the server (5xx) are logged. */
export function problemOf(error: unknown, { requestId, operation }: RequestState, log: Log): Problem {
  const problem = toProblem({ error, requestId, oauth: operation?.oauthErrors });
  if (problem.status >= 500)
    log.error('request failed', { requestId, operation: operation?.operationId, ...describe(error) });
  return problem;
}

/** Answers errors; with a page where a handler has one for the person. */
export const answerProblems =
  (log: Log): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { operation } = ctx.state;
      const { failure, page } = error instanceof ShownFailure ? error : { failure: error, page: undefined };
      const { status, headers, body } = problemOf(failure, ctx.state, log);
      ctx.status = status;
      ctx.set({ ...headers, 'content-type': typeOfErrors(operation, status), ...page?.headers });
      ctx.body = page?.body ?? JSON.stringify(body);
    }
  };

/** JSON, unless the operation documents its errors as text, which existing front ends expect. */
function typeOfErrors(operation: Operation | undefined, status: number): string {
  const { content = {} } = operation?.responses[status] ?? operation?.responses.default ?? {};
  return `${Object.hasOwn(content, 'text/plain') ? 'text/plain' : 'application/json'}; charset=utf-8`;
}

/** What the log shows of an error: our own texts, and the origin of a foreign error. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const detail = error instanceof DomainError ? { code: error.code, detail: error.detail } : { stack: error.stack };
  return { error: error.message, ...detail, cause: error.cause instanceof Error ? error.cause.message : undefined };
}
