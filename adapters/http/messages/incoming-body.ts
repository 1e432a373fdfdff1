import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { RoomShare } from './body-room.ts';
import { GrowingBytes } from './growing-bytes.ts';

/**
 * The body of a request, received from its first byte on: in a stream that waits to be read, each part that the client sends
 * takes a buffer of its own. Its memory is given back when the answer is sent or the client has left.
 */
export class IncomingBody {
  readonly #received: GrowingBytes;
  #isCounted = true;
  #isOver = false;
  #failure: unknown;
  #noteChange = (): void => {};

  constructor(
    private readonly parts: {
      request: IncomingMessage;
      response: ServerResponse;
      share: RoomShare;
      /** How many bytes are kept at most. */
      most: number;
      /** What happens when there are more: the body is refused, or the client waits until some of it is taken. */
      beyond: 'refuse' | 'wait';
    },
  ) {
    const { request, response, share, most, beyond } = parts;
    const length = Number(request.headers['content-length'] ?? most);
    this.#received = new GrowingBytes(Math.min(length, most));
    if (beyond === 'refuse' && length > most) this.#end(tooLarge(most));
    request.on('data', (part: Buffer) => this.#receive(part));
    request.on('error', (error) => this.#end(error));
    request.once('end', () => this.#end());
    request.once('close', () => this.#breakOff());
    response.once('close', () => {
      this.#breakOff();
      share.giveBack();
    });
  }

  get request(): IncomingMessage {
    return this.parts.request;
  }

  /** Whether nothing more of it is read. */
  get isBroken(): boolean {
    return this.#failure !== undefined;
  }

  /** The whole body. @throws DomainError `BadRequest`, `PayloadTooLarge`, `TooManyRequests`, `Overloaded` */
  async whole(): Promise<Buffer> {
    while (!this.#isOver) await this.#change();
    if (this.isBroken) throw this.#failure;
    return this.#received.take();
  }

  /** What has arrived, each time that the one who reads takes it; from then on the room of all bodies is not used. @throws DomainError `BadRequest` */
  async *pieces(): AsyncGenerator<Buffer> {
    this.#isCounted = false;
    this.parts.share.giveBack();
    for (;;) {
      if (this.isBroken) throw this.#failure;
      const piece = this.#received.take();
      this.parts.request.resume();
      if (piece.length > 0) yield piece;
      else if (this.#isOver) return;
      else await this.#change();
    }
  }

  /** Receives and drops what is left: closing the connection at once could lose the answer. */
  stop(): void {
    this.#breakOff();
    this.parts.request.resume();
  }

  /** Ends a body that is not over yet; of those that are, which are most, no error is made. */
  #breakOff(): void {
    if (!this.#isOver) this.#end(new DomainError('BadRequest', 'The request broke off'));
  }

  #receive(part: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#keep(part);
    } catch (error) {
      this.#end(error);
    }
    this.#noteChange();
  }

  #keep(part: Buffer): void {
    const { request, share, most, beyond } = this.parts;
    const isFull = this.#received.length + part.length > most;
    if (isFull && beyond === 'refuse') throw tooLarge(most);
    if (this.#isCounted) share.grow(this.#received.sizeWith(part));
    this.#received.add(part);
    if (isFull) request.pause();
  }

  #end(failure?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    if (failure !== undefined) {
      this.#received.take();
      this.parts.share.giveBack();
    }
    this.#noteChange();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#noteChange = resolve;
    });
  }
}

/** Says that a body, or a line of it, has more bytes than are read. */
export const tooLarge = (most: number): DomainError =>
  new DomainError('PayloadTooLarge', `The body may have at most ${most} bytes`);
