import { checkAnswer, operationOf } from '../support/documents/contract.ts';
import { noteExchange } from '../support/documents/exchanges.ts';
import { until } from '../support/runs/waiting.ts';
import type { TestServer } from '../support/servers/server.ts';

/** The operations that stream the events of sessions. */
type Streaming =
  | 'streamIssuanceSessionEvents'
  | 'streamVerificationSessionEvents'
  | 'tenantStreamIssuanceSessionEvents'
  | 'tenantStreamVerificationSessionEvents'
  | 'followSignIn'
  | 'tenantFollowSignIn';

/** How a page follows a session. */
export interface ListenerOptions {
  headers?: Record<string, string>;
  query?: string;
  operation?: Streaming;
  /** Of a tenant's service. */
  target?: string;
}

/** A page that follows a session, as a browser's EventSource reads it. */
export class EventListener {
  readonly headers: Headers;
  text = '';
  isEnded = false;
  readonly #controller: AbortController;

  private constructor({ headers, body }: Response, controller: AbortController) {
    this.headers = headers;
    this.#controller = controller;
    void this.#read(body as ReadableStream<Uint8Array>);
  }

  /** Connects; the first bytes have been received. @throws Error when the answer is no stream */
  static async open(
    server: TestServer,
    session: string,
    { headers = {}, query = '', operation: id = 'streamIssuanceSessionEvents', target = '' }: ListenerOptions = {},
  ): Promise<EventListener> {
    const controller = new AbortController();
    const { signal } = controller;
    const operation = await operationOf(id);
    const path = operation.path.replace(/\{(sessionId|signIn)\}/, session).replace('{target}', target);
    const answer = await fetch(`${server.url}${path}${query}`, { headers, signal });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    const listener = new EventListener(answer, controller);
    await until(() => listener.text !== '');
    const seen = { status: 200, type: 'text/event-stream', body: listener.text };
    checkAnswer(operation, seen);
    noteExchange(operation, undefined, seen);
    return listener;
  }

  /** The ids of the events so far. */
  get ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  }

  /** The data of the events so far. */
  get events(): Record<string, unknown>[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  }

  get comments(): number {
    return [...this.text.matchAll(/^:/gm)].length;
  }

  leave(): void {
    this.#controller.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) this.text += decoder.decode(chunk, { stream: true });
    } catch {
      // The page has left, or the connection was cut.
    }
    this.isEnded = true;
  }
}
