import { setImmediate as nextTurn } from 'node:timers/promises';

/** Signatures that are verified in one turn of the event loop: less than a millisecond. */
const PER_TURN = 4;

/** Spreads synchronous work over turns of the event loop, so that many pieces at once do not block it. */
export class SharedTurns {
  #used = 0;
  #turn: Promise<void> | undefined;

  /** Resolves in the first turn with room for one more piece. */
  async next(): Promise<void> {
    while (this.#used >= PER_TURN) await this.#turn;
    this.#used += 1;
    this.#turn ??= nextTurn().then(() => {
      this.#used = 0;
      this.#turn = undefined;
    });
  }
}
