import type * as Library from '@owf/mdoc';
import { base64url, digest } from '../../../domain/foundation/bytes.ts';
import { badRequest } from '../../../domain/foundation/errors.ts';

/** ISO 18013-5 §9.1.2.5. */
const MIN_SALT_BYTES = 16;

const DIGESTS = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const;

/** An IssuerSigned need not disclose anything, so `nameSpaces` may be absent (ISO 18013-5 §8.3.2.1.2.2); the library needs it. */
export const withNameSpaces = (issuerSigned: Map<unknown, unknown>): Map<unknown, unknown> =>
  new Map([['nameSpaces', new Map()], ...issuerSigned]);

/** Checks the elements of one namespace: of two with one name or digest id, readers differ in which one counts. @throws DomainError `BadRequest` */
export function checkItems(items: readonly Library.IssuerSignedItem[]): void {
  const [names, ids] = [new Set<string>(), new Set<number>()];
  for (const { elementIdentifier, digestId, random } of items) {
    if (!Number.isSafeInteger(digestId) || digestId < 0) throw badRequest('a digestID is not an unsigned integer');
    if (random.length < MIN_SALT_BYTES) throw badRequest(`a salt has fewer than ${MIN_SALT_BYTES} bytes`);
    names.add(elementIdentifier);
    ids.add(digestId);
  }
  if (names.size < items.length) throw badRequest('a namespace has two elements of one name');
  if (ids.size < items.length) throw badRequest('a namespace has two elements of one digestID');
}

/**
 * Whether each element has its digest in the signed object. The digest is of the bytes as received: the library encodes
 * the element anew, which refuses other encodings of the same value.
 */
export function hasDigests(
  namespaces: unknown,
  { digestAlgorithm, valueDigests }: Library.MobileSecurityObject,
  library: typeof Library,
): boolean {
  const elements = [...(namespaces as Map<string, Library.DataItem<Map<string, unknown>>[]>)];
  return elements.every(([namespace, items]) =>
    items.every((item) => {
      const actual = digest(DIGESTS[digestAlgorithm], library.cborEncode(item));
      const signed = valueDigests.getDigestForNamespace(namespace, Number(item.data.get('digestID')));
      return signed !== undefined && base64url(signed) === base64url(actual);
    }),
  );
}
