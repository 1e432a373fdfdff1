import { DomainError, invalidField, summaryOf } from '../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../domain/foundation/field-paths.ts';
import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import { parentOf } from '../../../domain/tenancy/access/targets.ts';

/** A value that the caller wrote in another place than where it is read. */
export interface Renamed {
  own: FieldPath;
  written: FieldPath;
}

/** Whether a schema declares other names or forms. */
export const hasOtherNames = (schema: unknown): boolean =>
  /"x-(?:aliases|descriptor|other-values|repeats)":/.test(JSON.stringify(schema) ?? '');

/**
 * A body under the names and in the forms of the operation: `x-aliases` of a member are its other names, `x-descriptor` of a
 * value the object that may stand for it, `x-other-values` other words for values, `x-repeats` of a body what only repeats the
 * path. Changes the body. @throws DomainError `BadRequest` naming a member that is given by two of its names
 */
export function underOwnNames(schema: unknown, body: unknown, path: JsonObject): { body: unknown; renamed: Renamed[] } {
  const renamed: Renamed[] = [];
  removeRepeated(schema, body, path);
  return { body: read({ schema, value: body, own: ['body'], written: ['body'] }, renamed), renamed };
}

/** An error that names the members as the caller wrote them. */
export function asWritten(error: unknown, renamed: readonly Renamed[] = []): unknown {
  if (!(error instanceof DomainError) || !error.details || renamed.length === 0) return error;
  const details = error.details.map(({ path, message }) => ({ path: writtenPath(path, renamed), message }));
  const message = error.message === summaryOf(error.details) ? summaryOf(details) : error.message;
  return new DomainError(error.code, message, { ...error, cause: error.cause, details });
}

/** Where the caller wrote a field: below the innermost value around it that stood elsewhere. */
function writtenPath(path: FieldPath, renamed: readonly Renamed[]): FieldPath {
  const around = renamed.filter(({ own }) => own.every((part, place) => String(part) === String(path[place])));
  const nearest = around.reduce<Renamed | undefined>(
    (best, one) => (best && best.own.length > one.own.length ? best : one),
    undefined,
  );
  return nearest ? [...nearest.written, ...path.slice(nearest.own.length)] : path;
}

/** A value, and where it stands. */
interface Read extends Renamed {
  schema: unknown;
  value: unknown;
}

function read({ schema, value: given, ...place }: Read, renamed: Renamed[]): unknown {
  if (!isObject(schema)) return given;
  const { value, written } = described({ schema, value: given, ...place }, renamed);
  if (typeof value === 'string') return otherValue(schema, value);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      value[index] = read({ schema: schema.items, value: item, ...below({ own: place.own, written }, index) }, renamed);
    return value;
  }
  if (!isObject(value)) return value;
  readMembers({ schema, value, own: place.own, written }, renamed);
  for (const branch of branchesOf(schema, value)) read({ schema: branch, value, own: place.own, written }, renamed);
  return value;
}

const below = ({ own, written }: Renamed, part: string | number): Renamed => ({
  own: [...own, part],
  written: [...written, part],
});

function readMembers(
  { schema, value, ...place }: Read & { schema: JsonObject; value: JsonObject },
  renamed: Renamed[],
) {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const otherNames = new Map<string, string>();
  for (const [name, member] of Object.entries(properties))
    for (const other of isObject(member) && Array.isArray(member['x-aliases']) ? member['x-aliases'].map(String) : [])
      if (takeOther(value, { name, other, place: place.written })) otherNames.set(name, other);
  for (const name of Object.keys(value)) {
    const member = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    const other = otherNames.get(name);
    const at = { own: [...place.own, name], written: [...place.written, other ?? name] };
    if (other !== undefined) renamed.push(at);
    value[name] = read({ schema: member, value: value[name], ...at }, renamed);
  }
}

/** Gives a member its own name. Returns whether it was there by the other one. */
function takeOther(
  value: JsonObject,
  { name, other, place }: { name: string; other: string; place: FieldPath },
): boolean {
  if (!Object.hasOwn(value, other)) return false;
  const { [other]: given } = value;
  delete value[other];
  // Null means absent (decisions §5).
  if (given === null) return false;
  if (Object.hasOwn(value, name) && value[name] !== null)
    throw invalidField([...place, other], `is another name of ${name}: only one of them may be given`);
  value[name] = given;
  return true;
}

/** The value that an object of two members stands for, the kind of the object and the value; any other value is itself. */
function described({ schema, value, own, written }: Read & { schema: JsonObject }, renamed: Renamed[]) {
  const { 'x-descriptor': descriptor } = schema;
  if (!isObject(descriptor) || !isObject(value)) return { value, written };
  const { member: name, type } = descriptor;
  const member = String(name);
  const known = type === undefined ? [member] : ['type', member];
  const unknown = Object.keys(value).find((one) => !known.includes(one));
  if (unknown !== undefined) throw invalidField([...written, unknown.slice(0, 100)], 'is not a known field');
  if (type !== undefined && value.type !== type) throw invalidField([...written, 'type'], `must be ${String(type)}`);
  if (value[member] === undefined) throw invalidField([...written, member], 'is required');
  const at = { own, written: [...written, member] };
  renamed.push(at);
  return { value: value[member], written: at.written };
}

function otherValue({ 'x-other-values': values }: JsonObject, value: string): string {
  return isObject(values) && Object.hasOwn(values, value) ? String(values[value]) : value;
}

/** The schemas that describe the same value: all of alternatives, and of conditions those that hold. */
function branchesOf(schema: JsonObject, value: JsonObject): unknown[] {
  const listed = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] as unknown[] | undefined) ?? []);
  const { if: condition, then: first, else: second } = schema;
  return condition === undefined ? listed : [...listed, holds(condition, value) ? first : second];
}

/** Whether a condition on members holds: the keywords that conditions in the documents use. */
function holds(condition: unknown, value: unknown): boolean {
  if (!isObject(condition)) return true;
  const { const: only, enum: allowed, required, properties } = condition;
  if (only !== undefined && value !== only) return false;
  if (Array.isArray(allowed) && !allowed.includes(value)) return false;
  if (!isObject(value)) return true;
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) return false;
  const named = Object.entries(isObject(properties) ? properties : {});
  return named.every(([name, member]) => !Object.hasOwn(value, name) || holds(member, value[name]));
}

/** What `x-repeats` may name. */
const REPEATED: Readonly<Record<string, (target: string) => string>> = { target: (target) => target, parent: parentOf };

function removeRepeated(schema: unknown, body: unknown, { target }: JsonObject): void {
  if (!isObject(schema) || !isObject(body) || !isObject(schema['x-repeats'])) return;
  for (const [name, what] of Object.entries(schema['x-repeats'])) {
    if (!Object.hasOwn(body, name)) continue;
    const expected = REPEATED[String(what)]?.(String(target));
    if (body[name] !== expected) throw invalidField(['body', name], `must be ${expected}, as the path says`);
    delete body[name];
  }
}
