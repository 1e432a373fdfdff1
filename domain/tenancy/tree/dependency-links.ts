import type { Collection, Store } from '../../../ports/store.ts';
import type { Ids } from '../../../ports/system.ts';
import { removeAll } from '../../foundation/records.ts';
import type { Target } from '../access/targets.ts';

/** That a service uses another, as the service stores it. */
export interface DependencyLink {
  target: Target;
  /** The id of the entry in the index, of this addition alone. */
  id: string;
}

/** An entry of the index. */
interface DependentEntry {
  id: string;
  dependent: Target;
}

const PAGE = 100;

/**
 * The index from a service to those that depend on it. An entry is written before its service stores the link and removed
 * after, so an entry counts only while its service stores a link with its id.
 */
export class DependencyLinks {
  readonly #index: Collection<{ dependent: Target }>;

  constructor(
    store: Store,
    private readonly ids: Ids,
  ) {
    this.#index = store.collection({
      name: 'enterprise-dependents',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
  }

  /** Writes an entry for each target. */
  add(dependent: Target, targets: readonly Target[]): Promise<DependencyLink[]> {
    return Promise.all(
      targets.map(async (target) => {
        const id = this.ids.uuid();
        await this.#index.insert({ parent: target, id, value: { dependent } });
        return { target, id };
      }),
    );
  }

  async remove(links: readonly DependencyLink[]): Promise<void> {
    await Promise.all(links.map(({ target, id }) => this.#index.remove({ parent: target, id })));
  }

  /** Whether the entry of a link is there; it goes with the service that the link leads to. */
  async has({ target, id }: DependencyLink): Promise<boolean> {
    return (await this.#index.get({ parent: target, id })) !== undefined;
  }

  /** Removes the entries of a service, which are of additions that did not complete. */
  removeAll(target: Target): Promise<void> {
    return removeAll({ collection: this.#index, parent: target });
  }

  /** Services that depend on this one, as `isLive` decides on entries: none, or at least one. */
  async dependents(target: Target, isLive: (entry: DependentEntry) => Promise<boolean>): Promise<Target[]> {
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#index.list({ parent: target, order: 'id', offset, limit: PAGE });
      const entries = page.map(({ id, value }) => ({ id, dependent: value.dependent }));
      const live = await Promise.all(entries.map(isLive));
      const found = entries.filter((_, at) => live[at]).map(({ dependent }) => dependent);
      if (found.length > 0 || page.length < PAGE) return found;
    }
  }
}
