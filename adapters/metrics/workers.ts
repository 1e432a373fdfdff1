import cluster from 'node:cluster';
import { AggregatorRegistry, Counter, Registry } from 'prom-client';

const ASK = 'credenza:metrics';
const ANSWER = 'credenza:metrics-answer';
const PATIENCE_MS = 4000;

interface Message {
  type?: string;
  id?: number;
  text?: string;
}

/** In the supervising process: answers a worker with the counts of all, and counts workers that end. */
export function answerWorkers(): { restarted(): void } {
  const all = new AggregatorRegistry();
  const own = new Registry();
  const restarts = new Counter({
    name: 'credenza_worker_restarts_total',
    help: 'Workers that ended by themselves and were replaced',
    registers: [own],
  });
  cluster.on('message', (worker, { type, id }: Message) => {
    if (type !== ASK) return;
    // A worker that has ended meanwhile gets no answer.
    const answer = (text?: string) => worker.send({ type: ANSWER, id, text }, () => undefined);
    Promise.all([all.clusterMetrics(), own.metrics()]).then(
      (texts) => answer(texts.join('')),
      () => answer(),
    );
  });
  return { restarted: () => restarts.inc() };
}

let asked = 0;

/** In a worker: adds `registry` to the counts of all, and returns the function that requests them. */
export function countAmongWorkers(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry();
  return () => {
    const id = ++asked;
    process.send?.({ type: ASK, id });
    return Promise.race([answerTo(id), alone(registry)]);
  };
}

const answerTo = (id: number): Promise<string> =>
  new Promise((resolve) => {
    const listen = (message: Message): void => {
      if (message.type !== ANSWER || message.id !== id || message.text === undefined) return;
      process.off('message', listen);
      resolve(message.text);
    };
    process.on('message', listen);
    setTimeout(() => process.off('message', listen), PATIENCE_MS).unref();
  });

/** Without an answer of the supervisor, the worker returns its own counts. */
const alone = (registry: Registry): Promise<string> =>
  new Promise((resolve, reject) => {
    setTimeout(() => registry.metrics().then(resolve, reject), PATIENCE_MS).unref();
  });
