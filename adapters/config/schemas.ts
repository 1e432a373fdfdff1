import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import { parsePointer, readablePath, unescapeSegment } from '../../domain/foundation/field-paths.ts';
import { asList, isObject, type JsonObject } from '../../domain/foundation/json.ts';
import { FORMATS } from './formats.ts';

/** A problem within one file. */
interface FieldProblem {
  field: string;
  message: string;
}

/** The content of one file, complete with defaults, or its problems. */
type Checked<T> = { value: T } | { problems: FieldProblem[] };

/** The folder of the schemas, from the sources and from the build. */
export const FOLDER: URL = (function find(folder: URL): URL {
  const candidate = new URL('openapi/config/', folder);
  return existsSync(candidate) ? candidate : find(new URL('..', folder));
})(new URL('.', import.meta.url));

/** The schemas of the files; those of files that exist are compiled. */
export class FileSchemas {
  #ajv: Ajv | undefined;

  /** The content of the file `name` when it is absent: without compiling the schema, since most files are. */
  defaults<T>(name: string): T {
    return withDefaults({}, readSchema(name)) as T;
  }

  /** The names of the members of the file `name`. */
  members(name: string): string[] {
    return Object.keys(readSchema(name).properties ?? {});
  }

  /**
   * Validates the content of the file `name` against openapi/config and adds the defaults. Null counts as absent. Text is
   * converted to a number or boolean where the schema demands one, since every substitution yields text.
   */
  check<T>(name: string, content: JsonObject): Checked<T> {
    const schema = readSchema(name);
    this.#ajv ??= createAjv();
    const validate = this.#ajv.compile(schema);
    const value = convert(withoutNulls(content), schema);
    if (validate(value)) return { value: value as T };
    return {
      problems: (validate.errors ?? [])
        .filter(({ keyword }) => !UMBRELLAS.has(keyword))
        .map((error) => describe(withoutSecretNames(error, schema, value))),
    };
  }
}

const readSchema = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8'));

/** Adds to valid contents of the file `name` the defaults of what they lack. */
export function completing<T>(name: string): (content: JsonObject) => T {
  const schema = readSchema(name);
  return (content) => withDefaults(content, schema) as T;
}

/** The value, with the defaults of the members that it lacks. */
function withDefaults(value: unknown, { properties, additionalProperties: others }: JsonObject): unknown {
  if (!isObject(value)) return value;
  const known = isObject(properties) ? (properties as Record<string, JsonObject>) : {};
  const named = Object.entries(known).map(([name, schema]) => [
    name,
    withDefaults(value[name] ?? schema.default, schema),
  ]);
  const further = Object.entries(value).filter(([name]) => isObject(others) && !Object.hasOwn(known, name));
  const members = [...named, ...further.map(([name, member]) => [name, withDefaults(member, others as JsonObject)])];
  return { ...value, ...Object.fromEntries(members.filter(([, member]) => member !== undefined)) };
}

/** Each start compiles these schemas and uses them once, so optimising them would take longer than it saves. */
function createAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    allowUnionTypes: true,
    verbose: true,
    validateSchema: false, // A test does.
    code: { optimize: false },
  });
  ajv.addVocabulary(['x-secret-names']);
  for (const [name, { holds }] of Object.entries(FORMATS)) ajv.addFormat(name, holds);
  return ajv;
}

/** Keywords whose error only repeats that another one failed. */
const UMBRELLAS: ReadonlySet<string> = new Set(['propertyNames', 'if']);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member)]));
}

const CONVERSIONS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
};

function convert(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (typeof value === 'string') return CONVERSIONS[String(schema.type)]?.(value) ?? value;
  const { properties, items } = schema;
  if (Array.isArray(value)) return value.map((item) => convert(item, items));
  if (!isObject(value) || !isObject(properties)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, convert(member, properties[name])]);
  return Object.fromEntries(members);
}

const MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  additionalProperties: ({ parentSchema }) =>
    `is not known here; known are ${Object.keys(parentSchema?.properties ?? {}).join(', ')}`,
  required: () => 'is missing',
  format: ({ params }) => FORMATS[params.format]?.message ?? 'is malformed',
  enum: ({ params }) => `must be one of ${params.allowedValues.join(', ')}`,
};

function describe(error: ErrorObject): FieldProblem {
  const { keyword, params, propertyName } = error;
  const member = params.additionalProperty ?? params.missingProperty ?? propertyName;
  const path = member === undefined ? error.instancePath : `${error.instancePath}/${member}`;
  return { field: fieldOf(path), message: MESSAGES[keyword]?.(error) ?? error.message ?? 'is not valid' };
}

/** Members whose name is a secret (`x-secret-names` of the schema) are reported by their number. */
function withoutSecretNames(error: ErrorObject, schema: JsonObject, value: unknown): ErrorObject {
  const [, holder = '', name = '', ...rest] = error.instancePath.split('/');
  const secret = asList(schema['x-secret-names']).includes(holder);
  if (!secret || !isObject(value) || !isObject(value[holder])) return error;
  const names = Object.keys(value[holder]);
  const numberOf = (wanted: string): string => String(names.indexOf(wanted));
  return error.propertyName === undefined
    ? {
        ...error,
        instancePath: ['', holder, numberOf(unescapeSegment(name)), ...rest]
          .slice(0, name === '' ? 2 : undefined)
          .join('/'),
      }
    : { ...error, propertyName: numberOf(error.propertyName) };
}

/** `/x5c/replay` as `x5c.replay`, `/certificates/0` as `certificates[0]`. */
const fieldOf = (pointer: string): string =>
  readablePath(parsePointer(pointer).map((part) => (/^\d+$/.test(String(part)) ? Number(part) : part)));
