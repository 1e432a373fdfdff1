import type { KeyReference } from '../../ports/key-service.ts';
import type { Collection, Store } from '../../ports/store.ts';
import { insertFirst } from '../foundation/records.ts';
import type { KeyBackends } from './key-backends.ts';
import { readKeySet, type StoredKeySet } from './server-key-set.ts';

/** What a key of a service is for: to sign what the service says of itself, what its profiles issue, or its tokens of sign-ins. */
export type ServiceKeyPurpose = 'service-issuer' | 'service-profiles' | 'service-sign-in';

const PURPOSES: readonly ServiceKeyPurpose[] = ['service-issuer', 'service-profiles', 'service-sign-in'];

/** The P-256 keys of services whose configurations name none: created at first use, stored sealed, of no other service. */
export class ServiceKeys {
  readonly #records: Collection<StoredKeySet>;
  readonly #keys: KeyBackends;

  constructor({
    store,
    keys,
  }: {
    store: Store;
    keys: KeyBackends;
  }) {
    this.#records = store.collection({ name: 'server-keys', afterRestore: 'kept' });
    this.#keys = keys;
  }

  /** The key of the service with this uid, a secret; the same for all who ask first at the same time. */
  async reference(uid: string, purpose: ServiceKeyPurpose): Promise<KeyReference> {
    const id = idOf(uid, purpose);
    const kept = await this.#records.get({ id });
    if (kept) return readKeySet(kept.value).current;
    const current = await this.#keys.create('jwk', { keyType: 'secp256r1' });
    const isFirst = await insertFirst(this.#records, { id, value: { current, retired: [] } });
    return isFirst ? current : this.reference(uid, purpose);
  }

  /** Removes the keys of a service that is removed. */
  async remove(uid: string): Promise<void> {
    for (const purpose of PURPOSES) await this.#records.remove({ id: idOf(uid, purpose) });
  }
}

const idOf = (uid: string, purpose: ServiceKeyPurpose): string => `${purpose} ${uid}`;
