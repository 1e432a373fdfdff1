import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The state of one open connection. */
interface Connection {
  /** Requests that are not completely answered. */
  pending: number;
  /** The last one: only its answer may end the connection (RFC 9112 §9.6). */
  newest?: { response: ServerResponse; isKept: boolean };
  /** Bytes read when nothing was pending; more of them mean that a request is arriving. */
  idleBytes: number;
}

/** How a server ends its connections. */
interface DrainOptions {
  /** How long new connections are still accepted, in milliseconds. */
  delayMs: number;
  /** How long after that requests may take to be answered before they are cut off, in milliseconds. */
  graceMs: number;
}

/** Requests that had arrived when the stop began are read within this time. */
const ARRIVAL_MS = 50;

/**
 * The open connections of a server, which may listen at several places: each is ended as soon as it is idle. `Server.close` would also cut answers that are
 * still being sent, and keep connections that never sent a request.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #endings = new Set<() => void>();
  #isStopping = false;
  #isDraining = false;

  constructor(private readonly servers: readonly Server[]) {
    for (const server of servers) {
      server.on('connection', (socket: Socket) => {
        this.#open.set(socket, { pending: 0, idleBytes: 0 });
        socket.once('close', () => this.#open.delete(socket));
      });
      server.on('request', ({ socket }, response) => this.#begin(socket, response));
    }
  }

  /** Whether every answer now ends its connection. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Calls `end` when answers that would go on for ever must end; returns what takes that back. */
  whenEnding(end: () => void): () => void {
    this.#endings.add(end);
    if (this.#isDraining) end();
    return () => void this.#endings.delete(end);
  }

  /** Resolves when no connection is left; after the grace time the remaining ones are cut. */
  async drain({ delayMs, graceMs }: DrainOptions): Promise<void> {
    this.#isStopping = true;
    for (const { newest } of this.#open.values()) if (newest) newest.response.shouldKeepAlive = false;
    if (graceMs > 0) await pause(Math.max(delayMs, ARRIVAL_MS));
    const closed = Promise.all(this.servers.map(closeListener));
    this.#isDraining = true;
    for (const end of this.#endings) end();
    for (const socket of this.#open.keys()) this.#endIfIdle(socket);
    const cut = setTimeout(() => this.#cut(), graceMs);
    await closed;
    clearTimeout(cut);
    // Only now, since it would cut answers: stops the timer that checks for slow requests.
    for (const server of this.servers) server.close();
  }

  #begin(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    if (connection.newest) connection.newest.response.shouldKeepAlive = connection.newest.isKept;
    connection.newest = { response, isKept: response.shouldKeepAlive };
    if (this.#isStopping) response.shouldKeepAlive = false;
    connection.pending += 1;
    response.once('close', () => {
      connection.pending -= 1;
      connection.idleBytes = socket.bytesRead;
      if (connection.newest?.response === response) connection.newest = undefined;
      if (this.#isDraining) this.#endIfIdle(socket);
    });
  }

  #endIfIdle(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection?.pending === 0 && socket.bytesRead === connection.idleBytes) socket.destroySoon();
  }

  #cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

/** Resolves when a server has no connection left; it takes no more from now on. */
const closeListener = (server: Server): Promise<void> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
