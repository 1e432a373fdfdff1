import type { StatusReference } from '../../ports/credential-formats.ts';
import { credentialIn } from '../credentials/token-facts.ts';
import { decompress, fromBase64url, utf8 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { lineOf } from '../foundation/texts.ts';
import { MAX_ENCODED_LIST_LENGTH } from '../network/document-bounds.ts';
import { httpUrl } from '../network/urls.ts';
import { readTokenEntry, type TokenStatusEntry } from './token-status-lists.ts';

/** The place of one status of a credential. */
export interface StatusEntry {
  type: StatusEntryType;
  /** In lower case. */
  purpose: string;
  /** The URL of the list credential. */
  list: string;
  /** May be larger than any list. */
  index: number;
  /** What the entry says about its two values (Bitstring Status List §2.1). */
  messages: { set?: string; unset?: string };
}

/** A parsed status list credential; its signature is verified elsewhere. */
export interface StatusList {
  issuer: string;
  type: StatusEntryType;
  /** In lower case. */
  purposes: string[];
  /** One bit per credential; the first is the most significant bit of the first byte. */
  bits: Uint8Array;
  /** How long the list may be cached, in milliseconds. */
  ttlMs?: number;
}

interface ListKind {
  credential: string;
  subject: string;
}

/** Entry types with the types of their lists (StatusList2021 §3, Bitstring Status List §2). */
const KINDS = {
  StatusList2021Entry: { credential: 'StatusList2021Credential', subject: 'StatusList2021' },
  BitstringStatusListEntry: { credential: 'BitstringStatusListCredential', subject: 'BitstringStatusList' },
} as const satisfies Record<string, ListKind>;

export type StatusEntryType = keyof typeof KINDS;

const MAX_ENTRIES = 10;
const MAX_MESSAGE = 200;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

const malformed = (message: string): DomainError => new DomainError('MalformedValue', message);
const unverified = (message: string): DomainError => new DomainError('StatusVerification', message);

const isEntryType = (type: unknown): type is StatusEntryType => typeof type === 'string' && Object.hasOwn(KINDS, type);

/**
 * Reads the status entries of a credential; undefined when it has none.
 * @throws DomainError `MalformedValue` when an entry cannot be checked
 */
export function readStatusEntries(status: readonly StatusReference[]): (StatusEntry | TokenStatusEntry)[] | undefined {
  if (status.length === 0) return undefined;
  const entries = status.flatMap(({ kind, value }) => READERS[kind](value));
  if (entries.length === 0 || entries.length > MAX_ENTRIES)
    throw malformed(`/credentialStatus: must have 1 to ${MAX_ENTRIES} entries`);
  return entries;
}

const READERS: Readonly<Record<StatusReference['kind'], (value: unknown) => (StatusEntry | TokenStatusEntry)[]>> = {
  credentialStatus: (value) =>
    asList(value)
      .slice(0, MAX_ENTRIES + 1)
      .map(readEntry),
  status_list: (value) => [readTokenEntry(value)],
  identifier_list: () => {
    throw malformed('/status/identifier_list: this kind of status is not supported');
  },
};

function readEntry(entry: unknown): StatusEntry {
  if (!isObject(entry)) throw malformed('/credentialStatus: is not an object');
  const { type, statusPurpose, statusListCredential: list, statusListIndex: index, statusSize = 1 } = entry;
  if (!isEntryType(type)) throw malformed(`/credentialStatus/type: must be ${Object.keys(KINDS).join(' or ')}`);
  if (!isText(statusPurpose)) throw malformed('/credentialStatus/statusPurpose: is not a text');
  if (!isText(list) || !httpUrl(list))
    throw malformed('/credentialStatus/statusListCredential: is not an http or https URL');
  if (typeof index !== 'string' || !/^(0|[1-9][0-9]*)$/.test(index))
    throw malformed('/credentialStatus/statusListIndex: is not a string of digits');
  if (statusSize !== 1) throw malformed('/credentialStatus/statusSize: only statuses of one bit are supported');
  const messages = readMessages(entry.statusMessage);
  return { type, purpose: statusPurpose.toLowerCase(), list, index: Number(index), messages };
}

/** A message that cannot be read is ignored: the status does not depend on it. */
function readMessages(listed: unknown): StatusEntry['messages'] {
  const messages: StatusEntry['messages'] = {};
  for (const { status, message } of asList(listed).filter(isObject)) {
    const [, value] = (isText(status) && /^0x0*([01])$/i.exec(status)) || [];
    if (value !== undefined && isText(message))
      messages[value === '1' ? 'set' : 'unset'] ??= lineOf(message, MAX_MESSAGE) || undefined;
  }
  return messages;
}

/** The claims of a list credential, and where they were fetched. */
export interface ListDocument {
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
  const purposes = asList(subject.statusPurpose).filter(isText);
  if (!isText(subject.encodedList)) throw malformed('The status list has no encodedList');
  return {
    issuer,
    type: listType(credential, subject),
    purposes: purposes.map((purpose) => purpose.toLowerCase()),
    bits: decodeList(subject.encodedList),
    ttlMs: readTtl(subject.ttl),
  };
}

function listType(credential: JsonObject, subject: JsonObject): StatusEntryType {
  const types = asList(credential.type);
  const type = Object.keys(KINDS)
    .filter(isEntryType)
    .find((name) => types.includes(KINDS[name].credential) && asList(subject.type).includes(KINDS[name].subject));
  if (!type) throw unverified('The list credential is not of a supported type');
  return type;
}

/** Bitstring Status List §2.2: `ttl` is in milliseconds. */
function readTtl(ttl: unknown): number | undefined {
  if (ttl === undefined || (typeof ttl === 'number' && ttl >= 0)) return ttl;
  throw malformed('The ttl of the status list is not a number of milliseconds');
}

/**
 * Decodes an `encodedList` to its bits: gzip in base64 of either alphabet, with or without padding and multibase `u`
 * (gzip data never begins with that letter). @throws DomainError `MalformedValue`
 */
export function decodeList(text: string): Uint8Array {
  if (text.length > MAX_ENCODED_LIST_LENGTH)
    throw malformed(`The encodedList has more than ${MAX_ENCODED_LIST_LENGTH} characters`);
  const encoded = text.replace(/^u/, '');
  const digits = encoded.replace(/={1,2}$/, '');
  const isPadded = digits !== encoded;
  const mixed = /[+/]/.test(digits) && /[-_]/.test(digits);
  const data = fromBase64url(digits.replaceAll('+', '-').replaceAll('/', '_'));
  if (!data || mixed || (isPadded && encoded.length % 4 !== 0)) throw malformed('The encodedList is not base64');
  const bits = decompress('gzip', data, MAX_LIST_BYTES);
  if (isWrittenOut(bits)) throw malformed('The encodedList holds its statuses as text, not as bits');
  return bits;
}

/** The digits 0 and 1 and what separates them in a list or a JSON array. */
const WRITTEN_OUT: ReadonlySet<number> = new Set(utf8('01, \t\r\n[]'));

/** A shorter list may look like text by chance, in bytes. */
const LEAST_WRITTEN_OUT = 8;

/** Whether a list is text made of digits; as bits it would have another meaning for every credential. */
const isWrittenOut = (bytes: Uint8Array): boolean =>
  bytes.length >= LEAST_WRITTEN_OUT && bytes.every((byte) => WRITTEN_OUT.has(byte));

/**
 * Whether the entry's bit is set in the list.
 * @throws DomainError `StatusVerification` when type or purpose of the list differ, `StatusListLength` when it has fewer
 * than `minimumBits`, `StatusRange` when it ends before the index
 */
export function statusAt(list: StatusList, entry: StatusEntry, minimumBits: number): boolean {
  if (list.type !== entry.type) throw unverified('The status list is of another type than the status entry');
  if (!list.purposes.includes(entry.purpose))
    throw unverified('The status list has another purpose than the status entry');
  const length = list.bits.length * 8;
  if (length < minimumBits)
    throw new DomainError('StatusListLength', `The status list has fewer than ${minimumBits} entries`);
  if (entry.index >= length)
    throw new DomainError('StatusRange', '/credentialStatus/statusListIndex: lies beyond the end of the list');
  const byte = list.bits[Math.floor(entry.index / 8)] ?? 0;
  return ((byte >> (7 - (entry.index % 8))) & 1) === 1;
}
