import cluster, { type Worker } from 'node:cluster';
import { answerWorkers } from '../../adapters/metrics/workers.ts';
import type { Log } from '../../ports/log.ts';

/** What a worker reports of its start. */
type Message = { type: typeof READY; port: number } | { type: typeof FAILED; reason: string };

const READY = 'credenza:ready';
const FAILED = 'credenza:failed';

/** Pauses before a worker is replaced, in milliseconds: doubled from the first to the last. */
const PAUSE = { first: 100, last: 30_000 };
/** After a worker that was ready for this long, pauses begin with the first again, in milliseconds. */
const STABLE_MS = 60_000;

/** In a worker: reports that requests are served on `port`. */
export const reportReady = (port: number): void => void process.send?.({ type: READY, port } satisfies Message);

/** In a worker: reports that it cannot start. Resolves when the message is sent. */
export const reportFailed = (reason: string): Promise<void> =>
  new Promise((resolve) => {
    const message: Message = { type: FAILED, reason };
    process.send?.(message, undefined, undefined, () => resolve());
  });

/** How one worker was started: `attempt` counts the replacements since the last stable one. */
interface WorkerStart {
  attempt: number;
  isReplacement: boolean;
}

/** How one worker ended. */
interface WorkerEnd {
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

  /** Resolves with the port when all workers serve requests. @throws Error with the reason of the first that cannot start */
  async ready(): Promise<number> {
    const [port = 0] = await Promise.all(this.#starting);
    return port;
  }

  /** Sends a signal to all workers. */
  signal(signal: NodeJS.Signals): void {
    for (const worker of this.#living) worker.process.kill(signal);
  }

  /** Stops all workers after their requests under way; kills those that run after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.#isStopping = true;
    for (const pause of this.#pauses) clearTimeout(pause);
    const ended = [...this.#living].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    this.signal('SIGTERM');
    const limit = setTimeout(() => this.signal('SIGKILL'), limitMs);
    await Promise.all(ended);
    clearTimeout(limit);
  }

  #fork(started: WorkerStart): Promise<number> {
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
      const onEnd = (code: number | null, signal: string | null): void => {
        this.#living.delete(worker);
        reject(new Error(reason ?? `A worker ended with ${signal ?? code} before it was ready`));
        this.#ended({ pid: worker.process.pid, code, signal, reason }, { ...started, readyAt });
      };
      worker.once('exit', onEnd);
      worker.on('error', ({ message }) => {
        // A worker that could not be forked emits no exit; any other error is a message lost to a worker that is ending.
        reason ??= message;
        if (worker.process.pid === undefined) onEnd(null, null);
      });
    });
    ready.catch(() => undefined);
    return ready;
  }

  #ended(end: WorkerEnd, { attempt, isReplacement, readyAt }: WorkerStart & { readyAt: number | undefined }): void {
    if (this.#isStopping || !(isReplacement || readyAt !== undefined)) return;
    const isStable = readyAt !== undefined && performance.now() - readyAt > STABLE_MS;
    this.#replace(end, isStable ? 0 : attempt);
  }

  #replace(end: WorkerEnd, attempt: number): void {
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
