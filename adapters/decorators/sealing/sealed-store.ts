import { SEALS, sealContext, unsealed } from '../../../domain/migration/seal-record.ts';
import type { Secrets } from '../../../ports/secrets.ts';
import type { Collection, CollectionSpec, RecordKey, Sealing, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { gated } from '../gated-collection.ts';
import { withHidden } from './hidden-keys.ts';
import { KeyCheck } from './key-check.ts';

/**
 * Wraps a store so that the values of sealed collections are ciphertext in it (decisions §13). They are used only after
 * the check that the ring of master keys has every key that sealed them.
 */
export class SealedStore implements Store {
  readonly #secrets: Secrets;
  readonly #keyCheck: KeyCheck;
  readonly #collections = new Map<string, Collection<unknown>>();

  constructor(
    private readonly store: Store,
    secrets: Secrets,
    clock: Clock,
  ) {
    this.#secrets = secrets;
    this.#keyCheck = new KeyCheck({ records: store.collection(SEALS), secrets, clock });
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const known =
      this.#collections.get(spec.name) ?? (spec.sealed === false ? this.store.collection(spec) : this.#seal(spec));
    this.#collections.set(spec.name, known as Collection<unknown>);
    return known as Collection<T>;
  }

  /** Resolves when the database answers and its data can be unsealed. */
  async ping(): Promise<void> {
    await this.store.ping();
    await this.#keyCheck.look();
  }

  checkWritable(): Promise<void> {
    return this.store.checkWritable();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** @throws Error when the ring lacks a master key of this data; DomainError `StoreUnavailable` when that is unknown now */
  checkKey(): Promise<void> {
    return this.#keyCheck.check();
  }

  /** Below the check, since the key of the digests is known only after it. */
  #seal<T>(spec: CollectionSpec<T>): Collection<T> {
    const keyCheck = this.#keyCheck;
    const inner = this.store.collection({ ...spec, sealing: this.#sealing(spec.name) });
    const hide = ({ parent = '', id = '' }: Partial<RecordKey>) =>
      spec.hidden === 'parent' ? keyCheck.digest(parent, spec.name) : keyCheck.digest(id, `${spec.name}\n${parent}`);
    return gated(spec.hidden ? withHidden(inner, spec.hidden, hide) : inner, () => keyCheck.usable());
  }

  #sealing(collection: string): Sealing {
    return {
      seal: (text, { parent = '', id }) => this.#secrets.seal(text, sealContext({ collection, parent, id })),
      unseal: (body, { parent = '', id }) => {
        try {
          return unsealed({ collection, parent, id, body }, this.#secrets);
        } catch (error) {
          throw this.#keyCheck.refused(error);
        }
      },
    };
  }
}
