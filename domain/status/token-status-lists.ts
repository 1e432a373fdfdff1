import { decompress, fromBase64url } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { MAX_ENCODED_LIST_LENGTH } from '../network/document-bounds.ts';
import type { TokenStatusEntry } from './status-entries.ts';

/** A parsed Token Status List; its signature is verified elsewhere. */
export interface TokenStatusList {
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

/**
 * Reads the claims of a list that was fetched from a URL (§5, §8.3).
 * @throws DomainError `StatusVerification` when it is not the requested list, `MalformedValue`
 */
export function readTokenList(claims: JsonObject, url: string): TokenStatusList {
  const ttlMs = readListTimes(claims, url);
  const { status_list: list } = claims;
  const { bits, lst } = isObject(list) ? list : {};
  if (typeof bits !== 'number' || !SIZES.includes(bits))
    throw malformed(`The bits of the status list are not ${SIZES.join(', ')}`);
  return { bits, statuses: inflated(lst), ttlMs };
}

/**
 * Checks that a list is the one of this URL and dated; returns for how many milliseconds it may be cached, if it says so.
 * @throws DomainError as `readTokenList`
 */
export function readListTimes({ sub, iat, ttl }: JsonObject, url: string): number | undefined {
  if (sub !== url) throw unverified('The sub of the status list is not the URL that the credential names');
  if (typeof iat !== 'number') throw malformed('The status list has no iat');
  if (ttl === undefined) return undefined;
  if (typeof ttl === 'number' && ttl > 0) return ttl * 1000;
  throw malformed('The ttl of the status list is not a positive number of seconds');
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
