import type { Context } from './context.ts';
import type { Operation } from './document.ts';
import type { AnyHandler } from './operations.ts';

/** Writes the answer of a handler. Bytes are sent unchanged, and so is a text, unless its type is JSON. */
export function writeAnswer(
  ctx: Context,
  { responses }: Operation,
  { status, headers, body }: Awaited<ReturnType<AnyHandler>>,
): void {
  if (body === undefined) ctx.body = null;
  else {
    const [documented] = Object.keys(responses[status]?.content ?? {});
    const type = documented ?? (typeof body === 'string' ? 'text/plain' : 'application/json');
    ctx.set('content-type', withCharset(type));
    if (body instanceof Uint8Array) ctx.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    else ctx.body = typeof body === 'string' && type !== 'application/json' ? body : JSON.stringify(body);
  }
  if (headers) ctx.set(headers);
  // Last, since Koa answers an empty body with 204 unless the status is set after it.
  ctx.status = status;
}

const withCharset = (type: string): string =>
  type === 'application/json' || /^text\/[^;]+$/.test(type) ? `${type}; charset=utf-8` : type;
