import type { LocatedValue } from '../../../ports/json-path.ts';
import type { SchemaCheck } from '../../../ports/json-schema.ts';
import type { ClaimPath } from '../../credentials/disclosure.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { SD_JWT_VC } from '../../credentials/formats/sd-jwt-vc.ts';
import { at, catching, invalidField, replacing } from '../../foundation/errors.ts';
import { asList, countValues, isObject, type JsonObject } from '../../foundation/json.ts';
import type { QueryPorts } from '../matching/compiled-query.ts';
import type { DescriptorField, PresentationDefinition } from './definition.ts';

interface CompiledField {
  /** The number of values in the field's filter and paths: a measure of the cost of one evaluation. */
  cost: number;
  paths: ((document: unknown) => unknown[])[];
  /** The places of the values, by member names and list positions. */
  locate: ((document: unknown) => LocatedValue[])[];
  optional: boolean;
  /** Whether one value found by a path is accepted. */
  accepts(value: unknown): boolean;
  /** Where the first accepted value stands. */
  place(document: unknown): ClaimPath[];
}

/** One member of a `format` object: a format under its canonical name and the JOSE algorithms that it lists. */
interface AcceptedFormat {
  format: string;
  /** One name is of both kinds where a presentation has the format of its credential. */
  isCredential: boolean;
  isPresentation: boolean;
  /** The algorithms of presentations and of credentials, a list or one of them; undefined when it lists none. */
  ofHolder: unknown;
  ofIssuer: unknown;
}

/** An input descriptor with its paths and filters compiled. */
export interface CompiledDescriptor {
  id: string;
  /** Whether the id is the type of the credential, if that is of this format. */
  isTypeIn(format: string): boolean;
  /** Every `format` object that applies: that of the definition and its own. */
  formats: AcceptedFormat[][];
  fields: CompiledField[];
  /** Whether nothing may be disclosed that is not asked for. */
  isLimited: boolean;
  /** The sum of its fields' costs. */
  cost: number;
  /** The places of the values that meet its fields; undefined unless disclosure is limited to them (`limit_disclosure`). */
  requested(document: unknown): ClaimPath[] | undefined;
}

/** Compiles every path and filter of a definition, in the definition's order. @throws DomainError `BadRequest` */
export const compileDescriptors = (
  { format, input_descriptors: descriptors }: PresentationDefinition,
  { locate = (index) => ['input_descriptors', index], ...ports }: QueryPorts,
): Promise<CompiledDescriptor[]> =>
  Promise.all(
    descriptors.map(async ({ id, format: own, constraints }, index) => {
      const compiled = constraints.fields.map((field, position) =>
        at([...locate(index), 'constraints', 'fields', position], () => compileField(field, ports)),
      );
      const fields = await Promise.all(compiled);
      const formats = [format, own].filter(isObject).map((listed) => acceptedFormats(listed, ports.formats));
      const isLimited = constraints.limit_disclosure === 'required';
      const isSparing = isLimited || constraints.limit_disclosure === 'preferred';
      const requested = (document: unknown) => (isSparing ? fields.flatMap(({ place }) => place(document)) : undefined);
      const isTypeIn = (format: string) => ports.formats.supported(format)?.isTypeDescriptorId === true;
      return { id, isTypeIn, formats, fields, isLimited, cost: sum(fields.map(({ cost }) => cost)), requested };
    }),
  );

/** The members of an SD-JWT VC format that list algorithms apart (OpenID4VP draft 20 §A.4.2). */
const { credential: BY_ISSUER, presentation: BY_HOLDER } = SD_JWT_VC.presentation.v1.algorithmMembers;

const acceptedFormats = (listed: JsonObject, formats: CredentialFormats): AcceptedFormat[] =>
  Object.entries(listed).map(([name, wanted]) => {
    const {
      alg,
      [BY_HOLDER]: ofHolder = alg,
      [BY_ISSUER]: ofIssuer = alg,
    }: JsonObject = isObject(wanted) ? wanted : {};
    const isPresentation = isOfPresentation(name, formats);
    const isCredential = formats.known(name) !== undefined || !isPresentation;
    return { format: formats.canonicalName(name), isCredential, isPresentation, ofHolder, ofIssuer };
  });

/** A format without a row of its own is known by the ending of its name. */
const isOfPresentation = (name: string, formats: CredentialFormats): boolean =>
  formats.ofPresentation(name) !== undefined || (!formats.known(name) && /_vp(?:_json)?$/.test(name));

async function compileField(
  { path: texts, filter, optional = false }: DescriptorField,
  ports: QueryPorts,
): Promise<CompiledField> {
  const paths = texts.map((path, index) =>
    at(['path', index], () => catching(refuseField, () => ports.paths.compile(path))),
  );
  const locate = texts.map((path) => ports.paths.locate(path));
  const cost = sum(texts.map(pathCost)) + countValues(filter);
  const placed = (accepts: CompiledField['accepts']): CompiledField => {
    const place = (document: unknown) => placeIn(document, { texts, accepts, ports });
    return { paths, locate, optional, cost, accepts, place };
  };
  if (filter === undefined) return placed(() => true);
  if (JSON.stringify(filter).includes('"$ref"')) throw invalidField(['filter'], 'may not hold references');
  const check = await at(['filter'], () => ports.schemas.compile(filter).catch(refuseField));
  return placed(acceptsBy(check, isObject(filter) && filter.type === 'string'));
}

/** The place of the value that meets a field, of the first path that has one. */
function placeIn(
  document: unknown,
  { texts, accepts, ports }: Pick<CompiledField, 'accepts'> & { texts: string[]; ports: Pick<QueryPorts, 'paths'> },
): ClaimPath[] {
  for (const text of texts) {
    const found = ports.paths
      .locate(text)(document)
      .find(({ value }) => accepts(value));
    if (found) return [[...found.path]];
  }
  return [];
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** A path to one place costs little; one with wildcards, filters or descendants visits the whole document. */
const pathCost = (path: string): number => (/[*?:,]|\.\./.test(path) ? 4 : 1);

/** A filter for strings accepts a list in which one element passes: types are written as a string or as a list. */
const acceptsBy =
  (check: SchemaCheck, forStrings: boolean) =>
  (value: unknown): boolean =>
    forStrings && Array.isArray(value) ? value.some((item) => check(item).length === 0) : check(value).length === 0;

/** The refusal of a path or schema names no field; here it is the value itself. */
const refuseField = replacing('BadRequest', ({ message }) => invalidField([], message));

/**
 * Whether a document satisfies every field of a descriptor. The document of a W3C JWT credential is the whole payload,
 * so that its paths start with `$.vc` in the data model 1.1.
 */
export const matches = (descriptor: Pick<CompiledDescriptor, 'fields'>, document: unknown): boolean =>
  descriptor.fields.every((field) => isFieldMet(field, document));

/** The paths are tried in their order until one has a value that passes; an optional field may have no value at all. */
function isFieldMet({ paths, optional, accepts }: CompiledField, document: unknown): boolean {
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
  readonly format: string;
  readonly isPresentation?: boolean;
  /** The JOSE algorithm of its signature; when absent, every algorithm is accepted. */
  readonly alg?: string;
}

/**
 * Whether a descriptor accepts this format, signed with this algorithm: where format names of its kind are listed, one
 * must be its own and list the algorithm, unless that one lists none. All names of one format are equal. A name of both
 * kinds says nothing about presentations of other formats.
 */
export const acceptsFormat = (
  { formats }: Pick<CompiledDescriptor, 'formats'>,
  { format, isPresentation = false, alg }: PresentedFormat,
): boolean =>
  formats.every((listed) => {
    const ofItsKind = listed.filter((accepted) =>
      isPresentation
        ? accepted.isPresentation && (!accepted.isCredential || accepted.format === format)
        : accepted.isCredential,
    );
    const isAccepted = ({ format: name, ofHolder, ofIssuer }: AcceptedFormat): boolean => {
      const algorithms = isPresentation ? ofHolder : ofIssuer;
      return name === format && (alg === undefined || algorithms === undefined || asList(algorithms).includes(alg));
    };
    return ofItsKind.length === 0 || ofItsKind.some(isAccepted);
  });
