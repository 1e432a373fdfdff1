import type { Body, CollectionSpec, RecordKey } from '../../ports/store.ts';
import { utf8, utf8Text } from './bytes.ts';

/** How a collection writes values and reads them. */
export interface Codec<T> {
  encode(value: T, key: RecordKey): Body;
  /** @throws DomainError `StoreUnavailable` for a body that cannot be unsealed */
  decode(body: Body, key: RecordKey): T;
}

/** The codec of a collection: JSON, sealed where its values are. */
export const codecOf = <T>({ sealing }: Pick<CollectionSpec<T>, 'sealing'>): Codec<T> => ({
  encode: (value, key) => {
    const text = JSON.stringify(value);
    return sealing ? sealing.seal(text, key) : text;
  },
  decode: (body, key) => JSON.parse(sealing ? sealing.unseal(body, key) : String(body)) as T,
});

/** The first byte of a sealed body among texts: no JSON begins with it. */
const SEALED = 0;

/** A body as bytes, where texts and bytes share a place. */
export function bytesOf(body: Body): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  const bytes = new Uint8Array(1 + body.length);
  bytes[0] = SEALED;
  bytes.set(body, 1);
  return bytes;
}

/** The body of such bytes; '', which is no JSON, for others. */
export const bodyOf = (bytes: Uint8Array): Body => (bytes[0] === SEALED ? bytes.subarray(1) : (utf8Text(bytes) ?? ''));
