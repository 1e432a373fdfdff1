import type * as Library from '@owf/mdoc';
import { fromBase64, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { invalidField } from '../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../domain/foundation/field-paths.ts';
import { isObject } from '../../../domain/foundation/json.ts';
import { parseIso } from '../../../domain/foundation/time.ts';
import type { ElementConversion, ElementType, ElementTypes } from '../../../ports/credential-formats.ts';

/** The members of a namespace, at any depth, whose texts are not CBOR texts. */
interface TypedMembers {
  /** Byte strings, written as base64url, base64 or a data URL. */
  bytes: RegExp;
  /** Full dates (tag 1004) or date-times (tag 0). */
  dates: RegExp;
}

const NONE = /(?!)/;

const ISO_MEMBERS: TypedMembers = {
  bytes: /^(portrait|signature_usual_mark|biometric_template_\w+)$/,
  dates: /^(birth_date|issue_date|expiry_date|portrait_capture_date)$/,
};

/** The table of namespaces; add a row to add one, and one in docs/credentials.md. In other namespaces a text is a text. */
export const NAMESPACES: Readonly<Record<string, TypedMembers>> = {
  // ISO 18013-5 table 5 and §7.2.4
  'org.iso.18013.5.1': ISO_MEMBERS,
  // AAMVA Mobile Driver's License Implementation Guidelines, annex B
  'org.iso.18013.5.1.aamva': { bytes: NONE, dates: /^(issue_date|expiry_date|hazmat_endorsement_expiration_date)$/ },
  // ISO 23220-2 and the photo ID of ISO 23220-4 annex C
  'org.iso.23220.1': ISO_MEMBERS,
  'org.iso.23220.dtc.1': { bytes: /^dtc_(sod|dg\d+)$/, dates: NONE },
  // PID Rulebook, annex A
  'eu.europa.ec.eudi.pid.1': { bytes: /^portrait$/, dates: /^(birth_date|issuance_date|issue_date|expiry_date)$/ },
};

const UNTYPED: TypedMembers = { bytes: NONE, dates: NONE };
const FULL_DATE = /^\d{4}-\d{2}-\d{2}$/;
const LONE_SURROGATE = /\p{Cs}/u;
const DATA_URL = /^data:[^,]*;base64,/;

/** The integers that the encoder of the library writes as integers. */
const [MIN_INTEGER, MAX_INTEGER] = [-(2 ** 31), 2 ** 32 - 1];

/** A member, and its type where that is not the one of its name. */
interface TypedMember {
  name: string;
  type?: ElementType;
}

/** The type of a name, if it has one. */
export const memberType = (types: ElementTypes = {}, name: string): ElementType | undefined =>
  Object.hasOwn(types, name) ? types[name] : undefined;

/** Turns the JSON values of one namespace into values that the library encodes. */
export class ElementValues {
  readonly #typed: TypedMembers;

  constructor(
    private readonly library: typeof Library,
    namespace: string,
  ) {
    this.#typed = (Object.hasOwn(NAMESPACES, namespace) ? NAMESPACES[namespace] : undefined) ?? UNTYPED;
  }

  /** The value of a member, of this type where it is stated; it is named relative to `path` in errors. @throws DomainError `BadRequest` */
  of({ name, type }: TypedMember, value: unknown, path: FieldPath): unknown {
    if (typeof value === 'string') return this.#text({ name, type }, value, path);
    if (typeof value === 'number') return exactNumber(value);
    if (Array.isArray(value))
      return value.map((item, index) => this.of({ name, type: type?.items?.[index] }, item, [...path, index]));
    if (!isObject(value)) return value;
    return new Map(
      Object.entries(value).map(([key, part]) => [
        key,
        this.of({ name: key, type: memberType(type?.members, key) }, part, [...path, key]),
      ]),
    );
  }

  #text({ name, type }: TypedMember, text: string, path: FieldPath): unknown {
    if (type?.conversion) return this.#converted(type.conversion, text, path);
    if (this.#typed.bytes.test(name)) return readBytes(text, path);
    if (this.#typed.dates.test(name)) return this.#date(text, path);
    if (LONE_SURROGATE.test(text)) throw invalidField(path, 'is not well-formed Unicode');
    return text;
  }

  #converted(conversion: ElementConversion, text: string, path: FieldPath): unknown {
    if (conversion.startsWith('base64')) return readBytes(text, path);
    const isFullDate = conversion === 'stringToFullDate';
    if (FULL_DATE.test(text) === isFullDate) return this.#date(text, path);
    throw invalidField(path, `must be a ${isFullDate ? 'date such as 1980-01-31' : 'date-time with its zone'}`);
  }

  #date(text: string, path: FieldPath): unknown {
    const ms = parseIso(text);
    if (ms === undefined) throw invalidField(path, 'must be a date such as 1980-01-31, or a date-time with its zone');
    return FULL_DATE.test(text) ? new this.library.DateOnly(text) : new Date(ms);
  }
}

function readBytes(text: string, path: FieldPath): Uint8Array {
  const encoded = text.replace(DATA_URL, '');
  const bytes = fromBase64url(encoded) ?? fromBase64(encoded);
  if (!bytes?.length) throw invalidField(path, 'must be bytes as base64url, base64 or a data URL with base64');
  return bytes;
}

/** The encoder writes larger integers as floating-point numbers unless they are BigInts. */
const exactNumber = (value: number): number | bigint =>
  Number.isSafeInteger(value) && (value < MIN_INTEGER || value > MAX_INTEGER) ? BigInt(value) : value;
