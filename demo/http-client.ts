/** One request of the demo. At most one of `json`, `form` and `text` is the body. */
export interface HttpRequest {
  /** The expected statuses; 200 alone by default. */
  expect?: readonly number[];
  /** GET without a body, else POST by default. */
  method?: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  text?: string;
  /** Bearer token. */
  token?: string;
}

/** An answer; a JSON body is parsed. */
export interface HttpAnswer {
  status: number;
  body: unknown;
}

const TIMEOUT_MS = 15_000;

/** Sends a request. @throws Error with the answer when its status is not an expected one */
export async function ask(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  const { expect = [200] } = request;
  const answer = await send(url, request);
  if (!expect.includes(answer.status)) throw unexpected(url, answer, expect);
  return answer;
}

/** Sends a request and returns any answer. */
export async function send(url: string, request: HttpRequest): Promise<HttpAnswer> {
  const { token } = request;
  const { body, type } = bodyOf(request);
  const headers = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...request.headers,
  };
  const { method = body === undefined ? 'GET' : 'POST' } = request;
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** An error that names what was asked, and its answer. */
export function unexpected(asked: string, { status, body }: HttpAnswer, expect: readonly number[]): Error {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Error(`${asked} answered ${status}, not ${expect.join(' or ')}: ${text.slice(0, 2000)}`);
}

/** Reads server-sent events until one satisfies a condition. @throws Error when the stream ends before */
export async function eventsUntil(url: string, isLast: (event: unknown) => boolean): Promise<unknown[]> {
  const events: unknown[] = [];
  const { body } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data === undefined) continue;
      events.push(JSON.parse(data));
      if (isLast(events.at(-1))) return events;
    }
  }
  throw new Error(`The events at ${url} ended early`);
}

function bodyOf({ json, form, text }: HttpRequest): { body?: string; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form !== undefined)
    return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  return text === undefined ? {} : { body: text, type: 'text/plain' };
}

/** Returns the member of an answer at a path. @throws Error when it is absent */
export function member(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((at, name) => {
    const next = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[name] : undefined;
    if (next === undefined)
      throw new Error(`The answer has no ${path.join('.')}: ${JSON.stringify(value)?.slice(0, 500)}`);
    return next;
  }, value);
}

/** Returns the text of an answer at a path. @throws Error when it is absent, empty or not text */
export function textOf(value: unknown, ...path: (string | number)[]): string {
  const found = path.length === 0 ? value : member(value, ...path);
  if (typeof found !== 'string' || found === '') throw new Error(`${path.join('.') || 'The answer'} is not text`);
  return found;
}
