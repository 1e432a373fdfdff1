import type { PublicJwk } from '../../ports/key-service.ts';
import { invalidField, isDomainError } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { readPublicJwk } from '../jose/jwk.ts';
import { hasPrivatePart } from '../keys/backends/jwk.ts';

/** Reads a public key that a caller states. @throws DomainError `BadRequest`, also for a private one */
export function readCallerJwk(value: unknown): PublicJwk {
  if (isObject(value) && hasPrivatePart(value)) throw invalidField([], 'must be a public key');
  return named([], () => readPublicJwk(value));
}

/** @throws DomainError `BadRequest` */
export const readJson = (text: string): unknown => named([], () => parseJson(text));

/** Gives an error that names no field the path of the value that was read. */
export function named<T>(path: FieldPath, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isDomainError(error, 'BadRequest') && !error.details ? invalidField(path, error.message) : error;
  }
}
