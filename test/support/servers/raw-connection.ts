import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '../runs/waiting.ts';

/** A TCP connection on which a test controls every byte of HTTP. */
export class RawConnection {
  readonly socket: Socket;
  /** What was received so far. */
  text = '';
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (chunk) => {
      this.text += chunk;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.isClosed = true;
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends a GET with keep-alive. */
  get(path: string): void {
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  }

  /** Resolves when this many answers have begun. */
  answers(count = 1): Promise<void> {
    return until(() => this.text.split('HTTP/1.1 ').length > count);
  }

  /** Resolves with everything that was received when the connection is closed. */
  async ended(ms?: number): Promise<string> {
    await until(() => this.isClosed, ms);
    return this.text;
  }
}

/** A request whose body is only half sent until it is finished. */
export class HalfRequest {
  readonly connection: RawConnection;
  readonly #rest: string;

  private constructor(connection: RawConnection, rest: string) {
    this.connection = connection;
    this.#rest = rest;
  }

  /** Resolves when the server has begun to read it. */
  static async send(url: string): Promise<HalfRequest> {
    const connection = await RawConnection.open(url);
    const head = 'POST /onboard/issuer HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    connection.socket.write(`${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`);
    await connection.answers();
    connection.text = '';
    connection.socket.write('{');
    return new HalfRequest(connection, '}');
  }

  /** Sends the rest; resolves with the whole answer when the server has closed the connection. */
  finish(): Promise<string> {
    this.connection.socket.write(this.#rest);
    return this.connection.ended(5000);
  }
}
