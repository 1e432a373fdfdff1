import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fromUtf8 } from '../../../domain/foundation/bytes.ts';
import { mapArriving } from '../../../domain/foundation/concurrency.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { MAX_BODY_BYTES, type OperationWithBody, readJson } from './body.ts';
import type { Connections } from './connections.ts';
import type { Operation } from './document.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { type IncomingBody, tooLarge } from './incoming-body.ts';
import type { LineAnswer, RequestLines } from './operations.ts';
import type { Problem } from './problems.ts';

/** The media type of a body of many values: JSON, one value a line. */
export const LINES_TYPE = 'application/x-ndjson';

/** The most lines of one body; blank ones are not counted. */
export const MAX_LINES = 10_000;
/** How many lines of one body are worked on at the same time. */
export const LINES_AT_ONCE = 16;
/** How much of a body is received while as much is being divided into lines, in bytes. */
export const AHEAD_BYTES = 4 * 1024 * 1024;
/** How much of the answers is kept for a client that does not read them, in bytes. */
const ANSWERS_BYTES = 1024 * 1024;

/** Whether the body of an operation is read line by line. */
export const hasLines = ({ requestBody }: Operation): boolean => LINES_TYPE in (requestBody?.content ?? {});

/** An operation whose body is one line of this one; the parameters are of the whole request, which was checked. */
export function ofOneLine(operation: OperationWithBody): Operation {
  const { schema } = operation.requestBody.content[LINES_TYPE] as { schema: { items: object } };
  const operationId = `a line of ${operation.operationId}`;
  const requestBody = { required: true, content: { 'application/json': { schema: schema.items } } };
  const ofLine = { operationId, requestBody, parameters: [] };
  return { ...operation, ...ofLine, resolved: { ...operation.resolved, ...ofLine } };
}

/**
 * The lines of a request. When the client leaves, or the server stops, no further line is begun; those that were begun are
 * finished.
 */
export class BodyLines<T> implements RequestLines<T> {
  /** @throws DomainError `BadRequest` when the client has left */
  constructor(
    private readonly parts: {
      incoming: IncomingBody;
      response: ServerResponse;
      connections: Pick<Connections, 'whenEnding'>;
      /** Does the work of a line as that of a request of its own. @throws DomainError `TooManyRequests` */
      admit<T>(work: () => Promise<T>): Promise<T>;
      /** @throws DomainError `BadRequest` for a value that the document refuses */
      check(body: unknown): void;
      /** The answer to an error. */
      problem(error: unknown): Problem;
    },
  ) {
    if (parts.response.destroyed) throw new DomainError('BadRequest', 'The request broke off');
  }

  async *answered<R extends { status: number }>(work: (body: T) => Promise<R>) {
    const { incoming, connections } = this.parts;
    const stop = connections.whenEnding(() => incoming.stop());
    try {
      yield* mapArriving(linesOf(incoming), LINES_AT_ONCE, (line) => this.#answer(line, work));
    } finally {
      stop();
      incoming.stop();
    }
  }

  async #answer<R extends { status: number }>({ number: line, content }: Line, work: (body: T) => Promise<R>) {
    const { admit, problem } = this.parts;
    try {
      return { line, ...(await admit(async () => work(this.#read(content)))) };
    } catch (error) {
      const { status, headers, body } = problem(error);
      const wait = headers['retry-after'];
      const shown = body as unknown as LineAnswer['error'];
      return { line, status, error: shown, ...(wait !== undefined && { retryAfterSeconds: Number(wait) }) };
    }
  }

  #read(content: Line['content']): T {
    if (content instanceof DomainError) throw content;
    const body = readJson(fromUtf8(content));
    this.parts.check(body);
    return body as T;
  }
}

/** The answer of an operation as it is sent: one line for each answer, none read ahead of the client. */
export const streamOfLines = (answers: AsyncIterable<unknown>): Readable =>
  Readable.from(textOf(answers), { objectMode: false, highWaterMark: ANSWERS_BYTES });

async function* textOf(answers: AsyncIterable<unknown>): AsyncGenerator<string> {
  let count = 0;
  for await (const answer of answers) {
    yield `${JSON.stringify(answer)}\n`;
    count += 1;
    // Lines without any wait would keep all other requests waiting.
    if (count % LINES_AT_ONCE === 0) await setImmediate();
  }
}

/** One line: its bytes, or why it is not read. */
interface Line {
  number: number;
  content: Buffer | DomainError;
}

/** The lines of a body that are not blank. What follows the last line end is one too, unless the body broke off. */
async function* linesOf(body: IncomingBody): AsyncGenerator<Line> {
  const line = new LineBuffer();
  let count = 0;
  let number = 0;
  const next = (): Line[] => {
    number += 1;
    const content = line.take();
    if (content === undefined) return [];
    count += 1;
    return [{ number, content: count > MAX_LINES ? tooManyLines() : content }];
  };
  try {
    for await (const chunk of slicesOf(body.pieces())) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
        line.add(chunk.subarray(start, end));
        start = end + 1;
        yield* next();
        if (count > MAX_LINES || body.isBroken) return;
      }
      line.add(chunk.subarray(start));
    }
  } catch {
    // The client has left, or the server stops.
    return;
  }
  yield* next();
}

/** The pieces of a body in slices, each in a turn of the event loop of its own: blank lines leave nothing to wait for. */
async function* slicesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces)
    for (let start = 0; start < piece.length; start += SLICE_BYTES) {
      yield piece.subarray(start, start + SLICE_BYTES);
      await setImmediate();
    }
}

/** How much of a body is divided into lines at once, in bytes. */
const SLICE_BYTES = 16 * 1024;
const LINE_END = 0x0a;

/** What of a line has arrived; one that is too long is dropped. */
class LineBuffer {
  readonly #bytes = new GrowingBytes(MAX_BODY_BYTES);
  #isTooLong = false;

  add(part: Buffer): void {
    this.#isTooLong ||= this.#bytes.length + part.length > MAX_BODY_BYTES;
    if (this.#isTooLong) this.#bytes.take();
    else this.#bytes.add(part);
  }

  /** The line, and begins the next one; undefined for a blank one. */
  take(): Line['content'] | undefined {
    const bytes = this.#bytes.take();
    const content = this.#isTooLong ? tooLarge(MAX_BODY_BYTES) : bytes;
    this.#isTooLong = false;
    return content instanceof DomainError || content.some((byte) => !BLANKS.has(byte)) ? content : undefined;
  }
}

/** Space, tab and carriage return. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

const tooManyLines = (): DomainError =>
  new DomainError(
    'PayloadTooLarge',
    `A body has at most ${MAX_LINES} lines: this one and those after it were not read`,
  );
