import type { SignedPart } from '../credentials/formats/facts.ts';
import type { RequestableFormat } from '../credentials/formats/formats.ts';
import { at, invalidField } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { ALGORITHMS } from '../jose/key-types.ts';
import { mdocNumbers } from '../keys/cose-algorithms.ts';

// How verifiers say which algorithms they accept of each format (OpenID4VP 1.0 annex B).

/** The metadata of formats: every algorithm that is verified here. */
export const supportedFormats = (formats: readonly RequestableFormat[]): JsonObject =>
  Object.fromEntries(formats.map((format) => [format.name, metadataOf(format)]));

function metadataOf(format: RequestableFormat): JsonObject {
  const values = ALGORITHMS.flatMap((alg) => valuesOf(alg, format));
  return Object.fromEntries(membersOf(format).map((member) => [member, values]));
}

/** The values that an algorithm has in these lists. */
const valuesOf = (alg: string, { signatures }: RequestableFormat): readonly (string | number)[] =>
  signatures === 'COSE' ? mdocNumbers(alg) : [alg];

const membersOf = ({ presentation }: RequestableFormat): string[] => Object.values(presentation.v1.algorithmMembers);

/** Whether the request accepted an algorithm; where it lists none for a part, every one (§11.1, annex B). */
export function isAccepted(
  metadata: unknown,
  { format, part, alg }: { format: RequestableFormat | undefined; part: SignedPart; alg: string },
): boolean {
  const stated =
    format && isObject(metadata) && Object.hasOwn(metadata, format.name) ? metadata[format.name] : undefined;
  if (!format || !isObject(stated)) return false;
  const listed = stated[format.presentation.v1.algorithmMembers[part]];
  return !Array.isArray(listed) || valuesOf(alg, format).some((value) => listed.includes(value));
}

/** Reads the `vp_formats_supported` of a caller for the formats of a query. @throws DomainError `BadRequest` */
export function readFormats(value: unknown, formats: readonly RequestableFormat[]): JsonObject {
  if (!isObject(value)) throw invalidField([], 'must be an object of formats');
  for (const format of formats) at([format.name], () => checkFormat(format, value[format.name]));
  return value;
}

function checkFormat(format: RequestableFormat, value: unknown): void {
  if (!isObject(value)) throw invalidField([], 'is required: a credential of this format is asked for');
  for (const member of membersOf(format)) {
    const listed = value[member];
    if (listed !== undefined && !(Array.isArray(listed) && listed.length > 0))
      throw invalidField([member], 'must be a list of algorithms that is not empty');
  }
}
