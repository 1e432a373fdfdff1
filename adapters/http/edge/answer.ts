import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../messages/document.ts';
import { EventStream, STREAM_HEADERS, type StreamParts } from '../messages/event-stream.ts';
import { streamOfLines } from '../messages/lines.ts';
import type { AnyHandler } from '../messages/operations.ts';
import type { Context } from './context.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The first documented content type of an operation's answers, by status. */
export const answerTypes = ({ responses }: Operation): Partial<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.keys(content)
        .slice(0, 1)
        .map((type) => [status, withCharset(type)]),
    ),
  );

/** What writing an answer needs. */
interface AnswerParts {
  types: ReturnType<typeof answerTypes>;
  streams: StreamParts;
}

/** Writes the answer of a handler. Bytes are sent unchanged, and so is a text, unless its type is JSON. */
export async function writeAnswer(
  ctx: Context,
  { types, streams }: AnswerParts,
  { status, headers, body, events, lines }: Awaited<ReturnType<AnyHandler>>,
): Promise<void> {
  const list = Array.isArray(body) && body.length > WRITTEN_AT_ONCE ? await bytesOfList(body) : undefined;
  const stream = (events && new EventStream(events, streams)) ?? (lines && streamOfLines(lines));
  if (stream) {
    ctx.status = status;
    ctx.set({ 'content-type': types[status] ?? 'text/event-stream', ...STREAM_HEADERS, ...headers });
    ctx.body = stream;
    return;
  }
  if (body === undefined) {
    ctx.body = null;
    if (headers) ctx.set(headers);
    // Last, since Koa answers an empty body with 204 unless the status is set after it.
    ctx.status = status;
    return;
  }
  const type = types[status] ?? (typeof body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE);
  // Before the body, since Koa would derive both from it.
  ctx.status = status;
  ctx.set('content-type', type);
  if (headers) ctx.set(headers);
  if (body instanceof Uint8Array) ctx.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  else ctx.body = typeof body === 'string' && type !== JSON_TYPE ? body : (list ?? JSON.stringify(body));
}

const withCharset = (type: string): string =>
  type === 'application/json' || /^text\/[^;]+$/.test(type) ? `${type}; charset=utf-8` : type;

/** How many elements of a list are written in one turn of the event loop. */
const WRITTEN_AT_ONCE = 100;

/** A list as JSON; in bytes, since encoding a text of tens of megabytes takes as long as writing it. */
async function bytesOfList(elements: readonly unknown[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0; from < elements.length; from += WRITTEN_AT_ONCE) {
    const part = JSON.stringify(elements.slice(from, from + WRITTEN_AT_ONCE)).slice(1, -1);
    parts.push(Buffer.from(`${from === 0 ? '[' : ','}${part}`));
    await setImmediate();
  }
  return Buffer.concat([...parts, Buffer.from(']')]);
}
