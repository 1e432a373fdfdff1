import { fieldErrors } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { backendOf } from './key-reference.ts';

/**
 * Refuses key references and configurations of keys that sign with the role of the machine: its rights are the
 * operator's, and a caller needs no secret to name it.
 * @param place the position of the value in the request, for errors
 * @throws DomainError `BadRequest` naming `roleName`
 */
export function refuseRoleReferences(value: unknown, place: FieldPath): void {
  const left: [unknown, FieldPath][] = [[value, place]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, path] = next;
    if (typeof node !== 'object' || node === null) continue;
    if (isObject(node)) refuseRole(node, path);
    for (const name of Object.keys(node)) {
      const member = Reflect.get(node, name);
      if (typeof member === 'object') left.push([member, [...path, Array.isArray(node) ? Number(name) : name]]);
    }
  }
}

function refuseRole(node: JsonObject, path: FieldPath): void {
  if (!isObject(node.auth) && !isObject(node.config)) return;
  const named = [node.type, node.backend].some((name) => backendOf(String(name)) === 'kmsa-rest-api');
  if (!named) return;
  const places: [unknown, FieldPath][] = [
    [node.auth, ['auth']],
    [isObject(node.config) ? node.config.auth : undefined, ['config', 'auth']],
  ];
  for (const [auth, below] of places)
    if (isObject(auth) && auth.roleName !== undefined && auth.roleName !== null)
      throw fieldErrors([
        {
          path: [...path, ...below, 'roleName'],
          message: "is not allowed here: the role of the machine is the operator's (kms.conf kmsa.allowRoleReferences)",
        },
      ]);
}
