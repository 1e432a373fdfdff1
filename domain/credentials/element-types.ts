import type { ElementConversion, ElementType, ElementTypes } from '../../ports/credential-formats.ts';
import { at, invalidField } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';

const MAX_DEPTH = 16;
const CONVERSIONS: readonly ElementConversion[] = [
  'stringToFullDate',
  'stringToTDate',
  'base64StringToByteString',
  'base64UrlStringToByteString',
];

/** Reads by which CBOR types the elements of an mdoc are written, by namespace. @throws DomainError `BadRequest` naming the member */
export function readElementTypes(written: JsonObject): ElementTypes {
  const entries = Object.entries(written).map(([namespace, config]): [string, ElementType] => [
    namespace,
    at([namespace], () => {
      if (!isObject(config)) throw invalidField([], 'must be an object');
      return readType({ ...config, type: 'object' }, 0);
    }),
  ]);
  return Object.fromEntries(entries);
}

/** The kinds of values, by `type`. */
const READERS: Readonly<Record<string, (config: JsonObject, depth: number) => ElementType>> = {
  string: ({ conversionType }) => {
    const conversion = CONVERSIONS.find((name) => name === conversionType);
    if (conversion) return { conversion };
    throw invalidField(['conversionType'], `must be one of ${CONVERSIONS.join(', ')}`);
  },
  object: ({ entriesConfigMap: entries }, depth) => {
    if (!isObject(entries)) throw invalidField(['entriesConfigMap'], 'must be an object');
    return {
      members: Object.fromEntries(
        Object.entries(entries).map(([name, config]) => [
          name,
          at(['entriesConfigMap', name], () => readType(config, depth + 1)),
        ]),
      ),
    };
  },
  array: ({ arrayConfig: items }, depth) => {
    if (!Array.isArray(items)) throw invalidField(['arrayConfig'], 'must be a list');
    return { items: items.map((config, index) => at(['arrayConfig', index], () => readType(config, depth + 1))) };
  },
};

function readType(config: unknown, depth: number): ElementType {
  if (depth === MAX_DEPTH) throw invalidField([], `may not be nested deeper than ${MAX_DEPTH}`);
  const { type } = isObject(config) ? config : {};
  const read = typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (read && isObject(config)) return read(config, depth);
  throw invalidField(['type'], `must be one of ${Object.keys(READERS).join(', ')}`);
}
