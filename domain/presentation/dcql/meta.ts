import type { Credential } from '../../../ports/credential-formats.ts';
import type { TypeSelector } from '../../credentials/formats/facts.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { readList } from './lists.ts';

/** The types that a credential query accepts; without any member it accepts every type (OpenID4VP 1.0 appendix B). */
export type Meta = { typeValues?: string[][] } | { vctValues: string[] } | { doctypeValue: string };

const MAX_ALTERNATIVES = 64;
const MAX_TYPES = 32;

/** The expanded form of the type of all W3C credentials. */
const EXPANDED = /^https:\/\/www\.w3\.org\/2018\/credentials#(?=VerifiableCredential$)/;

const readText = (value: unknown): string => {
  if (isText(value)) return value;
  throw invalidField([], 'must be a non-empty string');
};

const readTexts = (value: unknown, most: number): string[] =>
  readList(value, most).map((text, index) => at([index], () => readText(text)));

const typeValues = ({ type_values: listed }: JsonObject): Meta => ({
  typeValues: at(['type_values'], () =>
    readList(listed, MAX_ALTERNATIVES).map((types, index) => at([index], () => readTexts(types, MAX_TYPES))),
  ),
});

const vctValues = ({ vct_values: listed }: JsonObject): Meta => ({
  vctValues: at(['vct_values'], () => readTexts(listed, MAX_ALTERNATIVES)),
});

const doctypeValue = ({ doctype_value: doctype }: JsonObject): Meta => ({
  doctypeValue: at(['doctype_value'], () => readText(doctype)),
});

/** How the `meta` of a format is read, by what its types are named with. */
const READERS: Readonly<Record<TypeSelector, (meta: JsonObject) => Meta>> = {
  type: typeValues,
  vct: vctValues,
  doc_type: doctypeValue,
};

/** Reads the `meta` of a format; an empty one, or that of an unknown format, accepts every type. @throws DomainError `BadRequest` */
export function readMeta(value: unknown, selector: TypeSelector | undefined): Meta {
  if (!isObject(value)) throw invalidField([], 'must be an object');
  return selector === undefined || Object.keys(value).length === 0 ? {} : READERS[selector](value);
}

/** What a user is shown of it: the most specific type of each alternative. */
export function acceptedTypes(meta: Meta): string[] {
  if ('vctValues' in meta) return meta.vctValues;
  if ('doctypeValue' in meta) return [meta.doctypeValue];
  const { typeValues: alternatives = [] } = meta;
  return alternatives.flatMap((types) => types.at(-1) ?? []);
}

/** Whether a credential is of an accepted type: of all types of one alternative, or of one `vct` or doctype. */
export function isOfType({ type, document }: Pick<Credential, 'type' | 'document'>, meta: Meta): boolean {
  if ('vctValues' in meta) return meta.vctValues.includes(type);
  if ('doctypeValue' in meta) return meta.doctypeValue === type;
  const types = new Set(asList(document.type));
  const { typeValues: alternatives = [[]] } = meta;
  return alternatives.some((wanted) => wanted.every((one) => types.has(one) || types.has(one.replace(EXPANDED, ''))));
}
