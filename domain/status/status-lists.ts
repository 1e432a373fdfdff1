import { credentialIn } from '../credentials/token-facts.ts';
import { decompress, fromBase64url, utf8 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { MAX_ENCODED_LIST_LENGTH } from '../network/document-bounds.ts';

/** The place of one status of a credential in a list credential of the W3C. */
export interface BitstringEntry {
  kind: 'bitstring';
  type: StatusEntryType;
  /** In lower case. */
  purpose: string;
  /** The URL of the list credential. */
  list: string;
  /** May be larger than any list. */
  index: number;
  /** Bits of the status. */
  size: number;
  /** What the entry says about its values (Bitstring Status List §2.1). */
  messages: ReadonlyMap<number, string>;
}

/** A parsed status list credential; its signature is verified elsewhere. */
export interface StatusList {
  issuer: string;
  type: StatusEntryType;
  /** In lower case. */
  purposes: string[];
  /** The first status is in the most significant bits of the first byte. */
  bits: Uint8Array;
  /** How long the list may be cached, in milliseconds. */
  ttlMs?: number;
}

/** What is known of one kind of list credential. */
interface ListKind {
  credential: string;
  subject: string;
  compression: 'gzip' | 'zlib';
  /** Whether the `u` of multibase stands before the list (Bitstring Status List §2.2). */
  multibase: 'always' | 'perhaps' | 'never';
  /** The purpose of a list that names none. */
  purpose?: string;
}

/**
 * Entry types with the types of their lists (StatusList2021 §3, Bitstring Status List §2, Revocation List 2020 §2); the
 * bits of a revocation list are compressed as zlib, all others as gzip. Lists of StatusList2021 are published in several
 * spellings, which its examples do not settle.
 */
const KINDS = {
  StatusList2021Entry: {
    credential: 'StatusList2021Credential',
    subject: 'StatusList2021',
    compression: 'gzip',
    multibase: 'perhaps',
  },
  BitstringStatusListEntry: {
    credential: 'BitstringStatusListCredential',
    subject: 'BitstringStatusList',
    compression: 'gzip',
    multibase: 'always',
  },
  RevocationList2020Status: {
    credential: 'RevocationList2020Credential',
    subject: 'RevocationList2020',
    compression: 'zlib',
    multibase: 'never',
    purpose: 'revocation',
  },
} as const satisfies Record<string, ListKind>;

export type StatusEntryType = keyof typeof KINDS;

/** The types of entries. */
export const ENTRY_TYPES = Object.keys(KINDS) as StatusEntryType[];

const kindOf = (type: StatusEntryType): ListKind => KINDS[type];

const MAX_LIST_BYTES = 16 * 1024 * 1024;

const malformed = (message: string): DomainError => new DomainError('MalformedValue', message);
const unverified = (message: string): DomainError => new DomainError('StatusVerification', message);

/** The claims of a list credential, and where they were fetched. */
interface ListDocument {
  claims: JsonObject;
  /** The issuer whose signature was verified. */
  issuer: string;
  url: string;
}

/**
 * Parses the claims of a status list credential.
 * @throws DomainError `StatusVerification` when it is not the requested list, `MalformedValue`
 */
export function readStatusList({ claims, issuer, url }: ListDocument): StatusList {
  const credential = credentialIn(claims);
  if (isText(credential.id) && /^https?:/i.test(credential.id) && credential.id !== url)
    throw unverified('The status list is published under another URL than it names');
  const { credentialSubject: subject } = credential;
  if (!isObject(subject)) throw malformed('The status list has no credentialSubject object');
  const type = listType(credential, subject);
  const purposes = asList(subject.statusPurpose ?? kindOf(type).purpose).filter(isText);
  if (!isText(subject.encodedList)) throw malformed('The status list has no encodedList');
  return {
    issuer,
    type,
    purposes: purposes.map((one) => one.toLowerCase()),
    bits: decodeList(subject.encodedList, type),
    ttlMs: readTtl(subject.ttl),
  };
}

function listType(credential: JsonObject, subject: JsonObject): StatusEntryType {
  const types = asList(credential.type);
  const type = ENTRY_TYPES.find(
    (name) => types.includes(KINDS[name].credential) && asList(subject.type).includes(KINDS[name].subject),
  );
  if (!type) throw unverified('The list credential is not of a supported type');
  return type;
}

/** Bitstring Status List §2.2: `ttl` is in milliseconds. */
function readTtl(ttl: unknown): number | undefined {
  if (ttl === undefined || (typeof ttl === 'number' && ttl >= 0)) return ttl;
  throw malformed('The ttl of the status list is not a number of milliseconds');
}

/**
 * Decodes an `encodedList` to its bits: of a Bitstring Status List base64url in multibase, of the others base64 of either
 * alphabet, with or without padding. @throws DomainError `MalformedValue`
 */
export function decodeList(text: string, type: StatusEntryType): Uint8Array {
  if (text.length > MAX_ENCODED_LIST_LENGTH)
    throw malformed(`The encodedList has more than ${MAX_ENCODED_LIST_LENGTH} characters`);
  const { compression, multibase } = kindOf(type);
  const bits = decompress(
    compression,
    multibase === 'always' ? fromMultibase(text) : fromAnyBase64(text, multibase),
    MAX_LIST_BYTES,
  );
  if (isWrittenOut(bits)) throw malformed('The encodedList holds its statuses as text, not as bits');
  return bits;
}

function fromMultibase(text: string): Uint8Array {
  const data = text.startsWith('u') ? fromBase64url(text.slice(1)) : undefined;
  if (!data) throw malformed('The encodedList is not base64url in multibase, which begins with u and has no padding');
  return data;
}

/** Compressed data in base64 never begins with `u`. */
function fromAnyBase64(text: string, multibase: 'perhaps' | 'never'): Uint8Array {
  const encoded = multibase === 'perhaps' ? text.replace(/^u/, '') : text;
  const digits = encoded.replace(/={1,2}$/, '');
  const isPadded = digits !== encoded;
  const mixed = /[+/]/.test(digits) && /[-_]/.test(digits);
  const data = fromBase64url(digits.replaceAll('+', '-').replaceAll('/', '_'));
  if (!data || mixed || (isPadded && encoded.length % 4 !== 0)) throw malformed('The encodedList is not base64');
  return data;
}

/** The digits 0 and 1 and what separates them in a list or a JSON array. */
const WRITTEN_OUT: ReadonlySet<number> = new Set(utf8('01, \t\r\n[]'));

/** A shorter list may look like text by chance, in bytes. */
const LEAST_WRITTEN_OUT = 8;

/** Whether a list is text made of digits; as bits it would have another meaning for every credential. */
const isWrittenOut = (bytes: Uint8Array): boolean =>
  bytes.length >= LEAST_WRITTEN_OUT && bytes.every((byte) => WRITTEN_OUT.has(byte));

/**
 * The value at the place of an entry (Bitstring Status List §3.2).
 * @throws DomainError `StatusVerification` when type or purpose of the list differ, `StatusListLength` when it has fewer
 * than `minimumEntries`, `StatusRange` when it ends before the index
 */
export function statusAt(list: StatusList, entry: BitstringEntry, minimumEntries: number): number {
  const { type, purpose, index, size } = entry;
  if (list.type !== type) throw unverified('The status list is of another type than the status entry');
  if (!list.purposes.includes(purpose)) throw unverified('The status list has another purpose than the status entry');
  const length = Math.floor((list.bits.length * 8) / size);
  if (length < minimumEntries)
    throw new DomainError('StatusListLength', `The status list has fewer than ${minimumEntries} entries`);
  if (index >= length)
    throw new DomainError('StatusRange', '/credentialStatus/statusListIndex: lies beyond the end of the list');
  let value = 0;
  for (let bit = index * size; bit < (index + 1) * size; bit += 1) value = value * 2 + bitAt(list.bits, bit);
  return value;
}

const bitAt = (bytes: Uint8Array, bit: number): number => ((bytes[Math.floor(bit / 8)] ?? 0) >> (7 - (bit % 8))) & 1;
