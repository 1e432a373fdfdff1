import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import { isDomainError } from '../foundation/errors.ts';
import type { KeyBackends } from '../keys/key-backends.ts';

/** A key to create. */
export interface WantedKey {
  backend: string;
  keyType: KeyType;
  name?: string;
  config?: Record<string, unknown>;
}

/** Where a new key is stored. */
export interface KeySlot<T> {
  /** @throws DomainError `Conflict`, `NotFound` when the key is surely not stored */
  store(reference: KeyReference): Promise<T>;
  /** Whether there is a key in this place. */
  exists(reference: KeyReference): Promise<boolean>;
}

/**
 * Creates a key at its backend and stores it. A key that was surely not stored is removed from its backend again.
 * @throws DomainError `BadRequest` naming the field, and what `store` throws
 */
export async function createKey<T>(keys: KeyBackends, { backend, ...wanted }: WantedKey, slot: KeySlot<T>): Promise<T> {
  const reference = await keys.create(backend, wanted);
  try {
    return await slot.store(reference);
  } catch (error) {
    // After a failure of the store the key may have been written; then it must stay at its backend.
    const isLost = isDomainError(error, 'Conflict') || isDomainError(error, 'NotFound');
    if (isLost || !(await slot.exists(reference).catch(() => true)))
      await keys.remove(reference).catch(() => undefined);
    throw error;
  }
}
