import { setImmediate as nextTurn } from 'node:timers/promises';

/** Signatures that are checked in one turn of the event loop: less than a millisecond. */
const PER_TURN = 4;

/** Spreads work that is done on the spot over turns of the event loop, so that many pieces at once hold up nothing else. */
export class SharedTurns {
  #used = 0;
  #turn: Promise<void> | undefined;

  /** Resolves when this turn, or a later one, has room for one more piece. */
  async next(): Promise<void> {
    while (this.#used >= PER_TURN) await this.#turn;
    this.#used += 1;
    this.#turn ??= nextTurn().then(() => {
      this.#used = 0;
      this.#turn = undefined;
    });
  }
}
