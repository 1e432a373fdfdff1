import { decompress, fromBase64url } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { MAX_ENCODED_LIST_LENGTH } from '../network/document-bounds.ts';
import { httpUrl } from '../network/urls.ts';

/** The place of the status of a credential in a Token Status List (draft-ietf-oauth-status-list-21 §6). */
export interface TokenStatusEntry {
  type: 'TokenStatusList';
  /** The URL of the list. */
  list: string;
  index: number;
  /** The certificate, DER, above that of the signer of the list (ISO 18013-5 second edition §12.3.6). */
  anchor?: Uint8Array;
}

/** A parsed Token Status List; its signature is verified elsewhere. */
export interface TokenStatusList {
  type: 'TokenStatusList';
  /** Bits of one status. */
  bits: number;
  /** The statuses; the first is in the least significant bits of the first byte. */
  statuses: Uint8Array;
  /** How long the list may be cached, in milliseconds. */
  ttlMs?: number;
}

const SIZES: readonly unknown[] = [1, 2, 4, 8];
const MAX_LIST_BYTES = 16 * 1024 * 1024;

const malformed = (message: string): DomainError => new DomainError('MalformedValue', message);
const unverified = (message: string): DomainError => new DomainError('StatusVerification', message);

/** Reads the `status_list` of a credential. @throws DomainError `MalformedValue` when it cannot be checked */
export function readTokenEntry(entry: unknown): TokenStatusEntry {
  if (!isObject(entry)) throw malformed('/status/status_list: is not an object');
  const { idx: index, uri: list, certificate } = entry;
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    throw malformed('/status/status_list/idx: is not a whole number');
  if (!isText(list) || !httpUrl(list)) throw malformed('/status/status_list/uri: is not an http or https URL');
  if (certificate === undefined) return { type: 'TokenStatusList', list, index };
  const anchor = isText(certificate) ? fromBase64url(certificate) : undefined;
  if (!anchor) throw malformed('/status/status_list/certificate: is not a certificate');
  return { type: 'TokenStatusList', list, index, anchor };
}

/**
 * Reads the claims of a list that was fetched from a URL (§5, §8.3).
 * @throws DomainError `StatusVerification` when it is not the requested list, `MalformedValue`
 */
export function readTokenList(claims: JsonObject, url: string): TokenStatusList {
  const { sub, iat, ttl, status_list: list } = claims;
  if (sub !== url) throw unverified('The sub of the status list is not the URL that the credential names');
  if (typeof iat !== 'number') throw malformed('The status list has no iat');
  if (ttl !== undefined && !(typeof ttl === 'number' && ttl > 0))
    throw malformed('The ttl of the status list is not a positive number of seconds');
  const { bits, lst } = isObject(list) ? list : {};
  if (typeof bits !== 'number' || !SIZES.includes(bits))
    throw malformed(`The bits of the status list are not ${SIZES.join(', ')}`);
  return { type: 'TokenStatusList', bits, statuses: inflated(lst), ...(ttl !== undefined && { ttlMs: ttl * 1000 }) };
}

function inflated(lst: unknown): Uint8Array {
  const isShort = isText(lst) && lst.length <= MAX_ENCODED_LIST_LENGTH;
  const data = isShort ? fromBase64url(lst) : undefined;
  if (!data)
    throw malformed(`The lst of the status list is not base64url of at most ${MAX_ENCODED_LIST_LENGTH} characters`);
  return decompress('zlib', data, MAX_LIST_BYTES);
}

/** The value at the index of an entry. @throws DomainError `StatusRange` when the list ends before it */
export function tokenValue({ bits, statuses }: TokenStatusList, { index }: TokenStatusEntry): number {
  const byte = statuses[Math.floor((index * bits) / 8)];
  if (byte === undefined)
    throw new DomainError('StatusRange', '/status/status_list/idx: lies beyond the end of the list');
  return (byte >> ((index * bits) % 8)) & ((1 << bits) - 1);
}
