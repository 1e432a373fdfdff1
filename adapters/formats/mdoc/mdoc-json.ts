import type * as Library from '@owf/mdoc';
import { base64url } from '../../../domain/foundation/bytes.ts';
import { invalidField } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { checkCbor } from './cbor-bounds.ts';

/** The members whose values are COSE structures: protected header, unprotected header, payload, signature or tag. */
const COSE = ['issuerAuth', 'deviceSignature', 'deviceMac'];
const COSE_PARTS = 4;

/** Turns decoded CBOR into JSON. */
export class MdocJson {
  constructor(
    private readonly library: typeof Library,
    /** COSE structures inside of COSE structures stay bytes: no mdoc has them, and they could be nested without end. */
    private readonly isInCose = false,
  ) {}

  /** Maps as objects, byte strings in base64url, dates as ISO 8601, embedded CBOR decoded. */
  of(value: unknown): unknown {
    const { DataItem, DateOnly } = this.library;
    if (value instanceof Uint8Array) return base64url(value);
    if (value instanceof Map) return this.#members(value);
    if (Array.isArray(value)) return value.map((item) => this.of(item));
    if (value instanceof DataItem) return this.of(value.data);
    if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
    if (value instanceof DateOnly) return value.toISOString();
    return plain(value);
  }

  #members(map: Map<unknown, unknown>): JsonObject {
    const entries = [...map].map(([name, value]): [string, unknown] => {
      return [String(name), this.#isCose(name, value) ? this.#cose(value) : this.of(value)];
    });
    return jsonObject(entries);
  }

  #isCose(name: unknown, value: unknown): value is unknown[] {
    return !this.isInCose && COSE.includes(String(name)) && Array.isArray(value) && value.length === COSE_PARTS;
  }

  /** The protected header and the payload are CBOR in byte strings (RFC 9052 §2). */
  #cose([protectedHeader, unprotectedHeader, payload, signature]: unknown[]): unknown[] {
    return [this.#embedded(protectedHeader), this.of(unprotectedHeader), this.#embedded(payload), this.of(signature)];
  }

  #embedded(value: unknown): unknown {
    if (!(value instanceof Uint8Array) || value.length === 0) return this.of(value);
    checkCbor(value);
    return new MdocJson(this.library, true).of(this.library.cborDecode(value));
  }
}

/** An object of members with the names that JSON from outside may have. @throws DomainError `BadRequest` */
export function jsonObject(members: readonly (readonly [string, unknown])[]): JsonObject {
  if (members.some(([name]) => name === '__proto__')) throw invalidField([], 'has a member __proto__');
  return Object.fromEntries(members);
}

/** Numbers that JSON cannot represent exactly are texts. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value ?? null;
}
