import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, Default, paths } from '../openapi/types.ts';

/** The values of the API by name. */
export type Schemas = components['schemas'];

/** What an operation answers when it fails; `message` is for people, `id` for programs. */
export type Problem = Schemas['Problem'];

type Failing<R> = 'default' extends keyof R ? R : R & { default: { content: { 'application/json': Problem } } };

type MayBeAbsent<T> = [Extract<T, Default>] extends [never] ? false : true;

/** A request body as callers send it: without the members that have a default, if they like. */
type Sent<T> = T extends readonly (infer E)[]
  ? Sent<E>[]
  : T extends object
    ? { [K in keyof T as MayBeAbsent<T[K]> extends true ? never : K]: Sent<T[K]> } & {
        [K in keyof T as MayBeAbsent<T[K]> extends true ? K : never]?: Sent<Exclude<T[K], Default>>;
      }
    : T;

type Operation<O> = {
  [K in keyof O]: K extends 'responses' ? Failing<O[K]> : K extends 'requestBody' ? Sent<O[K]> : O[K];
};

/** The operations of the API by path and method; each may answer with a `Problem`. */
export type Api = { [Path in keyof paths]: { [Method in keyof paths[Path]]: Operation<paths[Path][Method]> } };

/** Calls operations: `client.GET('/livez')` gives `{ data }` or `{ error }`, with the `response`. */
export type CredenzaClient = Client<Api>;

/**
 * A client of one server. `baseUrl` is where it is; `headers` may have `authorization: Bearer …`, a browser sends its
 * cookies by itself.
 */
export const createClient = (options: ClientOptions & { baseUrl: string }): CredenzaClient =>
  createFetchClient<Api>(options);

/** How the connection of a stream is. */
export type StreamState = 'connecting' | 'live' | 'retrying';

/** One event: its number, from 1, and what the server says about it. */
export interface NumberedEvent<T> {
  sequence: number;
  value: T;
}

/** The answer of an operation that streams: `client.GET(…, { parseAs: 'stream' })` gives it. */
interface Connected {
  data?: ReadableStream<Uint8Array> | null;
  response: Response;
}

interface FollowOptions {
  /** Ends the stream. */
  signal?: AbortSignal;
  onState?: (state: StreamState) => void;
}

/** Milliseconds before the first attempt after a break, until the server says how many; doubled up to half a minute. */
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Follows an operation that streams events, over breaks and restarts of the server: none is missing and none comes twice.
 * `connect` calls the operation with the number of the last event as `Last-Event-ID`. Ends when the server refuses the
 * stream for good (4xx but 429), as it does when a session is no longer kept, and when `signal` is aborted.
 */
export async function* followEvents<T>(
  connect: (lastEventId: string) => Promise<Connected>,
  { signal, onState = () => undefined }: FollowOptions = {},
): AsyncGenerator<NumberedEvent<T>> {
  let last = '0';
  let retryMs = RETRY_MS;
  let waitMs = retryMs;
  onState('connecting');
  for (;;) {
    const connected = await connect(last).catch(() => undefined);
    if (connected && isRefused(connected.response)) return;
    if (connected?.response.ok && connected.data) {
      onState('live');
      const onRetry = (ms: number): void => {
        retryMs = ms;
      };
      for await (const { id = last, data } of messagesOf(connected.data, { onRetry, signal })) {
        last = id;
        waitMs = retryMs;
        yield { sequence: Number(id), value: JSON.parse(data) as T };
      }
    }
    if (signal?.aborted) return;
    onState('retrying');
    await pause(waitMs, signal);
    if (signal?.aborted) return;
    waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
  }
}

const isRefused = ({ status }: Response): boolean => status >= 400 && status < 500 && status !== 429;

/** The messages of a body until it ends, breaks or `signal` is aborted; leaving the loop ends the connection. */
async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  { onRetry, signal }: { onRetry: (ms: number) => void; signal?: AbortSignal },
): AsyncGenerator<EventSourceMessage> {
  const text = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>);
  const reader = text.pipeThrough(new EventSourceParserStream({ onRetry })).getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    // The connection broke.
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
