import { DomainError } from '../../../domain/foundation/errors.ts';

/** The most memory for the bodies that a process reads or works on at the same time, in bytes. */
export const BODY_ROOM = 64 * 1024 * 1024;
/** The part of it that one client address may take. */
export const BODY_ROOM_OF_SOURCE = BODY_ROOM / 4;
/** When a caller that was refused may come again, in seconds. */
const RETRY_SECONDS = 1;

/**
 * The memory for the bodies of requests, together and of each client address. Apart from `Shares`, which counts callers of
 * whom the login and the organization are known: a body takes bytes that grow, before its caller is known.
 */
export class BodyRoom {
  readonly #sources = new Map<string, number>();
  #taken = 0;

  /** A share of a source that has nothing yet. */
  shareOf(source: string): RoomShare {
    let own = 0;
    const add = (bytes: number): void => {
      own += bytes;
      this.#add(source, bytes);
    };
    return {
      grow: (size) => {
        if (size > own) this.#check(source, size - own);
        add(size - own);
      },
      giveBack: () => add(-own),
    };
  }

  #check(source: string, bytes: number): void {
    const retry = { retryAfterSeconds: RETRY_SECONDS };
    if ((this.#sources.get(source) ?? 0) + bytes > BODY_ROOM_OF_SOURCE)
      throw new DomainError('TooManyRequests', 'Too large bodies of this address are being read at once', retry);
    if (this.#taken + bytes > BODY_ROOM)
      throw new DomainError('Overloaded', 'Too large bodies are being read at once', retry);
  }

  #add(source: string, bytes: number): void {
    const ofSource = (this.#sources.get(source) ?? 0) + bytes;
    if (ofSource > 0) this.#sources.set(source, ofSource);
    else this.#sources.delete(source);
    this.#taken += bytes;
  }
}

/** The memory for one body. */
export interface RoomShare {
  /** Takes as much as makes it this large, in bytes. @throws DomainError `TooManyRequests`, `Overloaded` */
  grow(size: number): void;
  giveBack(): void;
}
