import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import { Histogram, Registry } from 'prom-client';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const histogram = new Histogram({
  name: 'request_seconds',
  help: 'Requests by operation and status, with their duration',
  labelNames: ['operation', 'status'],
  buckets: BUCKETS,
  registers: [new Registry()],
});

/** Request id, metrics and error answers as one writes them by hand for Koa. */
export async function account(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  const started = performance.now();
  const wanted = ctx.get('x-request-id');
  const requestId = /^[A-Za-z0-9._-]{1,64}$/.test(wanted) ? wanted : randomUUID();
  ctx.set('x-request-id', requestId);
  ctx.set('x-content-type-options', 'nosniff');
  try {
    await next();
  } catch (error) {
    const { status = 500, message = '' } = error as { status?: number; message?: string };
    ctx.status = status;
    ctx.body = { code: status, message: status < 500 ? message : 'Something went wrong', requestId };
  }
  histogram.observe(
    { operation: ctx.state.operation ?? 'none', status: ctx.status },
    (performance.now() - started) / 1000,
  );
}
