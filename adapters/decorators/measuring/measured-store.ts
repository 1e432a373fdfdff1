import { isDomainError } from '../../../domain/foundation/errors.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Tracing } from '../../../ports/tracing.ts';
import { wrapped } from '../wrapped-collection.ts';

/** Wraps a database so that each operation of its collections is measured, and is a span of the request that needs it. */
export class MeasuredStore implements Store {
  constructor(
    private readonly store: Store,
    private readonly parts: { metrics: Pick<Metrics, 'storeOperation'>; tracing: Tracing },
  ) {}

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const { tracing } = this.parts;
    return wrapped(this.store.collection(spec), (operation, work) => {
      const facts = { 'db.operation.name': operation, 'db.collection.name': spec.name };
      return tracing.span({ name: `store ${operation}`, kind: 'client', facts }, () => this.#measured(operation, work));
    });
  }

  ping(): Promise<void> {
    return this.store.ping();
  }

  checkWritable(): Promise<void> {
    return this.store.checkWritable();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  async #measured<R>(operation: keyof Collection<unknown>, work: () => Promise<R>): Promise<R> {
    const startedAt = performance.now();
    let outcome: Parameters<Metrics['storeOperation']>[1] = 'done';
    try {
      return await work();
    } catch (error) {
      outcome = isDomainError(error, 'Conflict') ? 'conflict' : 'failed';
      throw error;
    } finally {
      this.parts.metrics.storeOperation(operation, outcome, (performance.now() - startedAt) / 1000);
    }
  }
}
