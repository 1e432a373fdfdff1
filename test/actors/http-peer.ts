import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a peer sees it. */
export interface PeerRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The answer of a peer; bytes and texts are sent as they are, anything else as JSON. */
export interface PeerReply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Answers one path; without an answer the caller's request times out. */
export type PeerRoute = (request: PeerRequest) => PeerReply | undefined | Promise<PeerReply | undefined>;

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A third party's server on loopback. */
export class HttpPeer {
  readonly routes: Record<string, PeerRoute> = {};
  /** Answers the paths that have no route. */
  other: PeerRoute = () => ({ status: 404 });
  readonly seen: PeerRequest[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<this> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(this)));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** A route whose first request is known (`asked`) and whose answers wait for `answer`. */
  hold(path: string): { asked: Promise<void>; answer: () => void } {
    const [asked, answered] = [gate(), gate()];
    this.routes[path] = async () => {
      asked.open();
      await answered.opened;
      return { body: '{}' };
    };
    return { asked: asked.opened, answer: answered.open };
  }

  /** The number of requests for a path. */
  count(path: string): number {
    return this.seen.filter(({ url }) => url.pathname === path).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? '/', this.url);
    const { method = 'GET', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    this.seen.push(seen);
    const route = Object.hasOwn(this.routes, url.pathname) ? this.routes[url.pathname] : undefined;
    const reply = await (route ?? this.other)(seen);
    if (!reply) return;
    const { body = {} } = reply;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const text = isRaw ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : isRaw ? 'application/octet-stream' : 'application/json';
    response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers }).end(text);
  }
}

/** An event that a callback received. */
export interface CallbackEvent {
  path: string;
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** A third party's callback: records the events, answers as configured and can be unreachable. */
export interface TestCallback {
  url: string;
  events: CallbackEvent[];
  answer: { status: number; body: string };
  /** Requests of any kind so far. */
  requests: number;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startCallback(): Promise<TestCallback> {
  const answer = { status: 200, body: '' };
  const events: CallbackEvent[] = [];
  let server: Server = createServer();
  const callback: TestCallback = {
    url: '',
    events,
    answer,
    requests: 0,
    goAway: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    comeBack: () => listen(Number(new URL(callback.url).port)),
  };
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        callback.requests += 1;
        const text = Buffer.concat(chunks).toString();
        if (request.method === 'POST') events.push({ path: request.url ?? '', ...JSON.parse(text) });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      }).listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  callback.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return callback;
}
