import type { RequestedDocument } from '../../../ports/codecs/mdoc-requests.ts';
import { MDOC } from '../../credentials/formats/mdoc.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';

const MAX_DOCUMENTS = 16;
const MAX_ELEMENTS = 256;
const MAX_CHARACTERS = 256;

/** Reads what is asked for: elements by document type and namespace. @throws DomainError `BadRequest` naming the member */
export function readRequestedElements(value: JsonObject): RequestedDocument[] {
  const documents = membersOf(value).map(([docType, nameSpaces]) =>
    at([docType], () => ({ docType, elements: readNameSpaces(nameSpaces) })),
  );
  const total = documents.flatMap(({ elements }) => Object.values(elements).flat()).length;
  if (documents.length > MAX_DOCUMENTS) throw invalidField([], `may ask for at most ${MAX_DOCUMENTS} documents`);
  if (total > MAX_ELEMENTS) throw invalidField([], `may ask for at most ${MAX_ELEMENTS} elements`);
  return documents;
}

const readNameSpaces = (value: unknown): Record<string, string[]> =>
  Object.fromEntries(membersOf(value).map(([name, elements]) => [name, at([name], () => readNames(elements))]));

function membersOf(value: unknown): [string, unknown][] {
  const members = isObject(value) ? Object.entries(value) : [];
  if (members.length > 0 && members.every(([name]) => isName(name))) return members;
  throw invalidField([], `must be an object with members, whose names have at most ${MAX_CHARACTERS} characters`);
}

function readNames(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isName))
    throw invalidField([], `must be a list of names of elements, each of at most ${MAX_CHARACTERS} characters`);
  if (new Set(value).size < value.length) throw invalidField([], 'names an element twice');
  return value;
}

const isName = (value: unknown): value is string => isText(value) && value.length <= MAX_CHARACTERS;

/** The query that a response must satisfy: each document with each of its elements. Its ids are the document types. */
export const queryOf = (documents: readonly RequestedDocument[]): DcqlQuery => ({
  credentials: documents.map(({ docType, elements }) => ({
    id: docType,
    format: MDOC.name,
    multiple: false,
    holderBinding: true,
    meta: { doctypeValue: docType },
    claims: Object.entries(elements).flatMap(([nameSpace, names]) =>
      names.map((name) => ({ path: [nameSpace, name] })),
    ),
    claimSets: [],
  })),
  credentialSets: [],
});
