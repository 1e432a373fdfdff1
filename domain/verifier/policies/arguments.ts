import { invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';

/** Reads an argument that is an object with no other members. @throws DomainError `BadRequest` */
export function readMembers(args: unknown, names: readonly string[]): JsonObject {
  if (!isObject(args)) throw invalidField([], 'must be an object');
  const other = Object.keys(args).find((name) => !names.includes(name));
  if (other !== undefined) throw invalidField([other.slice(0, 64)], 'is not a known field');
  return args;
}

/** Reads a member that is a text, if it is there. @throws DomainError `BadRequest` */
export function readText(members: JsonObject, name: string): string | undefined {
  const value = members[name];
  if (value === undefined || isText(value)) return value;
  throw invalidField([name], 'must be a non-empty string');
}

/** Reads a member that must be a text. @throws DomainError `BadRequest` */
export function readRequiredText(members: JsonObject, name: string): string {
  const value = readText(members, name);
  if (value === undefined) throw invalidField([name], 'is required');
  return value;
}

/** Reads a member that is a boolean; false when it is absent. @throws DomainError `BadRequest` */
export function readFlag(members: JsonObject, name: string): boolean {
  const value = members[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw invalidField([name], 'must be a boolean');
}
