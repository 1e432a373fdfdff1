import { at, invalidField } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import {
  checkDefinition,
  descriptorOfType,
  type InputDescriptor,
  JWT_VC_FORMATS,
  JWT_VP_FORMATS,
  type PresentationDefinition,
  readDefinition,
  readDescriptor,
} from '../presentation/exchange/definition.ts';

/** One requested credential, in any of its forms (interface: Requested credential specification). */
export interface RequestedCredential {
  descriptor: InputDescriptor;
  format: string;
  /** The type selector. */
  type?: string;
  /** Policies of its own, unread. */
  policies?: unknown[];
}

/** The type selector of each format (interface: Requested credential specification). */
const SELECTORS: Record<string, 'type' | 'vct' | 'doc_type'> = {
  jwt_vc_json: 'type',
  jwt_vc: 'type',
  jwt: 'type',
  ldp_vc: 'type',
  ldp: 'type',
  'vc+sd-jwt': 'vct',
  'dc+sd-jwt': 'vct',
  mso_mdoc: 'doc_type',
};

/** Reads the list of requested credentials. @throws DomainError `BadRequest` naming the element and what is wrong with it */
export const readRequestedCredentials = (list: readonly unknown[]): RequestedCredential[] =>
  list.map((item, index) => at([index], () => readElement(item)));

function readElement(item: unknown): RequestedCredential {
  if (isText(item)) return credentialOfType(item);
  if (!isObject(item)) throw invalidField([], 'must be a credential type or an object');
  if (item.credential === undefined) return readSpecification(item);
  if (!isText(item.credential)) throw invalidField(['credential'], 'must be a credential type');
  const other = Object.keys(item).find((name) => name !== 'credential' && name !== 'policies');
  if (other !== undefined) throw invalidField([other], 'does not go with credential');
  return { ...credentialOfType(item.credential), ...readOwnPolicies(item) };
}

const credentialOfType = (type: string): RequestedCredential => ({
  format: 'jwt_vc_json',
  descriptor: descriptorOfType(type, type),
  type,
});

function readSpecification(item: JsonObject): RequestedCredential {
  const { input_descriptor: custom } = item;
  const own = custom === undefined ? undefined : at(['input_descriptor'], () => readSupportedDescriptor(custom));
  const format = readFormat(item, own);
  const type = readType(item, { format, isRequired: !own });
  const id = isText(item.id) ? item.id : type;
  const descriptor = own ?? (type !== undefined && id !== undefined ? descriptorOfType(id, type, format) : undefined);
  if (!descriptor) throw invalidField([], 'needs type, vct or doc_type, or an input_descriptor');
  return { format, descriptor, ...(type !== undefined && { type }), ...readOwnPolicies(item) };
}

function readSupportedDescriptor(value: unknown): InputDescriptor {
  const descriptor = readDescriptor(value);
  checkFormats(descriptor);
  return descriptor;
}

function readFormat(item: JsonObject, descriptor: InputDescriptor | undefined): string {
  const format = item.format ?? Object.keys(descriptor?.format ?? {})[0];
  if (!isText(format)) throw invalidField(['format'], 'is required');
  if (!Object.hasOwn(SELECTORS, format)) throw invalidField(['format'], `${format.slice(0, 64)} cannot be requested`);
  if (!JWT_VC_FORMATS.includes(format)) throw invalidField(['format'], `${format} is not supported by this verifier`);
  return format;
}

/** The type selector; a selector of another format is refused, and so are two. */
function readType(
  item: JsonObject,
  { format, isRequired }: { format: string; isRequired: boolean },
): string | undefined {
  const given = ['type', 'vct', 'doc_type'].filter((name) => item[name] !== undefined);
  const wrong = given.find((name) => name !== SELECTORS[format]);
  if (wrong !== undefined) throw invalidField([wrong], `does not go with the format ${format}`);
  if (given.length === 0 && isRequired) throw invalidField(['type'], 'is required');
  if (item.type !== undefined && !isText(item.type)) throw invalidField(['type'], 'must be a credential type');
  return item.type;
}

function readOwnPolicies({ policies }: JsonObject): { policies?: unknown[] } {
  if (policies === undefined) return {};
  if (!Array.isArray(policies)) throw invalidField(['policies'], 'must be a list of policies');
  return { policies };
}

/** What the wallet is asked for: a definition of the verifier's own, or one made of the requested credentials. */
export interface DefinitionSource {
  requestedCredentials: RequestedCredential[];
  presentationDefinition: unknown;
  /** The id of a definition that has none. */
  id: string;
}

/** The definition and, for errors, the path of each of its descriptors in the source. */
export interface LocatedDefinition {
  definition: PresentationDefinition;
  /** The member of the source that the definition is made of. */
  source: 'requestedCredentials' | 'presentationDefinition';
  locate: (descriptorIndex: number) => FieldPath;
}

/** Creates or reads the presentation definition. @throws DomainError `BadRequest` */
export function definitionFor({
  requestedCredentials,
  presentationDefinition,
  id,
}: DefinitionSource): LocatedDefinition {
  if (presentationDefinition !== undefined) {
    const source = 'presentationDefinition';
    const definition = at([source], () => readOwnDefinition(presentationDefinition, id));
    return { definition, source, locate: (index) => [source, 'input_descriptors', index] };
  }
  const source = 'requestedCredentials';
  if (requestedCredentials.length === 0) throw invalidField([source], 'must name at least one credential');
  const definition = { id, input_descriptors: requestedCredentials.map(({ descriptor }) => descriptor) };
  at([source], () => checkDefinition(definition));
  return { definition, source, locate: (index) => [source, index, 'input_descriptor'] };
}

function readOwnDefinition(value: unknown, id: string): PresentationDefinition {
  const definition = readDefinition(isObject(value) ? { id, ...value } : value);
  checkFormats(definition);
  for (const [index, descriptor] of definition.input_descriptors.entries())
    at(['input_descriptors', index], () => checkFormats(descriptor));
  return definition;
}

const ACCEPTED = [...JWT_VC_FORMATS, ...JWT_VP_FORMATS];

function checkFormats({ format }: JsonObject): void {
  const names = isObject(format) ? Object.keys(format) : [];
  if (names.length > 0 && !names.some((name) => ACCEPTED.includes(name)))
    throw invalidField(['format'], `${names[0]?.slice(0, 64)} is not supported by this verifier`);
}
