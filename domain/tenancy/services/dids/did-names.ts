import type { Collection, Store } from '../../../../ports/store.ts';
import { fingerprint } from '../../../foundation/bytes.ts';
import { removeAll, upsert } from '../../../foundation/records.ts';
import { childOf, recordKeyOf, type Target } from '../../access/targets.ts';
import { type DidContent, RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { ResourceRepository, TreeResource } from '../../tree/resource-repository.ts';

const { dids: DIDS } = RESOURCE_KINDS;

/**
 * Finds the entries of DID stores by their DIDs. The index is a hint, which may lag behind after a request that was cut off:
 * the entry that it names decides. An entry under its default name is found without it.
 */
export class DidNames {
  readonly #index: Collection<{ name: string }>;

  constructor(
    store: Store,
    private readonly repository: ResourceRepository,
  ) {
    this.#index = store.collection({
      name: 'enterprise-did-names',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
  }

  /** The name of an entry whose caller gives none: a store has a DID once under it. */
  static defaultName(did: string): string {
    return fingerprint(did);
  }

  /** Notes under which name a store has a DID, before or after it does. */
  async note(target: Target, did: string): Promise<void> {
    const { parent, id: name } = recordKeyOf(target);
    const key = { parent, id: fingerprint(did) };
    if (name !== key.id) await upsert({ collection: this.#index, key, change: () => ({ name }) });
  }

  /** Forgets the name of an entry that is removed. */
  async forget(target: Target): Promise<void> {
    const entry = await this.repository.get(DIDS, target);
    const { parent, id: name } = recordKeyOf(target);
    const key = { parent, id: fingerprint(entry?.did ?? '') };
    if ((await this.#index.get(key))?.value.name === name) await this.#index.remove(key);
  }

  /** Forgets all names of a store. */
  forgetAll(store: Target): Promise<void> {
    return removeAll({ collection: this.#index, parent: store });
  }

  /** The entry of a DID in a store. */
  async find(store: Target, did: string): Promise<TreeResource<DidContent> | undefined> {
    const id = fingerprint(did);
    const noted = (await this.#index.get({ parent: store, id }))?.value.name;
    const found = await Promise.all(
      [noted, id].map(async (name) => name && this.repository.get(DIDS, childOf(store, name))),
    );
    return found.flatMap((entry) => (entry && entry.did === did ? entry : []))[0];
  }
}
