import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What a fake does wrong at one call. */
export type Fault =
  /** The service's own answer to too many requests. */
  | { kind: 'throttle' }
  /** The service's own internal error. */
  | { kind: 'fail' }
  /** The right answer, so many milliseconds late. */
  | { kind: 'delay'; ms: number }
  /** No answer at all. */
  | { kind: 'hang' }
  /** The connection breaks, before or after the operation took place. */
  | { kind: 'cut'; after?: boolean }
  /** An answer with status 200 that is not what the operation returns. */
  | { kind: 'nonsense'; body?: string }
  /** An answer that the test writes. */
  | { kind: 'refuse'; status: number; body: string };

/** A call that a fake received. */
export interface FakeCall {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** An answer of a fake. */
export interface FakeReply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** What one cloud does with a call, and how it says that it cannot. */
export interface FakeBehaviour {
  answer(call: FakeCall): Promise<FakeReply> | FakeReply;
  throttled(): FakeReply;
  failed(): FakeReply;
}

/** A fake of a cloud's service: a real HTTP server on loopback, whose calls are counted and can go wrong. */
export class FakeServer {
  readonly #server: Server;
  readonly #faults = new Map<number, Fault>();
  #always: Fault | undefined;
  /** All calls since the last `reset`, oldest first. */
  readonly calls: FakeCall[] = [];
  /** The most calls that were answered at the same time since the last `reset`. */
  mostAtOnce = 0;
  #running = 0;

  private constructor(private readonly behaviour: FakeBehaviour) {
    this.#server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    );
  }

  static async start(behaviour: FakeBehaviour): Promise<FakeServer> {
    const fake = new FakeServer(behaviour);
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  /** The origin, such as http://127.0.0.1:40000. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Plans a fault for the n-th call from now, the next being 1. */
  fault(n: number, fault: Fault): void {
    this.#faults.set(this.calls.length + n, fault);
  }

  /** Does the same wrong thing at every call without a fault of its own. */
  always(fault: Fault | undefined): void {
    this.#always = fault;
  }

  /** Forgets calls and faults. */
  reset(): void {
    this.calls.length = 0;
    this.#faults.clear();
    this.#always = undefined;
    this.mostAtOnce = 0;
  }

  /** Breaks all connections, those of calls that hang too. */
  cutOff(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call: FakeCall = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    this.calls.push(call);
    this.#running += 1;
    response.once('close', () => {
      this.#running -= 1;
    });
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#running);
    const fault = this.#faults.get(this.calls.length) ?? this.#always;
    const reply = await this.#replyTo(call, fault);
    if (!reply) return;
    if (reply === 'cut') return void response.destroy();
    response.writeHead(reply.status, { 'content-length': Buffer.byteLength(reply.body ?? ''), ...reply.headers });
    response.end(reply.body);
  }

  /** Undefined for no answer. */
  async #replyTo(call: FakeCall, fault: Fault | undefined): Promise<FakeReply | 'cut' | undefined> {
    if (fault?.kind === 'throttle') return this.behaviour.throttled();
    if (fault?.kind === 'fail') return this.behaviour.failed();
    if (fault?.kind === 'nonsense') return { status: 200, body: fault.body ?? '{"this": "is no answer"' };
    if (fault?.kind === 'refuse') return fault;
    if (fault?.kind === 'hang') return undefined;
    if (fault?.kind === 'cut' && !fault.after) return 'cut';
    if (fault?.kind === 'delay') await pause(fault.ms);
    const reply = await this.behaviour.answer(call);
    return fault?.kind === 'cut' ? 'cut' : reply;
  }
}
