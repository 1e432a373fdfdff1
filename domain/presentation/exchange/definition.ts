import type { FormatFacts, TypeSelector } from '../../credentials/formats/facts.ts';
import { JWT_VC } from '../../credentials/formats/jwt-vc.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { ALGORITHMS } from '../../jose/key-types.ts';
import { MDOC_ALGORITHMS } from '../../keys/cose-algorithms.ts';
import { checkDocumentSize } from '../../network/document-bounds.ts';

/** One field of an input descriptor (DIF Presentation Exchange 2.0); unknown members are kept. */
export interface DescriptorField extends JsonObject {
  /** JSONPaths in order of preference. */
  path: string[];
  filter?: unknown;
  optional?: boolean;
}

/** What one requested credential must satisfy (DIF Presentation Exchange 2.0); unknown members are kept. */
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

/** An element that a document is asked for: its namespace and its identifier. */
export interface RequestedElement {
  path: readonly [nameSpace: string, element: string];
  /** Whether a document without it satisfies the request too. */
  optional?: boolean;
}

/** The elements that documents are asked for by their type alone. */
export type DocumentElements = ReadonlyMap<string, readonly RequestedElement[]>;

/** What the descriptor of a format is made of. */
interface DescribedFormat extends Pick<FormatFacts, 'name' | 'typePaths' | 'selector'> {
  documents?: DocumentElements;
}

/** What a descriptor of one type asks for. */
type TypeRequest = Required<Pick<InputDescriptor, 'format' | 'constraints'>>;

/** The format and the constraints of a requested type, by the member that names it. */
const REQUESTS: Readonly<Record<TypeSelector, (type: string, format: DescribedFormat) => TypeRequest>> = {
  // Strict matchers read `contains`; `pattern`, which JSON Schema ignores for a list, is for older wallets.
  type: (type, { name, typePaths }) => {
    const contains = { type: 'string', const: type };
    const filter = { type: 'array', contains, pattern: literalPattern(type) };
    return { format: { [name]: { alg: ALGORITHMS } }, constraints: { fields: [{ path: [...typePaths], filter }] } };
  },
  // Without `limit_disclosure`: which claims are shown is for the user to decide.
  vct: (type, { name, typePaths }) => {
    const filter = { type: 'string', const: type, pattern: literalPattern(type) };
    return { format: { [name]: {} }, constraints: { fields: [{ path: [...typePaths], filter }] } };
  },
  // Without elements, which ones are shown is for the user to decide.
  doc_type: (type, { name, documents }) => {
    const fields = elementsOf(type, documents).map(({ path, ...more }) => ({
      path: [`$${path.map((part) => `['${part.replace(/['\\]/g, '\\$&')}']`).join('')}`],
      intent_to_retain: false,
      ...more,
    }));
    const limits = fields.length > 0 && { limit_disclosure: 'required' };
    return { format: { [name]: { alg: MDOC_ALGORITHMS } }, constraints: { ...limits, fields } };
  },
};

const MDL = { type: 'org.iso.18013.5.1.mDL', namespace: 'org.iso.18013.5.1' } as const;

/** The mandatory elements of a mobile driving licence (ISO 18013-5 §7.2.1). */
const MDL_ELEMENTS = [
  ...['family_name', 'given_name', 'birth_date', 'issue_date', 'expiry_date', 'issuing_country', 'issuing_authority'],
  ...['document_number', 'portrait', 'driving_privileges', 'un_distinguishing_sign'],
];

const MDL_REQUEST: DocumentElements = new Map([
  [MDL.type, MDL_ELEMENTS.map((name) => ({ path: [MDL.namespace, name] }))],
]);

function elementsOf(type: string, documents: DocumentElements = MDL_REQUEST): readonly RequestedElement[] {
  const elements = documents.get(type) ?? MDL_REQUEST.get(type);
  if (elements) return elements;
  const known = [...new Set([...documents.keys(), MDL.type])].slice(0, 16).join(', ');
  throw invalidField(
    ['doc_type'],
    `needs an input_descriptor that names its elements: of those configured are ${known}`,
  );
}

/**
 * Returns the descriptor that requests a credential of exactly this type.
 * @throws DomainError `BadRequest` naming `doc_type` for a document whose elements are not known
 */
export const descriptorOfType = (id: string, type: string, format: DescribedFormat = JWT_VC): InputDescriptor => ({
  id,
  ...REQUESTS[format.selector](type, format),
});

/** A pattern that matches every text that contains this one. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Reads a presentation definition from outside. @throws DomainError `BadRequest` naming the part that is malformed */
export function readDefinition(value: unknown): PresentationDefinition {
  if (!isObject(value)) throw invalidField([], 'must be a presentation definition object');
  const { id, format, input_descriptors: list } = value;
  if (!isText(id)) throw invalidField(['id'], 'must be a non-empty string');
  at(['format'], () => readFormat(format));
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_DESCRIPTORS)
    throw invalidField(['input_descriptors'], `must be a list of 1 to ${MAX_DESCRIPTORS} descriptors`);
  const descriptors = list.map((item, index) => at(['input_descriptors', index], () => readDescriptor(item)));
  const definition = { ...value, id, input_descriptors: descriptors };
  checkDefinition(definition);
  return definition;
}

/** Checks a definition as a whole: its size, distinct ids, a bounded number of fields. @throws DomainError `BadRequest` */
export function checkDefinition(definition: PresentationDefinition): void {
  checkDocumentSize('presentation-definition', JSON.stringify(definition));
  const seen = new Set<string>();
  let fields = 0;
  for (const { id, constraints } of definition.input_descriptors) {
    if (seen.has(id))
      throw invalidField([], `two input descriptors have the id "${id.slice(0, 64)}"; give each an id of its own`);
    seen.add(id);
    fields += constraints.fields.length;
  }
  if (fields > MAX_FIELDS) throw invalidField([], `there may be at most ${MAX_FIELDS} fields`);
}

/** Reads one input descriptor. @throws DomainError `BadRequest` naming the part that is malformed */
export function readDescriptor(value: unknown): InputDescriptor {
  if (!isObject(value)) throw invalidField([], 'must be an input descriptor object');
  const { id, constraints = {} } = value;
  if (!isText(id)) throw invalidField(['id'], 'must be a non-empty string');
  const format = at(['format'], () => readFormat(value.format));
  if (!isObject(constraints)) throw invalidField(['constraints'], 'must be an object');
  const { fields = [] } = constraints;
  if (!Array.isArray(fields)) throw invalidField(['constraints', 'fields'], 'must be a list');
  const read = fields.map((field, index) => at(['constraints', 'fields', index], () => readField(field)));
  return { ...value, id, ...(format && { format }), constraints: { ...constraints, fields: read } };
}

/** Reads the formats by name; a signature's algorithm must be in their `alg`. */
function readFormat(format: unknown): JsonObject | undefined {
  if (format === undefined) return undefined;
  if (!isObject(format)) throw invalidField([], 'must be an object');
  for (const [name, wanted] of Object.entries(format)) {
    if (!isObject(wanted)) throw invalidField([name.slice(0, 64)], 'must be an object');
    const { alg } = wanted;
    const isList = Array.isArray(alg) && alg.length > 0 && alg.length <= MAX_ALGORITHMS && alg.every(isText);
    if (alg !== undefined && !isList)
      throw invalidField([name.slice(0, 64), 'alg'], `must be a list of 1 to ${MAX_ALGORITHMS} algorithms`);
  }
  return format;
}

function readField(value: unknown): DescriptorField {
  if (!isObject(value)) throw invalidField([], 'must be an object');
  const { path, filter, optional } = value;
  if (!Array.isArray(path) || path.length === 0 || path.length > MAX_PATHS || !path.every(isText))
    throw invalidField(['path'], `must be a list of 1 to ${MAX_PATHS} JSONPaths`);
  if (optional !== undefined && typeof optional !== 'boolean') throw invalidField(['optional'], 'must be a boolean');
  return { ...value, path, ...(filter !== undefined && { filter }), ...(optional !== undefined && { optional }) };
}
