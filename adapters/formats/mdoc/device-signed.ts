import type * as Library from '@owf/mdoc';
import { badRequest } from '../../../domain/foundation/errors.ts';
import { type DetachedSign1, parseDetachedSign1 } from './cose.ts';

/** The names of elements and their values, by namespace. */
export type DeviceNameSpaces = Map<string, Map<string, unknown>>;

/** A parsed DeviceSigned (ISO 18013-5 §8.3.2.1.2.2); its signature is unverified. */
export interface DeviceSigned {
  nameSpaces: DeviceNameSpaces;
  /** The DeviceNameSpacesBytes as received. */
  encoded: Library.DataItem;
  signature: DetachedSign1;
}

/** Parses a decoded DeviceSigned. @throws DomainError `BadRequest` */
export function parseDeviceSigned(value: unknown, library: typeof Library): DeviceSigned {
  const members = membersOf(value, ['nameSpaces', 'deviceAuth'], 'DeviceSigned');
  const auth = membersOf(members.get('deviceAuth'), ['deviceSignature', 'deviceMac'], 'DeviceAuth');
  if (auth.has('deviceMac')) throw badRequest('a deviceMac needs a key of the reader, which no session has here');
  const encoded = members.get('nameSpaces');
  if (!(encoded instanceof library.DataItem) || !isNameSpaces(encoded.data))
    throw badRequest('the nameSpaces of its deviceSigned are not DeviceNameSpacesBytes');
  return { nameSpaces: encoded.data, encoded, signature: parseDetachedSign1(auth.get('deviceSignature'), library) };
}

const isNameSpaces = (value: unknown): value is DeviceNameSpaces =>
  isTextMap(value) && [...value.values()].every(isTextMap);

const isTextMap = (value: unknown): value is Map<string, unknown> =>
  value instanceof Map && [...value.keys()].every((name) => typeof name === 'string');

/** A map with no other members than these. @throws DomainError `BadRequest` */
export function membersOf(value: unknown, names: readonly string[], structure: string): Map<string, unknown> {
  if (isTextMap(value) && [...value.keys()].every((name) => names.includes(name))) return value;
  throw badRequest(`it has no ${structure} of ${names.join(', ')} alone`);
}

/**
 * Checks that the issuer lets the device sign these elements (ISO 18013-5 §9.1.2.4, KeyAuthorizations).
 * @throws DomainError `BadRequest`
 */
export function checkAuthorized(nameSpaces: DeviceNameSpaces, authorized: Library.KeyAuthorizations | undefined): void {
  for (const [nameSpace, elements] of nameSpaces) {
    if (authorized?.namespaces?.includes(nameSpace)) continue;
    const allowed = authorized?.dataElements?.get(nameSpace) ?? [];
    const other = [...elements.keys()].find((name) => !allowed.includes(name));
    if (other !== undefined || elements.size === 0)
      throw badRequest(`its issuer lets the device not sign ${nameSpace.slice(0, 64)} ${(other ?? '').slice(0, 64)}`);
  }
}

/** What a device signs. */
interface DeviceStatement {
  transcript: unknown[];
  docType: string;
  encoded: Library.DataItem;
}

/** The DeviceAuthenticationBytes (ISO 18013-5 §9.1.3.4). */
export const deviceAuthentication = (
  { transcript, docType, encoded }: DeviceStatement,
  { cborEncode, DataItem }: typeof Library,
): Uint8Array => cborEncode(DataItem.fromData(['DeviceAuthentication', transcript, docType, encoded]));
