import { DomainError } from '../../foundation/errors.ts';
import { asList, countValues, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { PresentationDefinition } from './definition.ts';

const MAX_NESTING = 8;
/** Bounds the work of `requiredIds`, which evaluates the requirements once for each descriptor. */
const MAX_REQUIREMENT_VALUES = 1024;

/**
 * Whether meeting these descriptors is enough: all of them, unless the definition has submission requirements
 * (Presentation Exchange 2.0, submission requirement feature).
 */
export const isSatisfied = (definition: PresentationDefinition, met: ReadonlySet<string>): boolean =>
  areMet({ definition, met, depth: 0 });

/** Whether meeting some of these descriptors is enough: the same without the upper bounds of the requirements. */
export const isReachable = (definition: PresentationDefinition, met: ReadonlySet<string>): boolean =>
  areMet({ definition, met, depth: 0, hasNoMax: true });

/** The descriptors without which no response is enough. @throws DomainError `BadRequest` for too many requirements */
export function requiredIds(definition: PresentationDefinition): Set<string> {
  if (countValues(definition.submission_requirements) > MAX_REQUIREMENT_VALUES)
    throw new DomainError('BadRequest', 'The definition has too many submission requirements');
  const all = definition.input_descriptors.map(({ id }) => id);
  return new Set(all.filter((id) => !isReachable(definition, new Set(all.filter((other) => other !== id)))));
}

function areMet(given: Given): boolean {
  const { definition, met } = given;
  const requirements = asList(definition.submission_requirements).filter(isObject);
  if (requirements.length === 0) return definition.input_descriptors.every(({ id }) => met.has(id));
  return requirements.every((requirement) => isMet(requirement, given));
}

interface Given {
  /** Whether `max` is ignored. */
  hasNoMax?: boolean;
  definition: PresentationDefinition;
  met: ReadonlySet<string>;
  depth: number;
}

function isMet(requirement: JsonObject, given: Given): boolean {
  if (given.depth > MAX_NESTING) return false;
  const parts = partsOf(requirement, given);
  const reached = parts.filter((part) => part).length;
  if (requirement.rule === 'all') return parts.length > 0 && reached === parts.length;
  if (requirement.rule !== 'pick') return false;
  const { count, min, max } = requirement;
  const least = typeof count === 'number' ? count : typeof min === 'number' ? min : 1;
  return reached >= least && (given.hasNoMax === true || typeof max !== 'number' || reached <= max);
}

/** For each descriptor of the group, or each nested requirement, whether it is met. */
function partsOf({ from, from_nested: nested }: JsonObject, given: Given): boolean[] {
  if (!isText(from))
    return asList(nested)
      .filter(isObject)
      .map((part) => isMet(part, { ...given, depth: given.depth + 1 }));
  const group = given.definition.input_descriptors.filter((descriptor) => asList(descriptor.group).includes(from));
  return group.map(({ id }) => given.met.has(id));
}
