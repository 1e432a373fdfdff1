import type { Turns } from '../../ports/system.ts';

/** Spreads synchronous work over turns of the event loop, so that many pieces at once do not block it. */
export class EventLoopBudget {
  #used = 0;
  #turn: Promise<void> | undefined;

  /** `perTurn` pieces are done in one turn. */
  constructor(
    private readonly turns: Turns,
    private readonly perTurn: number,
  ) {}

  /** Resolves in the first turn with room for one more piece; nothing is to be waited for while this one has room. */
  next(): Promise<void> | undefined {
    if (this.#used >= this.perTurn) return this.#turn?.then(() => this.next());
    this.#used += 1;
    this.#turn ??= new Promise((begun) => {
      this.turns.next(() => {
        this.#used = 0;
        this.#turn = undefined;
        begun();
      });
    });
    return undefined;
  }
}
