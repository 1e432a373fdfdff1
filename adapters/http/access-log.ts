import type { Log } from '../../ports/log.ts';
import type { ClientAddresses } from './client-addresses.ts';
import type { Middleware } from './context.ts';

/** What an answered request is counted by. */
export interface RequestMetrics {
  request(operationId: string, status: number, seconds: number): void;
}

interface AccessLogParts {
  sources: ClientAddresses;
  log: Log;
  metrics: RequestMetrics;
}

/** Writes one log line and one count for each request. */
export const logAccess =
  ({ sources, log, metrics }: AccessLogParts): Middleware =>
  async (ctx, next) => {
    const started = performance.now();
    const source = sources.of(ctx.req);
    ctx.state.source = source;
    await next();
    const seconds = (performance.now() - started) / 1000;
    const { status, method, state } = ctx;
    const operation = state.operation?.operationId ?? 'none';
    metrics.request(operation, status, seconds);
    const ms = Math.round(seconds * 1e5) / 100;
    log.info('request', { requestId: state.requestId, operation, method, status, ms, source });
  };
