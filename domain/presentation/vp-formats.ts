import { at, invalidField } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { ALGORITHMS } from '../jose/key-types.ts';
import { mdocNumbers } from '../keys/cose-algorithms.ts';

/** What is signed: a credential by its issuer, or its presentation by the holder. */
export type SignedPart = 'credential' | 'presentation';

interface FormatRow {
  /** The member of the format's metadata that lists the algorithms of each part. */
  members: Readonly<Record<SignedPart, string>>;
  /** The values that an algorithm has in these lists. */
  valuesOf(alg: string): readonly (string | number)[];
}

/** The formats of presentations and how verifiers say which algorithms they accept (OpenID4VP 1.0 annex B). */
const FORMATS: Readonly<Record<string, FormatRow>> = {
  jwt_vc_json: { members: { credential: 'alg_values', presentation: 'alg_values' }, valuesOf: (alg) => [alg] },
  'dc+sd-jwt': {
    members: { credential: 'sd-jwt_alg_values', presentation: 'kb-jwt_alg_values' },
    valuesOf: (alg) => [alg],
  },
  mso_mdoc: {
    members: { credential: 'issuerauth_alg_values', presentation: 'deviceauth_alg_values' },
    valuesOf: mdocNumbers,
  },
};

/** Whether credentials of a format can be requested in this version. */
export const isFormat = (format: string): boolean => Object.hasOwn(FORMATS, format);

/** The names of these formats. */
export const FORMAT_NAMES: readonly string[] = Object.keys(FORMATS);

/** The metadata of the formats that a query names: every algorithm that is verified here. */
export function supportedFormats(formats: Iterable<string>): JsonObject {
  return Object.fromEntries([...new Set(formats)].map((format) => [format, metadataOf(format)]));
}

function metadataOf(format: string): JsonObject {
  const row = FORMATS[format];
  const values = row ? ALGORITHMS.flatMap((alg) => row.valuesOf(alg)) : [];
  return Object.fromEntries(Object.values(row?.members ?? {}).map((member) => [member, values]));
}

/** Whether the request accepted an algorithm; where it lists none for a part, every one (§11.1, annex B). */
export function isAccepted(
  metadata: unknown,
  { format, part, alg }: { format: string; part: SignedPart; alg: string },
): boolean {
  const row = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const stated = isObject(metadata) && Object.hasOwn(metadata, format) ? metadata[format] : undefined;
  if (!row || !isObject(stated)) return false;
  const listed = stated[row.members[part]];
  return !Array.isArray(listed) || row.valuesOf(alg).some((value) => listed.includes(value));
}

/** Reads the `vp_formats_supported` of a caller for the formats of a query. @throws DomainError `BadRequest` */
export function readFormats(value: unknown, formats: Iterable<string>): JsonObject {
  if (!isObject(value)) throw invalidField([], 'must be an object of formats');
  for (const format of new Set(formats)) at([format], () => checkFormat(format, value[format]));
  return value;
}

function checkFormat(format: string, value: unknown): void {
  if (!isObject(value)) throw invalidField([], 'is required: a credential of this format is asked for');
  for (const member of Object.values(FORMATS[format]?.members ?? {})) {
    const listed = value[member];
    if (listed !== undefined && !(Array.isArray(listed) && listed.length > 0))
      throw invalidField([member], 'must be a list of algorithms that is not empty');
  }
}
