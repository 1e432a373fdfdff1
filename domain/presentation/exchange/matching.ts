import type { JsonPaths } from '../../../ports/json-path.ts';
import type { JsonSchemas, SchemaCheck } from '../../../ports/json-schema.ts';
import type { CredentialFormats } from '../../credentials/formats.ts';
import { invalidField, isDomainError } from '../../foundation/errors.ts';
import { asList, countValues, isObject, type JsonObject } from '../../foundation/json.ts';
import type { DescriptorField, InputDescriptor, PresentationDefinition } from './definition.ts';

/** What matching needs from outside; `locate` gives the JSON Pointer by which errors name a descriptor. */
export interface MatchingPorts {
  paths: JsonPaths;
  schemas: JsonSchemas;
  formats: CredentialFormats;
  locate?: (descriptorIndex: number) => string;
}

interface CompiledField {
  /** Values the field's filter and paths consist of: a measure of what one look at a document costs. */
  cost: number;
  paths: ((document: unknown) => unknown[])[];
  optional: boolean;
  /** Whether one value found by a path is accepted. */
  accepts(value: unknown): boolean;
}

/** One member of a `format` object: a format under its canonical name and the JOSE algorithms that it lists. */
interface AcceptedFormat {
  format: string;
  isPresentation: boolean;
  algorithms?: unknown[];
}

/** An input descriptor ready to be held against documents. */
export interface CompiledDescriptor {
  id: string;
  descriptor: InputDescriptor;
  /** Every `format` object that applies: that of the definition and its own. */
  formats: AcceptedFormat[][];
  fields: CompiledField[];
}

/** A definition ready to be held against documents; descriptors are in the definition's order. */
export interface CompiledDefinition {
  definition: PresentationDefinition;
  descriptors: CompiledDescriptor[];
  /** Times the number of values in the documents, this bounds the work of matching. */
  cost: number;
}

/**
 * Compiles every path and filter of a definition.
 * @throws DomainError `BadRequest` naming the path or filter that is not valid or too dangerous to run
 */
export async function compileDefinition(
  definition: PresentationDefinition,
  ports: MatchingPorts,
): Promise<CompiledDefinition> {
  const { locate = (index) => `/input_descriptors/${index}` } = ports;
  const descriptors = await Promise.all(
    definition.input_descriptors.map(async (descriptor, index) => ({
      id: descriptor.id,
      descriptor,
      formats: [definition.format, descriptor.format].filter(isObject).map((format) => acceptedFormats(format, ports)),
      fields: await Promise.all(
        descriptor.constraints.fields.map((field, at) =>
          compileField(field, ports, `${locate(index)}/constraints/fields/${at}`),
        ),
      ),
    })),
  );
  const cost = sum(descriptors.flatMap(({ fields }) => fields.map((field) => field.cost)));
  return { definition, descriptors, cost };
}

const acceptedFormats = (listed: JsonObject, { formats }: MatchingPorts): AcceptedFormat[] =>
  Object.entries(listed).map(([name, wanted]) => {
    const algorithms = isObject(wanted) && wanted.alg !== undefined ? asList(wanted.alg) : undefined;
    return { format: formats.canonicalName(name), isPresentation: isOfPresentation(name, formats), algorithms };
  });

/** A format without a row of its own is known by the ending of its name. */
const isOfPresentation = (name: string, formats: CredentialFormats): boolean =>
  formats.ofPresentation(name) !== undefined || (!formats.known(name) && /_vp(?:_json)?$/.test(name));

async function compileField(field: DescriptorField, ports: MatchingPorts, at: string): Promise<CompiledField> {
  const { filter } = field;
  const paths = field.path.map((path, index) => named(`${at}/path/${index}`, () => ports.paths.compile(path)));
  const shared = {
    paths,
    optional: field.optional === true,
    cost: sum(field.path.map(pathCost)) + countValues(filter),
  };
  if (filter === undefined) return { ...shared, accepts: () => true };
  if (JSON.stringify(filter).includes('"$ref"')) throw invalidField(`${at}/filter`, 'may not hold references');
  const check = await ports.schemas
    .compile(filter)
    .catch((error: unknown) => named(`${at}/filter`, () => rethrow(error)));
  return { ...shared, accepts: acceptsBy(check, isObject(filter) && filter.type === 'string') };
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** A path to one place costs little; one with wildcards, filters or descendants looks at the whole document. */
const pathCost = (path: string): number => (/[*?:,]|\.\./.test(path) ? 4 : 1);

/** A filter for strings accepts a list in which one element passes: types are written as a string or as a list. */
const acceptsBy =
  (check: SchemaCheck, forStrings: boolean) =>
  (value: unknown): boolean =>
    forStrings && Array.isArray(value) ? value.some((item) => check(item).length === 0) : check(value).length === 0;

function named<T>(at: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    throw invalidField(at, error.message);
  }
}

function rethrow(error: unknown): never {
  throw error;
}

/**
 * Whether a document satisfies every field of a descriptor. The document of a W3C JWT credential is the whole payload,
 * so that its paths start with `$.vc` in the data model 1.1.
 */
export const matches = (descriptor: CompiledDescriptor, document: unknown): boolean =>
  descriptor.fields.every((field) => fieldHolds(field, document));

/** The paths are tried in their order until one has a value that passes; an optional field may have no value at all. */
function fieldHolds({ paths, optional, accepts }: CompiledField, document: unknown): boolean {
  let isLocated = false;
  for (const path of paths) {
    const found = path(document);
    if (found.some(accepts)) return true;
    isLocated ||= found.length > 0;
  }
  return optional && !isLocated;
}

/** A credential or presentation as a `format` object sees it. */
export interface PresentedFormat {
  /** The canonical name. */
  format: string;
  isPresentation?: boolean;
  /** The JOSE algorithm of its signature; when left out, any is taken. */
  alg?: string;
}

/**
 * Whether a descriptor takes this format, signed with this algorithm: where format names of its kind are listed, one
 * must be its own and list the algorithm, unless that one lists none. All names of one format are equal.
 */
export const acceptsFormat = (
  { formats }: CompiledDescriptor,
  { format, isPresentation = false, alg }: PresentedFormat,
): boolean =>
  formats.every((listed) => {
    const ofItsKind = listed.filter((accepted) => accepted.isPresentation === isPresentation);
    const isTaken = ({ format: name, algorithms }: AcceptedFormat): boolean =>
      name === format && (alg === undefined || algorithms === undefined || algorithms.includes(alg));
    return ofItsKind.length === 0 || ofItsKind.some(isTaken);
  });

/** For each descriptor, in order, the indices of the documents that satisfy it; order of documents changes nothing else. */
export const candidates = (compiled: CompiledDefinition, documents: readonly unknown[]): number[][] =>
  compiled.descriptors.map((descriptor) =>
    documents.flatMap((document, index) => (matches(descriptor, document) ? [index] : [])),
  );
