import type { StatusReference } from '../../ports/credential-formats.ts';
import { fromBase64url } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { lineOf } from '../foundation/texts.ts';
import { httpUrl } from '../network/urls.ts';
import { type BitstringEntry, ENTRY_TYPES, type StatusEntryType } from './status-lists.ts';

/** The place of a credential in a list of the IETF or of ISO. */
interface PlaceInList {
  /** The URL of the list. */
  list: string;
  /** The certificate, DER, above that of the signer of the list (ISO 18013-5 second edition §12.3.6). */
  anchor?: Uint8Array;
}

/** The place of a credential in a Token Status List (draft-ietf-oauth-status-list-21 §6). */
export interface TokenStatusEntry extends PlaceInList {
  kind: 'token';
  index: number;
}

/** The identifier that an identifier list has when the credential is revoked (ISO 18013-5 second edition §12.3.6). */
export interface IdentifierEntry extends PlaceInList {
  kind: 'identifier';
  /** base64url. */
  id: string;
}

/** The URL at which the status of a credential is asked for (SimpleCredentialStatus2022). */
interface SimpleEntry {
  kind: 'simple';
  url: string;
}

export type StatusEntry = BitstringEntry | TokenStatusEntry | IdentifierEntry | SimpleEntry;

/** The most entries of one credential. */
const MAX_ENTRIES = 10;
const MAX_MESSAGE = 200;
/** The most bits of one status; with more than one, each value has its message. */
const MAX_SIZE = 8;
const MAX_ID_BYTES = 128;

const malformed = (message: string): DomainError => new DomainError('MalformedValue', message);

/**
 * Reads the status entries of a credential; undefined when it has none.
 * @throws DomainError `MalformedValue` when an entry cannot be checked
 */
export function readStatusEntries(status: readonly StatusReference[]): StatusEntry[] | undefined {
  if (status.length === 0) return undefined;
  const entries = status.flatMap(({ kind, value }) => READERS[kind](value));
  if (entries.length === 0 || entries.length > MAX_ENTRIES)
    throw malformed(`/credentialStatus: must have 1 to ${MAX_ENTRIES} entries`);
  return entries;
}

const READERS: Readonly<Record<StatusReference['kind'], (value: unknown) => StatusEntry[]>> = {
  credentialStatus: (value) =>
    asList(value)
      .slice(0, MAX_ENTRIES + 1)
      .map(readEntry),
  status_list: (value) => [readTokenEntry(value)],
  identifier_list: (value) => [readIdentifierEntry(value)],
  unknown: () => {
    throw malformed('/status: has no mechanism, or one that cannot be evaluated here');
  },
};

function readEntry(entry: unknown): BitstringEntry | SimpleEntry {
  if (!isObject(entry)) throw malformed('/credentialStatus: is not an object');
  const read = isText(entry.type) && Object.hasOwn(ENTRIES, entry.type) ? ENTRIES[entry.type] : undefined;
  if (read) return read(entry);
  throw malformed(`/credentialStatus/type: must be ${Object.keys(ENTRIES).join(' or ')}`);
}

/** The readers of `credentialStatus` by its type. */
const ENTRIES: Readonly<Record<string, (entry: JsonObject) => BitstringEntry | SimpleEntry>> = {
  ...Object.fromEntries(ENTRY_TYPES.map((type) => [type, (entry) => readBitstringEntry(type, entry)])),
  RevocationList2020Status: (entry) => readBitstringEntry('RevocationList2020Status', namedAsLater(entry)),
  SimpleCredentialStatus2022: ({ id }) => {
    if (!isText(id) || !httpUrl(id)) throw malformed('/credentialStatus/id: is not an http or https URL');
    return { kind: 'simple', url: id };
  },
};

function readBitstringEntry(type: StatusEntryType, entry: JsonObject): BitstringEntry {
  const { statusPurpose, statusListCredential: list, statusListIndex: index } = entry;
  if (!isText(statusPurpose)) throw malformed('/credentialStatus/statusPurpose: is not a text');
  if (!isText(list) || !httpUrl(list))
    throw malformed('/credentialStatus/statusListCredential: is not an http or https URL');
  if (typeof index !== 'string' || !/^(0|[1-9][0-9]*)$/.test(index))
    throw malformed('/credentialStatus/statusListIndex: is not a string of digits');
  const size = readSize(type, entry.statusSize);
  const messages = readMessages(entry.statusMessage);
  if (size > 1 && (messages.size !== 2 ** size || asList(entry.statusMessage).length !== 2 ** size))
    throw malformed(`/credentialStatus/statusMessage: must have a message for each of the ${2 ** size} values`);
  return { kind: 'bitstring', type, purpose: statusPurpose.toLowerCase(), list, index: Number(index), size, messages };
}

/** Bitstring Status List §2.1; the older kinds have statuses of one bit. */
function readSize(type: StatusEntryType, size: unknown = 1): number {
  const most = type === 'BitstringStatusListEntry' ? MAX_SIZE : 1;
  if (typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= most) return size;
  throw malformed(`/credentialStatus/statusSize: must be a whole number from 1 to ${most}`);
}

/** A message of one bit that cannot be read is ignored: the status does not depend on it. */
function readMessages(listed: unknown): ReadonlyMap<number, string> {
  const messages = new Map<number, string>();
  for (const { status, message } of asList(listed)
    .slice(0, 2 ** MAX_SIZE)
    .filter(isObject)) {
    const [, digits] = (isText(status) && /^0x0*([0-9a-f]{1,2})$/i.exec(status)) || [];
    const value = digits === undefined ? undefined : Number.parseInt(digits, 16);
    const line = isText(message) ? lineOf(message, MAX_MESSAGE) : '';
    if (value !== undefined && line !== '' && !messages.has(value)) messages.set(value, line);
  }
  return messages;
}

/**
 * The members of RevocationList2020 by the names of its successors, which walt.id's credentials have already; its only
 * purpose is revocation.
 */
function namedAsLater(entry: JsonObject): JsonObject {
  const { revocationListIndex, revocationListCredential, statusListIndex, statusListCredential, ...rest } = entry;
  const index = sameOf([revocationListIndex, statusListIndex], 'revocationListIndex');
  const list = sameOf([revocationListCredential, statusListCredential], 'revocationListCredential');
  const { statusPurpose = 'revocation' } = rest;
  if (!isText(statusPurpose) || statusPurpose.toLowerCase() !== 'revocation')
    throw malformed('/credentialStatus/statusPurpose: is not revocation');
  const digits = typeof index === 'number' && Number.isSafeInteger(index) ? String(index) : index;
  return { ...rest, statusPurpose, statusListIndex: digits, statusListCredential: list };
}

function sameOf(values: readonly unknown[], name: string): unknown {
  const [first, ...others] = values.filter((value) => value !== undefined);
  if (others.every((value) => value === first)) return first;
  throw malformed(`/credentialStatus/${name}: is stated twice`);
}

/** Reads the `status_list` of a credential. @throws DomainError `MalformedValue` when it cannot be checked */
export function readTokenEntry(entry: unknown): TokenStatusEntry {
  const place = readPlace(entry, 'status_list');
  const { idx: index } = place.entry;
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    throw malformed('/status/status_list/idx: is not a whole number');
  return { kind: 'token', ...place.at, index };
}

/** Reads the `identifier_list` of a credential; its bytes are in base64url. @throws DomainError `MalformedValue` when it cannot be checked */
function readIdentifierEntry(entry: unknown): IdentifierEntry {
  const place = readPlace(entry, 'identifier_list');
  const { id } = place.entry;
  const bytes = isText(id) ? fromBase64url(id) : undefined;
  if (!isText(id) || !bytes || bytes.length > MAX_ID_BYTES)
    throw malformed(`/status/identifier_list/id: is not an identifier of at most ${MAX_ID_BYTES} bytes`);
  return { kind: 'identifier', ...place.at, id };
}

/** What the lists of the IETF and of ISO are named with. */
function readPlace(entry: unknown, name: 'status_list' | 'identifier_list'): { entry: JsonObject; at: PlaceInList } {
  if (!isObject(entry)) throw malformed(`/status/${name}: is not an object`);
  const { uri: list, certificate } = entry;
  if (!isText(list) || !httpUrl(list)) throw malformed(`/status/${name}/uri: is not an http or https URL`);
  if (certificate === undefined) return { entry, at: { list } };
  const anchor = isText(certificate) ? fromBase64url(certificate) : undefined;
  if (!anchor) throw malformed(`/status/${name}/certificate: is not a certificate`);
  return { entry, at: { list, anchor } };
}
