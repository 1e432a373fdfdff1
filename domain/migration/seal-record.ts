import type { Secrets } from '../../ports/secrets.ts';
import type { Body, CollectionSpec } from '../../ports/store.ts';
import type { RawKey, RawRecord } from '../../ports/store-copy.ts';
import { base64url } from '../foundation/bytes.ts';
import { isObject, isText } from '../foundation/json.ts';

/** The record that names the master keys of a store. */
interface SealRecord {
  /** The ids of the keys under which data of this store may be sealed. */
  keys: string[];
  /** The key of the digests of hidden ids, sealed: a rotation of the master key leaves it as it is. */
  digests: string;
}

/** What the record says to a server that has the keys. */
interface Seal {
  keys: string[];
  digestKey: string;
  /** Whether the current key is one of `keys`. */
  isCurrent: boolean;
}

/** The collection of the record. */
export const SEALS: CollectionSpec<unknown> = { name: 'seal', sealed: false, afterRestore: 'kept' };

/** The id of the record. */
export const SEAL_ID = 'probe';

/** The context of a sealed value: it is bound to its place, so that ciphertext cannot be moved to another record. */
export const sealContext = ({ collection, parent, id }: Pick<RawKey, 'collection' | 'parent' | 'id'>): string =>
  `${collection}\n${parent}\n${id}`;

/** Whether a stored body is sealed; versions before 0.10.0 wrote a JSON text of base64url. */
export const isSealed = (body: Body): boolean => typeof body !== 'string' || body.startsWith('"');

/** The JSON text of a sealed record. @throws Error as `Secrets.unseal` */
export const unsealed = (
  { body, ...place }: Pick<RawRecord, 'collection' | 'parent' | 'id' | 'body'>,
  secrets: Pick<Secrets, 'unseal'>,
): string => secrets.unseal(typeof body === 'string' ? body.slice(1, -1) : body, sealContext(place));

/** The key of the record. */
export const SEAL: RawKey = { collection: SEALS.name, listed: false, parent: '', id: SEAL_ID };

const CONTEXT = sealContext(SEAL);

/**
 * Reads the record.
 * @throws Error when the ring lacks a key of the store, or the record was altered
 */
export function readSeal(value: unknown, secrets: Secrets): Seal {
  const current = secrets.keyIds[0] ?? '';
  if (!isSealRecord(value)) throw new Error('The record of the master keys was altered');
  const { keys, digests } = value;
  const missing = keys.filter((id) => !secrets.keyIds.includes(id));
  if (missing.length > 0)
    throw new Error(
      `The stored data was sealed with another master key: this store needs ${keys.join(', ')}, and the ring has ${secrets.keyIds.join(', ')}`,
    );
  return { keys, digestKey: secrets.unseal(digests, CONTEXT), isCurrent: keys.includes(current) };
}

/** Creates the record; the key of the digests is sealed under the current key. */
export const createSeal = (keys: string[], digestKey: string, secrets: Secrets): SealRecord => ({
  keys: [...new Set(keys)],
  digests: base64url(secrets.seal(digestKey, CONTEXT)),
});

const isSealRecord = (value: unknown): value is SealRecord =>
  isObject(value) && Array.isArray(value.keys) && value.keys.every(isText) && isText(value.digests);
