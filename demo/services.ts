import { walk } from '../adapters/http/messages/document.ts';
import { ask, type HttpAnswer, type HttpRequest, send, unexpected } from './http-client.ts';

/** One call of an operation, without its method. */
export interface Call extends Omit<HttpRequest, 'expect' | 'method'> {
  /** The parameters of its path. */
  path?: Record<string, string>;
  /** A list repeats its parameter. */
  query?: Record<string, string | string[]>;
}

/** What offers the operations of the documents: a running server, wherever it is. */
export interface Services<A extends HttpAnswer = HttpAnswer, C extends Call = Call> {
  readonly url: string;
  call(operationId: string, call?: C): Promise<A>;
}

/** A server over HTTP; its operations are those of the document that it publishes. */
export class HttpServices implements Services {
  readonly url: string;
  readonly #operations: ReadonlyMap<string, { method: string; path: string }>;

  private constructor(url: string, document: Record<string, unknown>) {
    this.url = url;
    const operations = [...walk(document)];
    this.#operations = new Map(
      operations.map(({ operation, method, path }) => [
        String(operation.operationId),
        { method: method.toUpperCase(), path },
      ]),
    );
  }

  static async at(url: string): Promise<HttpServices> {
    return new HttpServices(url, Object((await ask(`${url}/api.json`)).body));
  }

  async call(operationId: string, { path, query, ...request }: Call = {}): Promise<HttpAnswer> {
    const operation = this.#operations.get(operationId);
    if (!operation) throw new Error(`${this.url} publishes no operation ${operationId}`);
    return send(`${this.url}${placeOf(operation, { path, query })}`, { ...request, method: operation.method });
  }
}

/** The path of an operation with its parameters, and its query. */
export function placeOf(operation: { path: string }, { path = {}, query }: Pick<Call, 'path' | 'query'>): string {
  const place = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''));
  if (!query) return place;
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return `${place}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

/** What is called: the services, or the wallet of a user. */
export interface Caller<A extends HttpAnswer = HttpAnswer> {
  call(operationId: string, call?: Call): Promise<A>;
}

/** Calls an operation and returns the body of its answer. @throws Error with the answer when its status is not `expect`, 200 by default */
export async function perform<A extends HttpAnswer>(
  caller: Caller<A>,
  operationId: string,
  { expect = 200, ...call }: Call & { expect?: number } = {},
): Promise<A['body']> {
  const answer = await caller.call(operationId, call);
  if (answer.status !== expect) throw unexpected(operationId, answer, [expect]);
  return answer.body;
}
