import { isDomainError, reasonOf } from '../../domain/foundation/errors.ts';
import type { System } from './system.ts';

/** Work that is repeated beside the requests until the server stops. */
export class Background {
  readonly #running = new Set<Promise<void>>();
  readonly #stops: (() => void)[] = [];

  constructor(private readonly system: Pick<System, 'timers' | 'log'>) {}

  /** Repeats the work every `ms` milliseconds, never two at a time. A failure is logged; a store that is down is not. */
  every(ms: number, name: string, work: () => Promise<void>): void {
    let isRunning = false;
    const start = (): void => {
      if (isRunning) return;
      isRunning = true;
      this.once(name, () =>
        work().finally(() => {
          isRunning = false;
        }),
      );
    };
    this.#stops.push(this.system.timers.every(ms, start));
  }

  /** Starts the work now, beside what its caller does. A failure is logged; a store that is down is not. */
  once(name: string, work: () => Promise<void>): void {
    const running = this.#run(name, work).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Starts nothing more and waits for what is running. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await Promise.all(this.#running);
  }

  async #run(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isDomainError(error, 'StoreUnavailable'))
        this.system.log.warn('background work failed', { work: name, reason: reasonOf(error) });
    }
  }
}
