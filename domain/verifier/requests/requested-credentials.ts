import type { FormatFacts } from '../../credentials/formats/facts.ts';
import type { CredentialFormats, PresentableFormat } from '../../credentials/formats/formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import {
  checkDefinition,
  type DocumentElements,
  descriptorOfType,
  type InputDescriptor,
  type PresentationDefinition,
  readDefinition,
  readDescriptor,
} from '../../presentation/exchange/definition.ts';

/** One requested credential, in any of its forms (interface: Requested credential specification). */
export interface RequestedCredential {
  descriptor: InputDescriptor;
  format: string;
  /** The type selector. */
  type?: string;
  /** Policies of its own, unread. */
  policies?: unknown[];
}

/** What can be asked for. */
export interface Requestable {
  formats: CredentialFormats;
  documents: DocumentElements;
}

/** Reads the list of requested credentials. @throws DomainError `BadRequest` naming the element and what is wrong with it */
export const readRequestedCredentials = (list: readonly unknown[], requestable: Requestable): RequestedCredential[] =>
  list.map((item, index) => at([index], () => readElement(item, requestable)));

function readElement(item: unknown, requestable: Requestable): RequestedCredential {
  const { formats } = requestable;
  if (isText(item)) return credentialOfType(item, formats.standard);
  if (!isObject(item)) throw invalidField([], 'must be a credential type or an object');
  if (item.credential === undefined) return readSpecification(item, requestable);
  if (!isText(item.credential)) throw invalidField(['credential'], 'must be a credential type');
  const other = Object.keys(item).find((name) => name !== 'credential' && name !== 'policies');
  if (other !== undefined) throw invalidField([other], 'does not go with credential');
  return { ...credentialOfType(item.credential, formats.standard), ...readOwnPolicies(item) };
}

const credentialOfType = (type: string, format: FormatFacts): RequestedCredential => ({
  format: format.name,
  descriptor: descriptorOfType(type, type, format),
  type,
});

function readSpecification(item: JsonObject, { formats, documents }: Requestable): RequestedCredential {
  const { input_descriptor: custom } = item;
  const own = custom === undefined ? undefined : at(['input_descriptor'], () => readSupported(custom, formats));
  const format = readFormat(item, { descriptor: own, formats });
  const type = readType(item, { format, isRequired: !own });
  const id = isText(item.id) ? item.id : type;
  const described = type !== undefined && id !== undefined;
  const descriptor = own ?? (described ? descriptorOfType(id, type, { ...format, documents }) : undefined);
  if (!descriptor) throw invalidField([], 'needs type, vct or doc_type, or an input_descriptor');
  checkId(descriptor, type, format);
  return { format: format.name, descriptor, ...(type !== undefined && { type }), ...readOwnPolicies(item) };
}

function readSupported(value: unknown, formats: CredentialFormats): InputDescriptor {
  const descriptor = readDescriptor(value);
  checkFormats(descriptor, formats);
  return descriptor;
}

/** The requested format under the name that the request gives it. */
function readFormat(
  item: JsonObject,
  { descriptor, formats }: { descriptor: InputDescriptor | undefined; formats: CredentialFormats },
): FormatFacts {
  const format = item.format ?? Object.keys(descriptor?.format ?? {})[0];
  if (!isText(format)) throw invalidField(['format'], 'is required');
  if (!formats.known(format)) throw invalidField(['format'], `${format.slice(0, 64)} cannot be requested`);
  const supported = formats.supported(format);
  if (!supported?.presentations) throw invalidField(['format'], `${format} is not supported by this verifier`);
  return { ...supported, name: format };
}

/** The type selector; a selector of another format is refused, and so are two. */
function readType(
  item: JsonObject,
  { format, isRequired }: { format: FormatFacts; isRequired: boolean },
): string | undefined {
  const given = ['type', 'vct', 'doc_type'].filter((name) => item[name] !== undefined);
  const wrong = given.find((name) => name !== format.selector);
  if (wrong !== undefined) throw invalidField([wrong], `does not go with the format ${format.name}`);
  if (given.length === 0 && isRequired) throw invalidField([format.selector], 'is required');
  const type = item[format.selector];
  if (type !== undefined && !isText(type)) throw invalidField([format.selector], 'must be a credential type');
  return type;
}

/** The id of a descriptor for documents is their type, by which wallets find them (ISO/IEC TS 18013-7 B.3). */
function checkId({ id }: InputDescriptor, type: string | undefined, format: FormatFacts): void {
  if (!format.isTypeDescriptorId || type === undefined || id === type) return;
  throw invalidField(['id'], `of a descriptor for ${format.name} must be the doc_type`);
}

function readOwnPolicies({ policies }: JsonObject): { policies?: unknown[] } {
  if (policies === undefined) return {};
  if (!Array.isArray(policies)) throw invalidField(['policies'], 'must be a list of policies');
  return { policies };
}

/** What the wallet is asked for: a definition of the verifier's own, or one made of the requested credentials. */
interface DefinitionSource {
  requestedCredentials: RequestedCredential[];
  presentationDefinition: unknown;
  formats: CredentialFormats;
  /** The id of a definition that has none. */
  id: string;
}

/** The definition and, for errors, the path of each of its descriptors in the source. */
export interface LocatedDefinition {
  definition: PresentationDefinition;
  /** The member of the source that the definition is made of. */
  member: 'requestedCredentials' | 'presentationDefinition';
  locate: (descriptorIndex: number) => FieldPath;
}

/** Creates or reads the presentation definition. @throws DomainError `BadRequest` */
export function definitionFor(wanted: DefinitionSource): LocatedDefinition {
  const { requestedCredentials, presentationDefinition, id } = wanted;
  if (presentationDefinition !== undefined) {
    const member = 'presentationDefinition';
    const definition = at([member], () => readOwnDefinition(wanted));
    return { definition, member, locate: (index) => [member, 'input_descriptors', index] };
  }
  const member = 'requestedCredentials';
  if (requestedCredentials.length === 0) throw invalidField([member], 'must name at least one credential');
  const definition = { id, input_descriptors: requestedCredentials.map(({ descriptor }) => descriptor) };
  at([member], () => checkDefinition(definition));
  return { definition, member, locate: (index) => [member, index, 'input_descriptor'] };
}

/** Reads a definition of the verifier's own. @throws DomainError `BadRequest` naming the part of it */
export function readOwnDefinition({
  presentationDefinition: value,
  id,
  formats,
}: Omit<DefinitionSource, 'requestedCredentials'>): PresentationDefinition {
  const definition = readDefinition(isObject(value) ? { id, ...value } : value);
  checkFormats(definition, formats);
  for (const [index, descriptor] of definition.input_descriptors.entries())
    at(['input_descriptors', index], () => checkFormats(descriptor, formats));
  return definition;
}

function checkFormats({ format }: JsonObject, formats: CredentialFormats): void {
  const names = isObject(format) ? Object.keys(format) : [];
  if (names.length > 0 && !names.some((name) => formats.supported(name)?.presentations ?? formats.ofPresentation(name)))
    throw invalidField(['format'], `${names[0]?.slice(0, 64)} is not supported by this verifier`);
}

/** The formats that can satisfy each descriptor: those that both the definition and the descriptor list, or every one. */
export function formatsOf(definition: PresentationDefinition, formats: CredentialFormats): PresentableFormat[][] {
  const isListed = (listed: unknown, format: PresentableFormat): boolean => {
    const names = isObject(listed) ? Object.keys(listed) : [];
    return names.length === 0 || names.some((name) => formats.formatOf(name) === format);
  };
  return definition.input_descriptors.map(({ format: listed }) =>
    formats.presented.filter((format) => isListed(listed, format) && isListed(definition.format, format)),
  );
}

/**
 * The ids and formats of the descriptors of a definition as credential queries: one for each format of a descriptor.
 * @throws DomainError `BadRequest` naming the descriptor that no format can satisfy
 */
export const outlineOf = (definition: PresentationDefinition, formats: CredentialFormats): DcqlQuery => {
  const possible = formatsOf(definition, formats);
  const credentials = definition.input_descriptors.flatMap(({ id }, index) => {
    const names = possible[index]?.map(({ name }) => name) ?? [];
    if (names.length === 0)
      throw invalidField(['input_descriptors', index, 'format'], 'has no format that the definition allows');
    return names.map((format) => ({ ...OUTLINE, id, format }));
  });
  return { credentials, credentialSets: [] };
};

const OUTLINE = { multiple: false, holderBinding: true, meta: {}, claims: [], claimSets: [] };
