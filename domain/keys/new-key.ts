import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import type { Turn } from '../../ports/turn.ts';
import { at } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { KeyBackends } from './key-backends.ts';

/** A key to be created, as requests describe it. */
export interface WantedKey {
  /** In any spelling. */
  backend: string;
  keyType: KeyType;
  name?: string;
  config?: JsonObject;
  turn?: Turn;
}

/**
 * Creates a key and uses it; a key whose use fails is removed again, or its deletion scheduled (decisions §4).
 * @param place the position of the key in the request, for errors
 * @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout`, and what `use` throws
 */
export async function withNewKey<T>(
  keys: KeyBackends,
  { key: { backend, ...wanted }, place }: { key: WantedKey; place: FieldPath },
  use: (reference: KeyReference) => Promise<T>,
): Promise<T> {
  const reference = await at(place, () => keys.create(backend, wanted));
  try {
    return await use(reference);
  } catch (error) {
    // Its own failure must not hide the first one.
    await keys.remove(reference).catch(() => undefined);
    throw error;
  }
}
