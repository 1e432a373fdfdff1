import type { CredentialStatus } from '../../ports/credential-status.ts';
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

/** The statuses with a meaning of their own (§7.1); others are the application's, or reserved. */
const STATUS = { VALID: 0, INVALID: 1, SUSPENDED: 2 } as const;

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

/**
 * What a list says of a credential: whether it is revoked and, where there are bits for it, whether it is suspended.
 * @throws DomainError `StatusRange` when the list ends before the index, `StatusVerification` for a status without a
 * meaning here
 */
export function tokenStatuses({ bits, statuses }: TokenStatusList, { index }: TokenStatusEntry): CredentialStatus[] {
  const byte = statuses[Math.floor((index * bits) / 8)];
  if (byte === undefined)
    throw new DomainError('StatusRange', '/status/status_list/idx: lies beyond the end of the list');
  const status = (byte >> ((index * bits) % 8)) & ((1 << bits) - 1);
  if (status > STATUS.SUSPENDED) throw unverified(`The status ${status} of the credential has no meaning here`);
  const revocation = { purpose: 'revocation', isSet: status === STATUS.INVALID };
  return bits === 1 ? [revocation] : [revocation, { purpose: 'suspension', isSet: status === STATUS.SUSPENDED }];
}
