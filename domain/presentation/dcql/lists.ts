import { invalidField } from '../../foundation/errors.ts';

/** Ids of credential and claims queries (OpenID4VP 1.0 §6.1). */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Reads an id. @throws DomainError `BadRequest` */
export function readId(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw invalidField([], 'must be an id of at most 128 letters, digits, underscores and hyphens');
}

/** Reads a list that may not be empty. @throws DomainError `BadRequest` */
export function readList(value: unknown, most: number): unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= most) return value;
  throw invalidField([], `must be a list of 1 to ${most} elements`);
}

/** Returns the ids of a list. @throws DomainError `BadRequest` when two elements have the same id */
export function idsIn(list: readonly { id: string }[]): Set<string> {
  const ids = new Set(list.map(({ id }) => id));
  if (ids.size === list.length) return ids;
  throw invalidField([], 'two elements have the same id');
}
