import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { PresentationDefinition } from './definition.ts';

const MAX_NESTING = 8;

/**
 * Whether meeting these descriptors is enough: all of them, unless the definition has submission requirements
 * (Presentation Exchange 2.0, submission requirement feature).
 */
export function isSatisfied(definition: PresentationDefinition, met: ReadonlySet<string>): boolean {
  const requirements = asList(definition.submission_requirements).filter(isObject);
  if (requirements.length === 0) return definition.input_descriptors.every(({ id }) => met.has(id));
  return requirements.every((requirement) => isMet(requirement, { definition, met, depth: 0 }));
}

interface Given {
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
  return reached >= least && (typeof max !== 'number' || reached <= max);
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
