import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';

/** Keywords whose schemas describe the same value. */
const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'];

/**
 * Removes the optional members of a body that are null although their schema does not allow it: null means absent
 * (decisions §5). Open parts, such as the content of a credential, stay unchanged. Changes the value.
 */
export function removeAbsent(schema: unknown, value: unknown): void {
  if (!isObject(schema) || typeof value !== 'object' || value === null) return;
  for (const keyword of ALTERNATIVES)
    if (Array.isArray(schema[keyword])) for (const alternative of schema[keyword]) removeAbsent(alternative, value);
  if (Array.isArray(value)) for (const item of value) removeAbsent(schema.items, item);
  else if (isObject(value) && isObject(schema.properties)) removeMembers(schema, schema.properties, value);
}

function removeMembers({ required }: JsonObject, properties: JsonObject, value: JsonObject): void {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) continue;
    const member = properties[name];
    if (value[name] !== null) removeAbsent(member, value[name]);
    else if (!(Array.isArray(required) && required.includes(name)) && !allowsNull(member)) delete value[name];
  }
}

/** Whether a schema accepts null as a value; one without a type accepts any value. */
const allowsNull = (schema: unknown): boolean =>
  !isObject(schema) || [schema.type].flat().some((type) => type === 'null') || Object.keys(schema).every(isAnnotation);

const isAnnotation = (keyword: string): boolean => ['description', 'title', 'example', 'examples'].includes(keyword);
