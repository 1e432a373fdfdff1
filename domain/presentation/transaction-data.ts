import { base64url, digest, fromBase64url, fromUtf8 } from '../foundation/bytes.ts';
import { at, invalidField } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { idsIn, readId, readList } from './dcql/lists.ts';

/** Names of hash algorithms (IANA Named Information Hash Algorithm Registry) and our digests. */
const DIGESTS = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' } as const;

/** A hash algorithm of transaction data. */
export type HashAlgorithm = keyof typeof DIGESTS;

/** The algorithm where a request names none (OpenID4VP 1.0 §B.3.3.1). */
export const DEFAULT_HASH: HashAlgorithm = 'sha-256';

/** One transaction that a holder is asked to authorize (OpenID4VP 1.0 §5.1, §8.4). */
export interface TransactionData {
  /** As it was requested: JSON in base64url. */
  raw: string;
  type: string;
  /** The queries of which one credential authorizes it. */
  queryIds: string[];
  /** The algorithms that the request names; absent when it names none. */
  algorithms?: HashAlgorithm[];
  /** Every member, with those of its type. */
  content: JsonObject;
}

/** A kind of transaction that the operator describes, for pages of verifiers and wallets. */
export interface TransactionDataProfile {
  type: string;
  displayName: string;
  /** The names of its members. */
  fields: string[];
}

/** The most transactions of a request, and the most characters of one. */
const MAX_TRANSACTIONS = 16;
const MAX_CHARACTERS = 16 * 1024;

/**
 * Reads the `transaction_data` of a request. Algorithms that are not known are left out, as long as one is.
 * @throws DomainError `BadRequest` naming the element and the member that is malformed
 */
export function readTransactionData(value: unknown): TransactionData[] {
  return readList(value, MAX_TRANSACTIONS).map((raw, index) => at([index], () => readOne(raw)));
}

function readOne(raw: unknown): TransactionData {
  if (!isText(raw) || raw.length > MAX_CHARACTERS)
    throw invalidField([], `must be a text of at most ${MAX_CHARACTERS} characters`);
  const bytes = fromBase64url(raw);
  const content = bytes && parseJson(fromUtf8(bytes));
  if (!isObject(content)) throw invalidField([], 'must be a JSON object in base64url');
  const { type, credential_ids: ids, transaction_data_hashes_alg: algorithms } = content;
  if (!isText(type)) throw invalidField(['type'], 'must be a non-empty string');
  const listed = at(['credential_ids'], () => readList(ids, 64).map((id, place) => at([place], () => readId(id))));
  const queryIds = at(['credential_ids'], () => [...idsIn(listed.map((id) => ({ id })))]);
  const named =
    algorithms === undefined ? undefined : at(['transaction_data_hashes_alg'], () => readAlgorithms(algorithms));
  return { raw, type, queryIds, ...(named && { algorithms: named }), content };
}

function readAlgorithms(value: unknown): HashAlgorithm[] {
  const known = readList(value, 16).filter((name): name is HashAlgorithm => Object.hasOwn(DIGESTS, String(name)));
  if (known.length > 0) return known;
  throw invalidField([], `must list one of ${Object.keys(DIGESTS).join(', ')}`);
}

/** The hash that a holder signs: of the text as it was requested. */
export const hashOf = ({ raw }: Pick<TransactionData, 'raw'>, algorithm: HashAlgorithm): string =>
  base64url(digest(DIGESTS[algorithm], raw));

/** The algorithms that the hash of a transaction may have. */
export const hashAlgorithms = ({ algorithms = [DEFAULT_HASH] }: Pick<TransactionData, 'algorithms'>) => algorithms;

/** The members of every kind of transaction. */
const COMMON = ['type', 'credential_ids', 'transaction_data_hashes_alg'];

/** Checks that a transaction of a described kind has exactly the described members. @throws DomainError `BadRequest` naming one */
export function checkFields(content: JsonObject, { type, fields }: TransactionDataProfile): void {
  const missing = fields.find((name) => content[name] === undefined);
  if (missing !== undefined) throw invalidField([missing], `is required for the type ${type}`);
  const unknown = Object.keys(content).find((name) => !COMMON.includes(name) && !fields.includes(name));
  if (unknown !== undefined) throw invalidField([unknown], `is no member of the type ${type}`);
}
