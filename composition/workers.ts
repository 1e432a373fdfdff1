import cluster, { type Worker } from 'node:cluster';
import { answerWorkers } from '../adapters/metrics/workers.ts';

/** A worker that ends sooner than this was not able to work; it is not started again. Milliseconds. */
const SHORTEST_LIFE_MS = 5000;

/** Runs this same command in `count` processes that share one port, and replaces those that die. */
export class Workers {
  readonly #listening: Promise<number>[] = [];
  #isStopping = false;

  constructor(count: number) {
    answerWorkers();
    for (let n = 0; n < count; n += 1) this.#listening.push(this.#fork());
  }

  /** Resolves with their port when all take requests. @throws Error when one ends before it does */
  async ready(): Promise<number> {
    const [port = 0] = await Promise.all(this.#listening);
    return port;
  }

  /** Tells all to finish what is under way and waits until they have. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const left = Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined);
    await Promise.all(
      left.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        worker.process.kill('SIGTERM');
        return ended;
      }),
    );
  }

  #fork(): Promise<number> {
    const started = performance.now();
    const worker = cluster.fork();
    return new Promise((resolve, reject) => {
      worker.once('listening', ({ port }) => resolve(port));
      worker.once('exit', (code) => {
        reject(new Error(`A worker ended with ${code}`));
        if (!this.#isStopping && performance.now() - started > SHORTEST_LIFE_MS) this.#fork().catch(() => undefined);
      });
    });
  }
}
