import { fromBase64, fromBase64url, fromHex } from '../../../domain/foundation/bytes.ts';
import { at, invalidField } from '../../../domain/foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../../domain/foundation/json.ts';
import { httpUrl } from '../../../domain/network/urls.ts';

type Mechanism = 'status_list' | 'identifier_list';

const MAX_INDEX = 2 ** 32 - 1;

/** How the position of a credential in its list is read, by mechanism. */
const POSITIONS: Readonly<Record<Mechanism, { member: string; read(value: unknown): unknown }>> = {
  status_list: { member: 'idx', read: readIndex },
  identifier_list: { member: 'id', read: readBytes },
};

const MECHANISMS = Object.keys(POSITIONS) as Mechanism[];

/** The `status` of a MobileSecurityObject (ISO 18013-5 second edition): exactly one mechanism. @throws DomainError `BadRequest` */
export function encodeStatus(status: unknown): Map<string, unknown> {
  const given = isObject(status) ? MECHANISMS.filter((name) => status[name] != null) : [];
  const [mechanism] = given;
  if (!isObject(status) || mechanism === undefined || given.length > 1 || hasOthers(status, MECHANISMS))
    throw invalidField([], `must have exactly one of ${MECHANISMS.join(' and ')}`);
  return new Map([[mechanism, at([mechanism], () => encodeEntry(mechanism, status[mechanism]))]]);
}

function encodeEntry(mechanism: Mechanism, entry: unknown): Map<string, unknown> {
  const { member, read } = POSITIONS[mechanism];
  if (!isObject(entry) || hasOthers(entry, [member, 'uri', 'certificate']))
    throw invalidField([], `must be an object of ${member}, uri and certificate`);
  const { uri, certificate } = entry;
  const position = at([member], () => read(entry[member]));
  if (!isText(uri) || !httpUrl(uri)) throw invalidField(['uri'], 'must be an absolute http or https URL');
  const encoded = new Map<string, unknown>([
    [member, position],
    ['uri', uri],
  ]);
  return certificate == null
    ? encoded
    : encoded.set(
        'certificate',
        at(['certificate'], () => readBytes(certificate)),
      );
}

const hasOthers = (value: JsonObject, names: readonly string[]): boolean =>
  Object.keys(value).some((name) => !names.includes(name));

function readIndex(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_INDEX) return Number(value);
  throw invalidField([], `must be an integer from 0 to ${MAX_INDEX}`);
}

function readBytes(value: unknown): Uint8Array {
  const bytes = isText(value) ? bytesOf(value) : undefined;
  if (!bytes?.length) throw invalidField([], 'must be bytes in hexadecimal, base64url or base64');
  return bytes;
}

const bytesOf = (text: string): Uint8Array | undefined =>
  fromHex(text.replace(/^0x/i, '')) ?? fromBase64url(text) ?? fromBase64(text);
