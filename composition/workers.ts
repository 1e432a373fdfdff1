import cluster, { type Worker } from 'node:cluster';
import { answerWorkers } from '../adapters/metrics/workers.ts';
import type { Log } from '../ports/log.ts';

/** What a worker says of its start. */
type Message = { type: typeof READY; port: number } | { type: typeof FAILED; reason: string };

const READY = 'credenza:ready';
const FAILED = 'credenza:failed';

/** Pauses before a worker is replaced, in milliseconds: they double from the first to the last. */
const PAUSE = { first: 100, last: 30_000 };
/** A worker that was ready for so long is replaced after the first pause again, in milliseconds. */
const STABLE_MS = 60_000;

/** In a worker: requests are served on `port`. */
export const sayReady = (port: number): void => void process.send?.({ type: READY, port } satisfies Message);

/** In a worker: it cannot start. Resolves when that is said. */
export const sayFailed = (reason: string): Promise<void> =>
  new Promise((resolve) => {
    const message: Message = { type: FAILED, reason };
    process.send?.(message, undefined, undefined, () => resolve());
  });

/** How one worker begins: `attempt` counts the replacements since the last stable one. */
interface Beginning {
  attempt: number;
  isReplacement: boolean;
}

/** How one worker ended. */
interface End {
  pid: number | undefined;
  code: number | null;
  signal: string | null;
  reason?: string;
}

/** Runs this same command in `count` processes that share one port, and replaces those that end. */
export class Workers {
  readonly #log: Log;
  readonly #living = new Set<Worker>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  readonly #starting: Promise<number>[];
  readonly #count: { restarted(): void };
  #isStopping = false;

  constructor({ count, log }: { count: number; log: Log }) {
    this.#log = log;
    this.#count = answerWorkers();
    this.#starting = Array.from({ length: count }, () => this.#fork({ attempt: 0, isReplacement: false }));
  }

  /** Resolves with their port when all serve requests. @throws Error with the reason of the first that cannot start */
  async ready(): Promise<number> {
    const [port = 0] = await Promise.all(this.#starting);
    return port;
  }

  /** Lets all finish what is under way and waits until they have; after `limitMs` the last ones are killed. */
  async stop(limitMs: number): Promise<void> {
    this.#isStopping = true;
    for (const pause of this.#pauses) clearTimeout(pause);
    const kill = (signal: NodeJS.Signals) => {
      for (const worker of this.#living) worker.process.kill(signal);
    };
    const ended = [...this.#living].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    kill('SIGTERM');
    const limit = setTimeout(() => kill('SIGKILL'), limitMs);
    await Promise.all(ended);
    clearTimeout(limit);
  }

  #fork(beginning: Beginning): Promise<number> {
    const worker = cluster.fork();
    this.#living.add(worker);
    let readyAt: number | undefined;
    let reason: string | undefined;
    const ready = new Promise<number>((resolve, reject) => {
      worker.on('message', (message: Message) => {
        if (message.type === FAILED) reason = message.reason;
        if (message.type !== READY) return;
        readyAt = performance.now();
        resolve(message.port);
      });
      const over = (code: number | null, signal: string | null): void => {
        this.#living.delete(worker);
        reject(new Error(reason ?? `A worker ended with ${signal ?? code} before it was ready`));
        this.#ended({ pid: worker.process.pid, code, signal, reason }, { ...beginning, readyAt });
      };
      worker.once('exit', over);
      worker.on('error', ({ message }) => {
        // One that could not be made has no exit; else a message to one that is ending was lost.
        reason ??= message;
        if (worker.process.pid === undefined) over(null, null);
      });
    });
    ready.catch(() => undefined);
    return ready;
  }

  #ended(end: End, { attempt, isReplacement, readyAt }: Beginning & { readyAt: number | undefined }): void {
    if (this.#isStopping || !(isReplacement || readyAt !== undefined)) return;
    const isStable = readyAt !== undefined && performance.now() - readyAt > STABLE_MS;
    this.#replace(end, isStable ? 0 : attempt);
  }

  #replace(end: End, attempt: number): void {
    const pauseMs = Math.min(PAUSE.first * 2 ** attempt, PAUSE.last);
    this.#log.error('a worker ended and is replaced', { ...end, pauseMs, left: this.#living.size });
    this.#count.restarted();
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      void this.#fork({ attempt: attempt + 1, isReplacement: true });
    }, pauseMs);
    this.#pauses.add(pause);
  }
}
