import type { LocatedValue } from '../../../ports/json-path.ts';
import type { FormatFacts } from '../../credentials/formats/facts.ts';
import { invalidField } from '../../foundation/errors.ts';
import { isObject, isText } from '../../foundation/json.ts';
import { readList } from './lists.ts';

/** A claims path pointer: member names, list positions, and null for every element of a list (OpenID4VP 1.0 §7). */
export type ClaimsPath = (string | number | null)[];

const MAX_COMPONENTS = 32;

/** Reads a claims path pointer for a format, if it is a known one. @throws DomainError `BadRequest` */
export function readClaimsPath(
  value: unknown,
  format: Pick<FormatFacts, 'name' | 'claimNames'> | undefined,
): ClaimsPath {
  const listed = readList(value, MAX_COMPONENTS);
  const names = format?.claimNames;
  if (names && !(listed.length === names.length && listed.every(isText)))
    throw invalidField([], `must be two texts in the format ${format.name}: ${names.join(' and ')}`);
  return listed.map((component, index) => {
    if (typeof component === 'string' || component === null) return component;
    if (Number.isSafeInteger(component) && Number(component) >= 0) return Number(component);
    throw invalidField([index], 'must be a string, null or an integer that is not negative');
  });
}

/** Returns the elements that a path selects; none when it leads nowhere (OpenID4VP 1.0 §7.1). */
export function select(document: unknown, path: ClaimsPath): unknown[] {
  let selected: unknown[] = [document];
  for (const component of path) {
    selected = selected.flatMap((element) => step(element, component));
    if (selected.length === 0) return [];
  }
  return selected;
}

/** The same with the place of each element. */
export function locate(document: unknown, path: ClaimsPath): LocatedValue[] {
  let selected: LocatedValue[] = [{ value: document, path: [] }];
  for (const component of path)
    selected = selected.flatMap(({ value, path: outer }) =>
      step(value, component).map((inner, index) => ({ value: inner, path: [...outer, component ?? index] })),
    );
  return selected;
}

function step(element: unknown, component: string | number | null): unknown[] {
  if (typeof component === 'string')
    return isObject(element) && Object.hasOwn(element, component) ? [element[component]] : [];
  if (!Array.isArray(element)) return [];
  if (component === null) return element;
  return component < element.length ? [element[component]] : [];
}
