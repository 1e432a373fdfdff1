import { randomUUID } from 'node:crypto';
import type { Middleware } from './context.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives the request the caller's own id, or a new one. */
export const identifyRequest: Middleware = (ctx, next) => {
  const wanted = ctx.get('x-request-id');
  const requestId = REQUEST_ID.test(wanted) ? wanted : randomUUID();
  ctx.state.requestId = requestId;
  ctx.set('x-request-id', requestId);
  ctx.set('x-content-type-options', 'nosniff');
  return next();
};
