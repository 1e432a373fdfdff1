import type { DisclosureFrame } from '../../../ports/credential-formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { isoMillis, parseIso } from '../../foundation/time.ts';
import type { ClaimKind, ClaimNode, TypedContent, ValueReading } from '../credential-type.ts';
import { imageText, readImage } from './type-images.ts';

/** The most characters of a text, and elements of a list. */
const [MAX_TEXT, MAX_ITEMS] = [4096, 100];

/** The example values of claims. @throws DomainError `BadRequest` naming one that is not of the kind of its claim */
export function readExamples(tree: readonly ClaimNode[]): JsonObject {
  const entries = tree.flatMap((node): [string, unknown][] => {
    if (node.type === 'object') return [[node.name, readExamples(node.members)]];
    if (node.example === undefined) return [];
    return [[node.name, at([node.index, 'example'], () => readValue(node, node.example, { pictures: 'dataUrl' }))]];
  });
  return Object.fromEntries(entries);
}

/**
 * The values of the claims of a credential. @throws DomainError `BadRequest` naming what is missing, is no claim of the type, or
 * is not of the kind of its claim
 */
function readValues(tree: readonly ClaimNode[], values: unknown, reading: ValueReading): JsonObject {
  if (!isObject(values)) throw invalidField([], 'must be an object');
  const foreign = Object.keys(values).find((name) => !tree.some((node) => node.name === name));
  if (foreign !== undefined) throw invalidField([foreign], 'is no claim of the type');
  const entries = tree.flatMap((node): [string, unknown][] => {
    const { name, mandatory } = node;
    if (Object.hasOwn(values, name)) return [[name, at([name], () => readValue(node, values[name], reading))]];
    if (mandatory) throw invalidField([name], 'is required by the type of the credential');
    return [];
  });
  return Object.fromEntries(entries);
}

/** What the holder may withhold of these values. */
function frameOf(tree: readonly ClaimNode[], values: JsonObject): DisclosureFrame {
  const fields = tree.flatMap(({ name, type, disclosure, members }) => {
    const value = values[name];
    if (value === undefined) return [];
    const sd = disclosure !== 'always';
    const children = type === 'object' && isObject(value) ? frameOf(members, value) : undefined;
    return [[name, children ? { sd, children } : { sd }] as const];
  });
  return { fields: Object.fromEntries(fields) };
}

/** What the values of an offer change of the content of a profile. @throws DomainError `BadRequest` naming the value */
export function typedChanges(
  { tree, place, hasFrame, ...reading }: TypedContent,
  values: JsonObject,
): { credentialData: JsonObject; selectiveDisclosure?: JsonObject } {
  const read = readValues(tree, values, reading);
  const credentialData = place.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), read);
  return { credentialData, ...(hasFrame && { selectiveDisclosure: { ...frameOf(tree, read) } }) };
}

function isDate(value: unknown): boolean {
  const ms = isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value) ? parseIso(`${value}T00:00:00Z`) : undefined;
  return ms !== undefined && isoMillis(ms).startsWith(String(value));
}

/** The kinds of single values: which values are one, and how messages name it. */
const SINGLE: Readonly<
  Record<Exclude<ClaimKind, 'picture' | 'list' | 'object'>, [(value: unknown) => boolean, string]>
> = {
  text: [(value) => isText(value) && value.length <= MAX_TEXT, `a text of 1 to ${MAX_TEXT} characters`],
  date: [isDate, 'a date as YYYY-MM-DD'],
  number: [(value) => typeof value === 'number' && Number.isFinite(value), 'a number'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
};

function readValue(
  node: Pick<ClaimNode, 'type' | 'items' | 'members'>,
  value: unknown,
  reading: ValueReading,
): unknown {
  const { type, items, members } = node;
  if (type === 'object') return readValues(members, value, reading);
  if (type === 'list') {
    if (!Array.isArray(value) || value.length > MAX_ITEMS)
      throw invalidField([], `must be a list of at most ${MAX_ITEMS} elements`);
    return value.map((item, index) => at([index], () => readValue({ type: items ?? 'text', members }, item, reading)));
  }
  if (type === 'picture') return readPicture(value, reading);
  const [isOfKind, what] = SINGLE[type];
  if (!isOfKind(value)) throw invalidField([], `must be ${what}`);
  return value;
}

function readPicture(value: unknown, { pictures }: ValueReading): string {
  const url = isText(value) ? value : '';
  const image = readImage(url);
  return pictures === 'base64' ? imageText(image) : url;
}
