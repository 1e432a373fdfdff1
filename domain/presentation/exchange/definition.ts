import { FORMATS, type FormatFacts } from '../../credentials/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../../keys/key-types.ts';
import { checkDocumentSize } from '../../network/document-bounds.ts';

/** One demand on a credential (DIF Presentation Exchange 2.0, input descriptor field); unknown members are kept. */
export interface DescriptorField extends JsonObject {
  /** JSONPaths in order of preference. */
  path: string[];
  filter?: unknown;
  optional?: boolean;
}

/** What one requested credential has to look like; unknown members are kept. */
export interface InputDescriptor extends JsonObject {
  id: string;
  format?: Record<string, unknown>;
  constraints: JsonObject & { fields: DescriptorField[] };
}

/** A presentation definition (DIF Presentation Exchange 2.0); unknown members are kept. */
export interface PresentationDefinition extends JsonObject {
  id: string;
  input_descriptors: InputDescriptor[];
}

const MAX_DESCRIPTORS = 64;
const MAX_FIELDS = 256;
const MAX_PATHS = 16;
const MAX_ALGORITHMS = 64;

const VERIFIED_ALGORITHMS = [...new Set(KEY_TYPE_NAMES.map((name) => KEY_TYPES[name].alg))];

/**
 * Returns the descriptor that asks for a credential of exactly this type. Strict matchers read `contains`; `pattern`,
 * which says nothing of a list, is for older wallets that read no other keyword.
 */
export const descriptorOfType = (
  id: string,
  type: string,
  { name, typePaths }: Pick<FormatFacts, 'name' | 'typePaths'> = FORMATS.jwt_vc_json,
): InputDescriptor => ({
  id,
  format: { [name]: { alg: VERIFIED_ALGORITHMS } },
  constraints: {
    fields: [
      {
        path: [...typePaths],
        filter: { type: 'array', contains: { type: 'string', const: type }, pattern: literalPattern(type) },
      },
    ],
  },
});

/** A pattern that holds wherever the text occurs. */
const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Reads a presentation definition that somebody else wrote; `at` is the JSON Pointer it was found at.
 * @throws DomainError `BadRequest` naming the part that is malformed
 */
export function readDefinition(value: unknown, at = ''): PresentationDefinition {
  if (!isObject(value)) throw invalidField(at, 'must be a presentation definition object');
  const { id, format, input_descriptors: list } = value;
  if (!isText(id)) throw invalidField(`${at}/id`, 'must be a non-empty string');
  readFormat(format, `${at}/format`);
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_DESCRIPTORS)
    throw invalidField(`${at}/input_descriptors`, `must be a list of 1 to ${MAX_DESCRIPTORS} descriptors`);
  const descriptors = list.map((item, index) => readDescriptor(item, `${at}/input_descriptors/${index}`));
  const definition = { ...value, id, input_descriptors: descriptors };
  checkTogether(definition, at);
  return definition;
}

/** The rules of a definition as a whole: its size, distinct ids, a bounded number of fields. @throws DomainError `BadRequest` */
export function checkTogether(definition: PresentationDefinition, at: string): void {
  checkDocumentSize('presentation-definition', JSON.stringify(definition), at);
  const seen = new Set<string>();
  let fields = 0;
  for (const { id, constraints } of definition.input_descriptors) {
    if (seen.has(id))
      throw invalidField(at, `two input descriptors have the id "${id.slice(0, 64)}"; give each an id of its own`);
    seen.add(id);
    fields += constraints.fields.length;
  }
  if (fields > MAX_FIELDS) throw invalidField(at, `there may be at most ${MAX_FIELDS} fields`);
}

/** Reads one input descriptor. @throws DomainError `BadRequest` naming the part that is malformed */
export function readDescriptor(value: unknown, at: string): InputDescriptor {
  if (!isObject(value)) throw invalidField(at, 'must be an input descriptor object');
  const { id, constraints = {} } = value;
  if (!isText(id)) throw invalidField(`${at}/id`, 'must be a non-empty string');
  const format = readFormat(value.format, `${at}/format`);
  if (!isObject(constraints)) throw invalidField(`${at}/constraints`, 'must be an object');
  const { fields = [] } = constraints;
  if (!Array.isArray(fields)) throw invalidField(`${at}/constraints/fields`, 'must be a list');
  const read = fields.map((field, index) => readField(field, `${at}/constraints/fields/${index}`));
  return { ...value, id, ...(format && { format }), constraints: { ...constraints, fields: read } };
}

/** The formats by name; their `alg` is what the signature is compared with. */
function readFormat(format: unknown, at: string): JsonObject | undefined {
  if (format === undefined) return undefined;
  if (!isObject(format)) throw invalidField(at, 'must be an object');
  for (const [name, wanted] of Object.entries(format)) {
    if (!isObject(wanted)) throw invalidField(`${at}/${name.slice(0, 64)}`, 'must be an object');
    const { alg } = wanted;
    const isList = Array.isArray(alg) && alg.length > 0 && alg.length <= MAX_ALGORITHMS && alg.every(isText);
    if (alg !== undefined && !isList)
      throw invalidField(`${at}/${name.slice(0, 64)}/alg`, `must be a list of 1 to ${MAX_ALGORITHMS} algorithms`);
  }
  return format;
}

function readField(value: unknown, at: string): DescriptorField {
  if (!isObject(value)) throw invalidField(at, 'must be an object');
  const { path, filter, optional } = value;
  if (!Array.isArray(path) || path.length === 0 || path.length > MAX_PATHS || !path.every(isText))
    throw invalidField(`${at}/path`, `must be a list of 1 to ${MAX_PATHS} JSONPaths`);
  if (optional !== undefined && typeof optional !== 'boolean')
    throw invalidField(`${at}/optional`, 'must be a boolean');
  return { ...value, path, ...(filter !== undefined && { filter }), ...(optional !== undefined && { optional }) };
}
