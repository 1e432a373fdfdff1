import { connect, type Socket } from 'node:net';
import type { Slice } from './harness.ts';
import type { Server } from './servers.ts';

/** A request. */
export interface Sent {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: string;
}

/** An answer. */
export interface Received {
  status: number;
  /** Its status line and headers. */
  head: string;
  body: string;
  /** Whether the server closes the connection. */
  closes: boolean;
}

/** Returns the bytes of a request. */
export function encode({ method, target, headers = {}, body }: Sent): Buffer {
  const length: Record<string, string> =
    body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from(`${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/**
 * One kept-alive connection with one request at a time; much cheaper than an HTTP client, so that the server is the limit.
 * One that the server closed while it was idle is opened anew.
 */
export class Connection {
  readonly #port: number;
  #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve: (answer: Received) => void; reject: (error: Error) => void } | undefined;

  constructor(port: number) {
    this.#port = port;
    this.#socket = this.#open();
  }

  send(request: Buffer): Promise<Received> {
    if (this.#socket.destroyed) this.#socket = this.#open();
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('The server closed the connection')));
    return socket;
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const body = this.#received.toString('utf8', end + 4, end + 4 + length);
    const settle = this.#settle;
    this.#received = Buffer.alloc(0);
    this.#settle = undefined;
    settle?.resolve({ status: Number(head.slice(9, 12)), head, body, closes: /\r\nconnection: close/i.test(head) });
  }
}

const IN_FLIGHT = 32;

/** A server under load; `cpuSeconds` may also be seconds on the clock. */
export type Target = Pick<Server, 'port' | 'cpuSeconds'>;

/** A slice of the same work on each of 32 connections for `ms` milliseconds; its rate is per second of `cpuSeconds`. */
export function loadOf({ port, cpuSeconds }: Target, work: (connection: Connection) => Promise<void>, ms = 200): Slice {
  const connections = Array.from({ length: IN_FLIGHT }, () => new Connection(port));
  return async () => {
    const usedBefore = await cpuSeconds();
    const started = performance.now();
    let done = 0;
    const drive = async (connection: Connection): Promise<void> => {
      for (; performance.now() - started < ms; done += 1) await work(connection);
    };
    await Promise.all(connections.map(drive));
    return done / ((await cpuSeconds()) - usedBefore);
  };
}

/** A slice of requests, 32 in flight. @throws Error when an answer is no success */
export const load = (target: Target, next: () => Buffer, ms?: number): Slice =>
  loadOf(target, async (connection) => void (await expectOk(connection.send(next()))), ms);

/** Returns the body of an answer. @throws Error when its status is no success */
export async function expectOk(answer: Promise<Received>): Promise<string> {
  const { status, body } = await answer;
  if (status < 200 || status > 299) throw new Error(`The server answered ${status}: ${body.slice(0, 200)}`);
  return body;
}
