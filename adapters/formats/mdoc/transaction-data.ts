import { base64url, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { PresentationContent, SignedTransactionData } from '../../../ports/credential-formats.ts';
import type { DeviceNameSpaces } from './device-signed.ts';

/**
 * The elements with which a device signs transaction data; their namespace is the type of the data. OpenID4VP 1.0 §B.2.1
 * leaves names and form to the types.
 */
export const TRANSACTION_DATA = { HASH: 'transaction_data_hash', ALGORITHM: 'transaction_data_hash_alg' } as const;

/** The elements that sign transaction data, one type each once. @throws DomainError `BadRequest` */
export function transactionElements({ transactionData }: PresentationContent): DeviceNameSpaces {
  const { hashes = [], types = [], algorithm } = transactionData ?? {};
  if (new Set(types).size !== hashes.length)
    throw new DomainError('BadRequest', 'An mdoc signs one item of transaction data of each type');
  const elements = hashes.map((hash, index): [string, Map<string, unknown>] => {
    const named = algorithm === undefined ? [] : ([[TRANSACTION_DATA.ALGORITHM, algorithm]] as const);
    return [types[index] ?? '', new Map<string, unknown>([[TRANSACTION_DATA.HASH, fromBase64url(hash)], ...named])];
  });
  return new Map(elements);
}

/** The transaction data that devices signed, of all documents; undefined when there are none. */
export function signedTransactionData(documents: readonly DeviceNameSpaces[]): SignedTransactionData | undefined {
  const signed = documents
    .flatMap((nameSpaces) => [...nameSpaces])
    .filter(([, elements]) => Object.values(TRANSACTION_DATA).some((name) => elements.has(name)));
  if (signed.length === 0) return undefined;
  const valuesOf = (name: string) => signed.map(([, elements]) => elements.get(name));
  const [algorithm, ...others] = new Set(valuesOf(TRANSACTION_DATA.ALGORITHM));
  return {
    types: signed.map(([type]) => type),
    hashes: valuesOf(TRANSACTION_DATA.HASH).map((hash) => (hash instanceof Uint8Array ? base64url(hash) : hash)),
    algorithm: others.length === 0 ? algorithm : [algorithm, ...others],
  };
}
