import type { CredentialFormats, FormatFacts } from '../credentials/formats.ts';
import { invalidField } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import {
  checkTogether,
  descriptorOfType,
  type InputDescriptor,
  type PresentationDefinition,
  readDefinition,
  readDescriptor,
} from '../presentation/exchange/definition.ts';

/** One element of `request_credentials`, in whichever of its forms it came. */
export interface RequestedCredential {
  descriptor: InputDescriptor;
  /** The type selector. */
  type?: string;
  /** Own policies as written. */
  policies?: unknown[];
  /** JSON Pointer of the element. */
  at: string;
}

/** Where an element is read, and the formats it may name. */
interface Reading {
  /** JSON Pointer of the element. */
  at: string;
  formats: CredentialFormats;
}

/** Reads `request_credentials`. @throws DomainError `BadRequest` naming the element and what is wrong with it */
export function readRequestedCredentials(
  list: readonly unknown[],
  { at, formats: known }: Reading,
): RequestedCredential[] {
  const read = list.map((item, index) => readElement(item, { at: `${at}/${index}`, formats: known }));
  const formats = new Set(read.map(({ format }) => format));
  if (formats.size > 1) throw invalidField(at, 'all credentials of one request must have the same format');
  return read.map(({ requested }) => requested);
}

interface Element {
  format: string;
  requested: RequestedCredential;
}

function readElement(item: unknown, reading: Reading): Element {
  const { at, formats } = reading;
  if (isText(item)) return elementOfType(item, reading);
  if (!isObject(item)) throw invalidField(at, 'must be a credential type or an object');
  if (item.credential === undefined) return readSpecification(item, reading);
  if (!isText(item.credential)) throw invalidField(`${at}/credential`, 'must be a credential type');
  const other = Object.keys(item).find((name) => name !== 'credential' && name !== 'policies');
  if (other !== undefined) throw invalidField(`${at}/${other}`, 'does not go with credential');
  const { format, requested } = elementOfType(item.credential, { at, formats });
  return { format, requested: { ...requested, ...readOwnPolicies(item, at) } };
}

const elementOfType = (type: string, { at, formats: { standard } }: Reading): Element => ({
  format: standard.name,
  requested: { descriptor: descriptorOfType(type, type, standard), type, at },
});

function readSpecification(item: JsonObject, { at, formats }: Reading): Element {
  const custom = item.input_descriptor;
  const descriptor = custom === undefined ? undefined : readDescriptor(custom, `${at}/input_descriptor`);
  if (descriptor) checkFormats(descriptor, { at: `${at}/input_descriptor`, formats });
  const format = readFormat(item, descriptor, { at, formats });
  const { name } = format;
  const type = readType(item, { format, needed: !descriptor, at });
  const id = isText(item.id) ? item.id : type;
  const generated =
    descriptor ?? (type !== undefined && id !== undefined ? descriptorOfType(id, type, format) : undefined);
  if (!generated) throw invalidField(at, 'needs type, vct or doc_type, or an input_descriptor');
  return {
    format: name,
    requested: { descriptor: generated, ...(type !== undefined && { type }), at, ...readOwnPolicies(item, at) },
  };
}

/** The requested format under the name that the request gives it. */
function readFormat(item: JsonObject, descriptor: InputDescriptor | undefined, { at, formats }: Reading): FormatFacts {
  const format = item.format ?? Object.keys(descriptor?.format ?? {})[0];
  if (!isText(format)) throw invalidField(`${at}/format`, 'is required');
  if (!formats.known(format)) throw invalidField(`${at}/format`, `${format.slice(0, 64)} cannot be requested`);
  const supported = formats.supported(format);
  if (!supported) throw invalidField(`${at}/format`, `${format} is not supported by this verifier`);
  return { ...supported, name: format };
}

/** The type selector; a selector that does not go with the format is refused, and so are two. */
function readType(
  item: JsonObject,
  { format, needed, at }: { format: FormatFacts; needed: boolean; at: string },
): string | undefined {
  const given = ['type', 'vct', 'doc_type'].filter((name) => item[name] !== undefined);
  const wrong = given.find((name) => name !== format.selector);
  if (wrong !== undefined) throw invalidField(`${at}/${wrong}`, `does not go with the format ${format.name}`);
  if (given.length === 0 && needed) throw invalidField(`${at}/type`, 'is required');
  if (item.type !== undefined && !isText(item.type)) throw invalidField(`${at}/type`, 'must be a credential type');
  return item.type;
}

function readOwnPolicies({ policies }: JsonObject, at: string): { policies?: unknown[] } {
  if (policies === undefined) return {};
  if (!Array.isArray(policies)) throw invalidField(`${at}/policies`, 'must be a list of policies');
  return { policies };
}

/** What the wallet is asked for: a definition of the verifier's own, or one made of the requested credentials. */
export interface DefinitionSource {
  credentials: RequestedCredential[];
  custom: unknown;
  formats: CredentialFormats;
  /** The id when there is none yet. */
  id: string;
}

/** The definition with, for errors, the JSON Pointer of each of its descriptors. */
export interface LocatedDefinition {
  definition: PresentationDefinition;
  locate: (descriptorIndex: number) => string;
}

/** Makes or reads the presentation definition. @throws DomainError `BadRequest` */
export function definitionFor({ credentials, custom, id, formats }: DefinitionSource): LocatedDefinition {
  if (custom !== undefined) return readCustom(custom, id, formats);
  if (credentials.length === 0) throw invalidField('/body/request_credentials', 'must name at least one credential');
  const definition = { id, input_descriptors: credentials.map(({ descriptor }) => descriptor) };
  checkTogether(definition, '/body/request_credentials');
  return { definition, locate: (index) => `${credentials[index]?.at ?? ''}/input_descriptor` };
}

function readCustom(custom: unknown, id: string, formats: CredentialFormats): LocatedDefinition {
  const at = '/body/presentation_definition';
  const definition = readDefinition(isObject(custom) ? { id, ...custom } : custom, at);
  const locate = (index: number): string => `${at}/input_descriptors/${index}`;
  checkFormats(definition, { at, formats });
  for (const [index, descriptor] of definition.input_descriptors.entries())
    checkFormats(descriptor, { at: locate(index), formats });
  return { definition, locate };
}

function checkFormats({ format }: JsonObject, { at, formats }: Reading): void {
  const names = isObject(format) ? Object.keys(format) : [];
  if (names.length > 0 && !names.some((name) => formats.supported(name) ?? formats.ofPresentation(name)))
    throw invalidField(`${at}/format`, `${names[0]?.slice(0, 64)} is not supported by this verifier`);
}
